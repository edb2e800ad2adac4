import { RequestFailedError } from '../../../nodes/api/errors.ts';
import {
	explain,
	findRefusal,
	isTooLong,
} from '../../../nodes/PageAudienceTrigger/service/refusal.ts';
import { withPrevious } from '../../../nodes/PageAudienceTrigger/subscription/chain.ts';
import type { OwnUrl } from '../../../nodes/PageAudienceTrigger/subscription/ownUrl.ts';
import type { SubscriptionState } from '../../../nodes/PageAudienceTrigger/subscription/state.ts';
import { SubscriptionError } from '../../../nodes/PageAudienceTrigger/subscription/subscriptionError.ts';
import { failure } from '../api/responding.mts';

const path = '/webhook/abc/webhook';
const own: OwnUrl = {
	href: `http://n8n.example${path}`,
	origin: 'http://n8n.example',
	path,
	id: 'abc',
	tail: '/abc/webhook',
	isTest: false,
};
const testUrl = 'http://n8n.example/webhook-test/abc/webhook';
const inTest: OwnUrl = { ...own, href: testUrl, path: '/webhook-test/abc/webhook', isTest: true };

const urlOf = (length: number): string => 'https://n8n.example.com/'.padEnd(length, 'a');

function refuse(status: number | undefined, said?: string): RequestFailedError {
	const error = failure({ status }, 'The request failed');
	error.description = said === undefined ? '' : `The service said: "${said}".`;
	return error;
}

test.each<[what: string, error: unknown, blamed: boolean]>([
	['413', refuse(413, 'No'), true],
	['414', refuse(414, 'No'), true],
	['400 without a reason', refuse(400), true],
	['422 without a reason', refuse(422), true],
	['422 about the URL', refuse(422, 'Invalid url'), true],
	['422 about the URI', refuse(422, 'Invalid URI'), true],
	['400 about a length', refuse(400, 'Maximum length exceeded'), true],
	['400 about characters', refuse(400, 'At most 500 characters'), true],
	['400 about too long a text', refuse(400, 'Too long'), true],
	['400 about something else', refuse(400, 'Unknown event'), false],
	['422 about the curl client', refuse(422, 'Update curl'), false],
	['409', refuse(409), false],
	['500', refuse(500), false],
	['a lost connection', refuse(undefined), false],
	['another error', new Error('Too long'), false],
])('the length of a long URL may be the reason of %s, or not', (_, error, blamed) => {
	expect(isTooLong(urlOf(256), error)).toBe(blamed);
	expect(isTooLong(urlOf(255), error)).toBe(false);
});

const wanted = {
	url: `${own.href}?token=secret&kept=0123456789abcdef`,
	events: ['form.submitted'],
	active: true,
};
const elsewhere = { url: 'https://example.com/crm', events: ['form.enriched'], active: true };
const anotherTrigger = { ...elsewhere, url: 'http://n8n.example/webhook/xyz/webhook?token=other' };
const after = (url: string): SubscriptionState => ({
	...wanted,
	url: withPrevious(url, elsewhere),
});
const afterAnother = (url: string): SubscriptionState => ({
	...wanted,
	url: withPrevious(url, anotherTrigger),
});
const checkInService = 'Check in the service whether the subscription may be changed.';
const turnOffToken =
	"The URL carries this trigger's secret token. To do without it, turn off Verify Token.";
const chooseFree =
	'The URL names another workflow, which gets the subscription back. Choose a subscription that no other workflow uses.';
const chooseTest = 'While the workflow is published, choose a Test Subscription for tests.';
const tooLong = (length: number, advice = ''): string =>
	`The URL has ${length} characters, which may be more than the service accepts.${advice && ` ${advice}`}`;

