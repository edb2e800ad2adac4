import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { PageAudienceTrigger } from '../../../nodes/PageAudienceTrigger/PageAudienceTrigger.node.ts';
import { openStage } from '../stage.mts';

/** What the API leaves open, and no other test shows. */

const stage = openStage();
let pages: string[];
let audiences: string[];
beforeEach(() => {
	pages = stage.sandbox.store.pages.all().map(({ pageId }) => pageId);
	audiences = stage.sandbox.store.audiences.of(pages[0]).map(({ audienceId }) => audienceId);
});

async function run(parameters: INodeParameters, items: IDataObject[]) {
	const { output, hints } = await stage.run({ ...parameters, options: { concurrency: 1 } }, items, {
		onError: 'continueRegularOutput',
	});
	const bodies = stage.sandbox.requests.map(({ body }) => body);
	return { output: output.map(({ json }) => json), hints, bodies };
}

test('returns undocumented values unchanged', async () => {
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
		stage.sandbox.faults.add({ kind: 'answer', status: 200, body: page(records[i]), times: 2 });
		const { output } = await run({ ...list, simplify: false }, [{}, {}]);
		expect(output).toEqual([records[i], records[i]]);
	}
});

test('sends a second archive request, and returns its record or error', async () => {
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
	stage.sandbox.faults.add({ kind: 'status', status: 409, skip: 1 });
	const refused = await run(archive, items);
	expect(refused.output).toEqual([
		expect.objectContaining({ audienceId: audiences[0] }),
		expect.objectContaining({ error: expect.stringContaining('(409) [item 1]') as string }),
	]);
	expect(stage.sandbox.requests.map(({ method }) => method)).toEqual(Array(4).fill('DELETE'));
});

test('sends both fields of a target, and refuses an audience without a type', async () => {
	const [link] = stage.sandbox.store.pageLinks.all();
	const target = { value: { targetType: '={{ $json.type }}', audienceId: '={{ $json.id }}' } };
	const update = {
		resource: 'pageLink',
		operation: 'update',
		pageLinkId: link.pageLinkId,
		updateFields: { target },
	};
	const { bodies } = await run(update, [
		{ type: 'audience', id: '' },
		{ type: 'audience', id: audiences[1] },
	]);
	expect(bodies).toEqual([
		{ target: { targetType: 'audience', audienceId: '' } },
		{ target: { targetType: 'audience', audienceId: audiences[1] } },
	]);
	stage.sandbox.requests.length = 0;
	const refused = await run(update, [
		{ type: '', id: audiences[0] },
		{ type: ' ', id: audiences[1] },
	]);
	const why = 'Update Fields > Target > Target Type is required with an audience';
	for (const { error } of refused.output) expect(error).toContain(why);
	expect(refused.bodies).toEqual([]);
});

test('sends lists whole, and only the metadata that is set', async () => {
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

test('accepts a record with any 2xx status', async () => {
	const create = { resource: 'person', operation: 'create', name: '={{ $json.name }}' };
	const items = [200, 202, 299].map((status) => ({ status, name: `with ${status}` }));
	for (const { status, name } of items)
		stage.sandbox.faults.add({ kind: 'answer', status, body: { personId: 'p', name } });
	const { output } = await run(create, items);
	expect(output).toEqual(items.map(({ name }) => ({ personId: 'p', name })));
});

test('sends a cursor back unchanged', async () => {
	const cursors = ['a&b=c d/é%20+', '{"after":"\\u0000"}'];
	for (const nextCursor of cursors)
		stage.sandbox.faults.add({
			kind: 'answer',
			status: 200,
			body: { items: [], hasMore: true, nextCursor },
		});
	stage.sandbox.faults.add({
		kind: 'answer',
		status: 200,
		body: { items: [{ a: 1 }], hasMore: false },
	});
	const { output } = await run({ resource: 'person', operation: 'getAll' }, [{}]);
	expect(output).toEqual([{ a: 1 }]);
	expect(stage.sandbox.requests.map(({ query }) => query.cursor)).toEqual([undefined, ...cursors]);
});

test('accepts deliveries by POST and responds before the workflow runs', () => {
	expect(new PageAudienceTrigger().description.webhooks).toEqual([
		expect.objectContaining({ httpMethod: 'POST', responseMode: 'onReceived' }),
	]);
});
