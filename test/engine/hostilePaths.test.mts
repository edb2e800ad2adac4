import { findCase } from './cases/index.mts';
import { runHostile } from './hostile.mts';
import { openStage } from './stage.mts';

const stage = openStage({ validateResponses: false });

describe('IDs that try to leave their path segment', () => {
	const hostile = [
		'..',
		'.',
		'../..',
		'../../persons',
		'%2e%2e',
		'%2E%2E/persons',
		'..%2f..%2fpersons',
		'a/b',
		'/',
		'\\..\\persons',
		'a?limit=1',
		'?',
		'#',
		'a#b',
		'a;b=c',
		'//other.example/',
		'http://other.example/v0/persons',
		'@other.example',
		'a b',
		' ',
		'\t\n',
		'😀',
		'\ud83d',
		'\udc00x',
		'a\u0000b',
		'a\r\nx-evil: 1',
		'ａ',
		'..\u200b',
		'__proto__',
		'constructor',
		'toString',
		'x'.repeat(5000),
	];
	const places: Array<[operation: string, item: string, template: RegExp]> = [
		['page.update', 'page', /^PATCH \/v0\/pages\/[^/]+$/],
		['audience.getAll', 'page', /^GET \/v0\/pages\/[^/]+\/audiences$/],
		['audience.archive', 'audience', /^DELETE \/v0\/pages\/[^/]+\/audiences\/[^/]+$/],
		['audience.restore', 'audience', /^POST \/v0\/pages\/[^/]+\/audiences\/[^/]+\/restore$/],
		['audience.getVersions', 'page', /^GET \/v0\/pages\/[^/]+\/audiences\/[^/]+\/versions$/],
		[
			'audienceSession.getInteractions',
			'session',
			/^GET \/v0\/audience_sessions\/[^/]+\/interactions$/,
		],
		['page.getAnalyticsSummary', 'page', /^GET \/v0\/pages\/[^/]+\/analytics\/summary$/],
		['pageLink.update', 'link', /^PATCH \/v0\/page_links\/[^/]+$/],
		['webhookSubscription.get', 'subscription', /^GET \/v0\/webhook_subscriptions\/[^/]+$/],
		['account.update', 'account', /^PATCH \/v0\/accounts\/[^/]+$/],
	];

	test.each(places)('%s', async (operation, name, template) => {
		const each = findCase(stage.sandbox, operation);
		const items = hostile.map((value) => ({ ...each.items[0], [name]: value }));
		const { requests, told } = await runHostile(stage, each.parameters, items);
		for (const request of requests) expect(request).toMatch(template);
		// The node rejects an ID, or the service does not find it. An unknown session has no interactions.
		const found = stage.sandbox.requests.filter(({ status }) => status === 200);
		expect(told).toHaveLength(hostile.length - found.length);
		expect(found.length === 0 || name === 'session').toBe(true);
		const values = requests.map((request) => request.split('/').map(decodeURIComponent));
		for (const value of hostile.filter((one) => /^(%2e|\.\.%2f)/i.test(one))) {
			if (operation !== 'account.update') expect(values.flat()).toContain(value);
		}
	});
});

test.each([
	[
		'audienceSession.getInteractions',
		{ audienceSessionId: '={{ $json.value }}' },
		'..',
		'Audience Session cannot be used as an ID, because it is ".." [item 1]',
	],
	[
		'audience.archive',
		{ audienceId: '={{ $json.value }}' },
		'..',
		'Audience cannot be used as an ID, because it is ".." [item 1]',
	],
])('%s with %j of %j names the field', async (operation, parameters, value, message) => {
	const each = findCase(stage.sandbox, operation);
	const [first, second] = each.items.map((item) => ({ ...item, value: 'a' }));
	const items = [first, { ...second, value }];
	const { error } = await stage.run({ ...each.parameters, ...parameters }, items);
	expect(error?.message).toBe(message);
});
