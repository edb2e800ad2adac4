import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { openStage } from './stage.mts';

/* What people, spreadsheets and other programs put into the fields, after reports of flows that broke on it. */

const stage = openStage({ validateResponses: false });

/** The path, query and body of each request, or why an item was not sent. */
async function send(parameters: INodeParameters, items: IDataObject[], timezone = 'Europe/Berlin') {
	stage.sandbox.requests.length = 0;
	const options = { concurrency: 1, maxRetries: 0, ...(parameters.options as IDataObject) };
	const { output, error } = await stage.run({ ...parameters, options }, items, {
		timezone,
		onError: 'continueRegularOutput',
	});
	if (error) throw error;
	const told = output.filter(
		({ json }) => json.error !== undefined && (json.details as IDataObject).status === undefined,
	);
	return {
		paths: stage.sandbox.requests.map(({ path }) => path),
		queries: stage.sandbox.requests.map(({ rawQuery }) =>
			Object.fromEntries(new URLSearchParams(rawQuery)),
		),
		bodies: stage.sandbox.requests.map(({ body }) => body as IDataObject),
		told: told.map(({ json }) => String(json.error)),
	};
}

describe('what nobody sees', () => {
	const invisible = (text: string) => `\ufeff${text}\u200b\u00a0`;

	test.each<[name: string, parameters: INodeParameters, path: string]>([
		[
			'page',
			{ resource: 'audience', operation: 'getAll', pageId: '={{ $json.id }}' },
			'/pages/ID/audiences',
		],
		[
			'audience',
			{
				resource: 'audience',
				operation: 'archive',
				pageId: 'p',
				audienceId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
			},
			'/pages/p/audiences/ID',
		],
		[
			'session',
			{
				resource: 'audienceSession',
				operation: 'getInteractions',
				audienceSessionId: '={{ $json.id }}',
			},
			'/audience_sessions/ID/interactions',
		],
		[
			'subscription',
			{ resource: 'webhookSubscription', operation: 'get', subscriptionId: '={{ $json.id }}' },
			'/webhook_subscriptions/ID',
		],
		[
			'page link',
			{
				resource: 'pageLink',
				operation: 'update',
				pageLinkId: '={{ $json.id }}',
				updateFields: { path: '/a' },
			},
			'/page_links/ID',
		],
	])('is removed from the ID of a %s', async (_, parameters, path) => {
		const { paths } = await send(parameters, [{ id: invisible('one') }, { id: 'two' }]);
		expect(paths).toEqual(['one', 'two'].map((id) => `/v0${path.replace('ID', id)}`));
	});

	test('is removed from IDs in a body and from names, and stays in texts', async () => {
		const create = {
			resource: 'page',
			operation: 'create',
			name: '={{ $json.text }}',
			brandId: '={{ $json.text }}',
			pageContext: '={{ $json.text }}',
			actions: { action: [{ actionId: '={{ $json.text }}', buttonTitle: '={{ $json.text }}' }] },
		};
		const { bodies } = await send(create, [{ text: invisible('one') }, { text: 'two' }]);
		expect(bodies).toMatchObject([
			{
				name: 'one',
				brandId: 'one',
				pageContext: invisible('one'),
				actions: [{ actionId: 'one', buttonTitle: invisible('one') }],
			},
			{ name: 'two', brandId: 'two', pageContext: 'two' },
		]);
	});

	test('is refused in a path', async () => {
		const parameters = { resource: 'pageLink', operation: 'update', pageLinkId: 'link' };
		const updateFields = { path: '={{ $json.path }}', tenantDomainId: '={{ $json.domain }}' };
		const { bodies, told } = await send({ ...parameters, updateFields }, [
			{ path: '/spring\u200b', domain: 'domain' },
			{ path: '/spring', domain: invisible('domain') },
		]);
		expect(bodies).toEqual([{ path: '/spring', tenantDomainId: 'domain' }]);
		expect(told).toEqual([
			'Update Fields > Path contains an invisible character (U+200B): type it again [item 0]',
		]);
	});

	test('makes no second record of a Record ID', async () => {
		const parameters = {
			resource: 'personLog',
			operation: 'create',
			source: 'crm',
			person: { email: 'ada@a.example' },
			write: 'changed',
			recordId: '={{ $json.id }}',
			recordVersion: '={{ $json.version }}',
		};
		const ids = ['4711', '4711\u200b', '\ufeff4711', '47\u200b11', 4711];
		const { bodies } = await send(
			parameters,
			ids.map((id) => ({ id, version: '1' })),
		);
		expect(bodies).toHaveLength(1);
	});

	test('is told where it hides the first column of a CSV file', async () => {
		const parameters = {
			resource: 'personLog',
			operation: 'create',
			source: 'crm',
			person: { personId: `prospect_${'a'.repeat(26)}`, email: "={{ $json['Email'] }}" },
		};
		const { bodies, told } = await send(parameters, [
			{ '\ufeffEmail': 'ada@a.example', Name: 'Ada' },
			{ Email: 'bob@b.example', Name: 'Bob' },
			{ Name: 'Cleo' },
		]);
		expect(bodies.map(({ email }) => email)).toEqual(['bob@b.example', undefined]);
		expect(told).toEqual([
			"{{ $json['Email'] }} has no value, because the name of this field begins with an invisible byte order mark: turn on Exclude Byte Order Mark (BOM) in the node that reads the file, or drag the field into the panel again [item 0]",
		]);
	});
});
