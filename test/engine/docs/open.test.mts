import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { searchPages } from '../../../nodes/PageAudience/methods/listSearch.ts';
import { PageAudienceTrigger } from '../../../nodes/PageAudienceTrigger/PageAudienceTrigger.node.ts';
import { findReturn } from '../../../nodes/PageAudienceTrigger/state.ts';
import { startSandbox, type Sandbox } from '../../../sandbox/index.mts';
import { runNode } from '../engine.mts';

/** What docs/not-documented.md says and no other test shows. */

let sandbox: Sandbox;
let pages: string[];
let audiences: string[];
beforeAll(async () => {
	sandbox = await startSandbox();
});
beforeEach(() => {
	sandbox.reset();
	pages = sandbox.store.pages.all().map(({ pageId }) => pageId);
	audiences = sandbox.store.audiences.of(pages[0]).map(({ audienceId }) => audienceId);
});
afterAll(async () => await sandbox.close());

async function run(parameters: INodeParameters, items: IDataObject[]) {
	const { output, hints } = await runNode({
		parameters: { ...parameters, options: { concurrency: 1 } },
		items,
		credential: { baseUrl: sandbox.url, apiKey: sandbox.apiKey },
		onError: 'continueRegularOutput',
	});
	const bodies = sandbox.requests.map(({ body }) => body);
	return { output: output.map(({ json }) => json), hints, bodies };
}

test('values that nobody documented come out as they are', async () => {
	const page = (record: object) => ({ items: [record], hasMore: false });
	const records = [
		{ activityId: 'a', activityType: 'a-new-kind' },
		{ versionId: 'v', status: 'a new status', createdAt: 7 },
		{ audienceSessionId: 's', computationStatus: 'odd', formSubmissionIdentifierType: null },
	];
	const lists: INodeParameters[] = [
		{ resource: 'account', operation: 'getActivity', accountId: `account_${'a'.repeat(26)}` },
		{ resource: 'audience', operation: 'getVersions', pageId: 'p', audienceId: 'a' },
		{ resource: 'audienceSession', operation: 'getAll', pageId: 'p' },
	];
	for (const [i, list] of lists.entries()) {
		sandbox.faults.add({ kind: 'answer', status: 200, body: page(records[i]), times: 2 });
		const { output } = await run({ ...list, simplify: false }, [{}, {}]);
		expect(output).toEqual([records[i], records[i]]);
	}
});

test('a second archiving is sent, and its answer or refusal is that of its item', async () => {
	const archive = {
		resource: 'audience',
		operation: 'archive',
		pageId: pages[0],
		audienceId: '={{ $json.audience }}',
	};
	const items = [{ audience: audiences[0] }, { audience: audiences[0] }];
	const twice = await run(archive, items);
	expect(twice.output).toEqual(
		items.map(({ audience }) => expect.objectContaining({ audienceId: audience }) as object),
	);
	sandbox.faults.add({ kind: 'status', status: 409, skip: 1 });
	const refused = await run(archive, items);
	expect(refused.output).toEqual([
		expect.objectContaining({ audienceId: audiences[0] }),
		expect.objectContaining({ error: expect.stringContaining('(409) [item 1]') as string }),
	]);
	expect(sandbox.requests.map(({ method }) => method)).toEqual(Array(4).fill('DELETE'));
});

test('a target has both of its fields', async () => {
	const [link] = sandbox.store.pageLinks.all();
	const target = { value: { targetType: '={{ $json.type }}', audienceId: '={{ $json.id }}' } };
	const update = { resource: 'pageLink', operation: 'update', pageLinkId: link.pageLinkId };
	const { bodies } = await run({ ...update, updateFields: { target } }, [
		{ type: 'audience', id: '' },
		{ type: '', id: audiences[1] },
	]);
	expect(bodies).toEqual([
		{ target: { targetType: 'audience', audienceId: '' } },
		{ target: { targetType: '', audienceId: audiences[1] } },
	]);
});