describe('what is wrong with a changed subscription', () => {
	test.each<[what: string, stored: SubscriptionState, sent?: SubscriptionState, as?: OwnUrl]>([
		['is as it was sent', wanted],
		[
			'has its URL in other letters',
			{ ...wanted, url: wanted.url.replace('n8n.example/webhook', 'N8N.example/WEBHOOK') },
		],
		['has more parameters', { ...wanted, url: `${wanted.url}&extra=1` }],
		[
			'has its events in another order',
			{ ...wanted, events: ['a', 'b'] },
			{ ...wanted, events: ['b', 'a'] },
		],
		['has other events than none that could be sent', wanted, { ...wanted, events: null }],
		[
			'lost what a test run needs only after a crash',
			{ ...wanted, url: testUrl },
			{ ...wanted, url: withPrevious(testUrl, elsewhere) },
			inTest,
		],
	])('is nothing where it %s', (_, stored, sent = wanted, as = own) => {
		expect(findRefusal(as, stored, sent)).toBeUndefined();
	});

	test.each<
		[
			what: string,
			stored: Partial<SubscriptionState>,
			told: [message: string, description: string],
			sent?: SubscriptionState,
			as?: OwnUrl,
		]
	>([
		[
			'has another URL',
			elsewhere,
			[
				'The service did not accept the new url and events of the webhook subscription',
				checkInService,
			],
		],
		[
			'is inactive',
			{ active: false },
			['The service did not accept the new active of the webhook subscription', checkInService],
		],
		[
			'has no URL',
			{ url: '' },
			['The service did not accept the new url of the webhook subscription', checkInService],
		],
		[
			'has a URL that n8n does not find',
			{ url: wanted.url.replace('/abc/', '/ABC/') },
			['The service did not accept the new url of the webhook subscription', checkInService],
		],
		[
			'has another host',
			{ url: wanted.url.replace('n8n.example', 'other.example') },
			['The service did not accept the new url of the webhook subscription', checkInService],
		],
		[
			'has another scheme',
			{ url: wanted.url.replace('http:', 'https:') },
			[
				'The service changes the webhook URL from http:// to https://',
				'Set WEBHOOK_URL to an address of this n8n that begins with https://.',
			],
		],
		[
			'has another scheme and host',
			{ url: wanted.url.replace('http://n8n', 'https://other') },
			['The service did not accept the new url of the webhook subscription', checkInService],
		],
		[
			'has a URL that was cut',
			{ url: wanted.url.slice(0, -8) },
			[
				`The service cuts the webhook URL to ${wanted.url.length - 8} characters`,
				tooLong(wanted.url.length, turnOffToken),
			],
		],
		[
			'has a URL that was cut in its path',
			{ url: own.href.slice(0, -8) },
			[
				`The service cuts the webhook URL to ${own.href.length - 8} characters`,
				tooLong(wanted.url.length, turnOffToken),
			],
		],
		[
			'has a URL that was cut, of which nothing can be left out',
			{ url: own.href.slice(0, -8) },
			[
				`The service cuts the webhook URL to ${own.href.length - 8} characters`,
				tooLong(own.href.length),
			],
			{ ...wanted, url: own.href },
		],
		[
			'has no query',
			{ url: own.href },
			[`The service does not keep the query of a webhook URL. ${turnOffToken}`, ''],
		],
		[
			'has another token',
			{ url: wanted.url.replace('secret', 'SECRET') },
			[`The service changes the query of a webhook URL. ${turnOffToken}`, ''],
		],
		[
			'has no fingerprint',
			{ url: `${own.href}?token=secret&extra=1` },
			[`The service does not keep the query of a webhook URL. ${turnOffToken}`, ''],
		],
		[
			'lost the previous owner',
			{ url: `${wanted.url}&extra=1` },
			[`The service does not keep the query of a webhook URL. ${chooseFree}`, ''],
			after(wanted.url),
		],
		[
			'lost the order of a test run beside a published workflow',
			{ url: `${wanted.url}&extra=1` },
			[`The service does not keep the query of a webhook URL. ${chooseTest}`, ''],
			{ ...wanted, url: `${wanted.url}&test=1` },
		],
		[
			'lost the other workflow that a test run took over from',
			{ url: testUrl },
			[`The service does not keep the query of a webhook URL. ${chooseFree}`, ''],
			afterAnother(testUrl),
			inTest,
		],
		[
			'lost the token of a test run',
			{ url: testUrl },
			[`The service does not keep the query of a webhook URL. ${turnOffToken}`, ''],
			after(`${testUrl}?token=secret`),
			inTest,
		],
	])('is told where it %s', (_, stored, [message, description], sent = wanted, as = own) => {
		const refusal = findRefusal(as, { ...wanted, ...stored }, sent);
		expect(refusal).toBeInstanceOf(SubscriptionError);
		expect(refusal).toMatchObject({ message, description });
	});
});

describe('what a person is told of a change that failed', () => {
	const long = `${own.href}?token=${'a'.repeat(300)}`;

	test('is what became of the subscription, and what to do', () => {
		const told = explain(own, new SubscriptionError('It failed', 'Do this.'), 'All is well.', long);
		expect(told).toBeInstanceOf(SubscriptionError);
		expect(told).toMatchObject({ message: 'It failed', description: 'All is well. Do this.' });
	});

	test.each<[what: string, problem: Error | undefined, message: string]>([
		['an error without a description', new Error('It failed'), 'It failed'],
		['no error', undefined, ''],
	])('of %s is what became of the subscription', (_, problem, message) => {
		expect(explain(own, problem, 'All is well.', long)).toMatchObject({
			message,
			description: 'All is well.',
		});
	});

	test('names the length of a URL that the service may have refused', () => {
		const problem = refuse(400, 'Too long');
		const { description } = problem;
		const told = explain(own, problem, 'All is well.', long);
		expect(told).toBeInstanceOf(RequestFailedError);
		expect(told).toMatchObject({
			message: 'The request failed',
			description: `All is well. ${tooLong(long.length, turnOffToken)} ${description}`,
			details: problem.details,
		});
	});

	test('is not the length where it is none of the reasons', () => {
		const problem = refuse(500);
		expect(explain(own, problem, 'All is well.', long)).toMatchObject({
			description: 'All is well.',
		});
	});
});