test('an update sends a list as it is given, and of metadata only what is given', async () => {
	const row = { name: '={{ $json.name }}', content: 'x', description: '', injectionPoint: 'head' };
	const update = {
		resource: 'page',
		operation: 'update',
		pageId: '={{ $json.page }}',
		scripts: { script: [{ ...row, enabled: false }] },
		metadata: { title: '={{ $json.name }}', author: '' },
	};
	const items = pages.slice(0, 2).map((page, i) => ({ page, name: `n${i}` }));
	const { bodies } = await run(update, items);
	expect(bodies).toEqual(
		items.map(({ name }) => ({
			scripts: [{ ...row, name, enabled: false }],
			metadata: { title: name },
		})),
	);
});

test('a record is taken with any status of success', async () => {
	const create = { resource: 'person', operation: 'create', name: '={{ $json.name }}' };
	const items = [200, 202, 299].map((status) => ({ status, name: `with ${status}` }));
	for (const { status, name } of items)
		sandbox.faults.add({ kind: 'answer', status, body: { personId: 'p', name } });
	const { output } = await run(create, items);
	expect(output).toEqual(items.map(({ name }) => ({ personId: 'p', name })));
});

test('a cursor goes back as it came, whatever it holds', async () => {
	const cursors = ['a&b=c d/é%20+', '{"after":"\\u0000"}'];
	for (const nextCursor of cursors)
		sandbox.faults.add({
			kind: 'answer',
			status: 200,
			body: { items: [], hasMore: true, nextCursor },
		});
	sandbox.faults.add({ kind: 'answer', status: 200, body: { items: [{ a: 1 }], hasMore: false } });
	const { output } = await run({ resource: 'person', operation: 'getAll' }, [{}]);
	expect(output).toEqual([{ a: 1 }]);
	expect(sandbox.requests.map(({ query }) => query.cursor)).toEqual([undefined, ...cursors]);
});

test('a total that does not fit is told as a hint', async () => {
	const body = { items: [{ a: 1 }], hasMore: false, totalCount: 1234 };
	sandbox.faults.add({ kind: 'answer', status: 200, body });
	sandbox.faults.add({ kind: 'answer', status: 200, body: { ...body, totalCount: null } });
	const list = { resource: 'person', operation: 'getAll', returnAll: true };
	const { output, hints } = await run(list, [{ i: 0 }, { i: 1 }]);
	expect(output).toEqual([{ a: 1 }, { a: 1 }]);
	expect(hints).toContain(
		'The list ended after 1 record, but the service counts 1,234. It may have changed while it was read.',
	);
});

test('a list of pages that an empty search leaves empty asks to type a word', async () => {
	const context = (items: object[]) => ({
		getCredentials: async () => await Promise.resolve({ baseUrl: 'http://x.example', apiKey: 'k' }),
		getNode: () => ({ name: 'Page Audience', type: 'x', parameters: {} }),
		helpers: {
			httpRequestWithAuthentication: async () =>
				await Promise.resolve({ statusCode: 200, headers: {}, body: { items } }),
		},
	});
	const search = async (items: object[], filter?: string) =>
		await searchPages.call(
			context(items) as unknown as ThisParameterType<typeof searchPages>,
			filter,
		);
	await expect(search([])).rejects.toThrow('Type a word of the page to search for it');
	expect((await search([], 'x')).results).toEqual([]);
	expect((await search([{ pageId: 'p', name: 'n' }])).results).toHaveLength(1);
});

test('deliveries are taken by POST and answered before the workflow runs', () => {
	expect(new PageAudienceTrigger().description.webhooks).toEqual([
		expect.objectContaining({ httpMethod: 'POST', responseMode: 'onReceived' }),
	]);
});

test('an empty list of events is given back as it was', () => {
	const before = { url: 'https://example.com/a', events: [], active: true };
	expect(findReturn(before)).toEqual(before);
});
