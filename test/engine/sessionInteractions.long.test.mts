import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { linkedTo } from './engine.mts';
import { openStage } from './stage.mts';

const stage = openStage();
let pages: string[];
beforeEach(() => {
	const { store } = stage.sandbox;
	const ids = store.pages.all().map(({ pageId }) => pageId);
	pages = ids.filter((page) => store.sessions.of(page).length > 0).slice(0, 2);
});

const read = async (more: INodeParameters = {}) =>
	await stage.run(
		{
			resource: 'audienceSession',
			operation: 'getAll',
			pageId: '={{ $json.page }}',
			includeInteractions: true,
			simplify: false,
			returnAll: true,
			...more,
		},
		pages.map((page) => ({ page })),
	);

/** What the sandbox knows of the sessions of a page. */
const expectSessions = (page: string): IDataObject[] =>
	stage.sandbox.store.sessions.of(page).map((session) => ({
		...session,
		interactions: stage.sandbox.store.interactions
			.of(session.audienceSessionId)
			.map(({ interaction }): IDataObject => ({ ...interaction })),
		interactionsFound: true,
	}));

test('adds to each session what the visitor did, as many at once as Concurrency allows', async () => {
	stage.sandbox.latencyMs = 5;
	stage.sandbox.peakInFlight = 0;
	const { output, error } = await read({ options: { concurrency: 6 } });
	expect(error).toBeUndefined();
	expect(stage.sandbox.peakInFlight).toBe(6);
	for (const [item, page] of pages.entries())
		expect(linkedTo(output, item).map(({ json }) => json)).toEqual(expectSessions(page));
	expect(output.some(({ json }) => (json.interactions as object[]).length > 1)).toBe(true);
});

test('a session that cannot be read says so, and takes no other with it', async () => {
	const [, { audienceSessionId: id }] = stage.sandbox.store.sessions.of(pages[0]);
	const path = `/v0/audience_sessions/${id}/interactions`;
	stage.sandbox.faults.add({ path, kind: 'status', status: 404 });
	const { output, error, hints } = await read();
	expect(error).toBeUndefined();
	const expected = expectSessions(pages[0]);
	Object.assign(expected[1], {
		interactions: null,
		interactionsFound: null,
		interactionsError: `Audience session "${id}" was not found (404)`,
	});
	expect(linkedTo(output, 0).map(({ json }) => json)).toEqual(expected);
	expect(hints).toContain(
		'The interactions of some sessions could not be read. The field interactionsError says why [item 0, counted from 0].',
	);
});

test('a file has the added fields, as columns of a table and in each line', async () => {
	const textOf = async (outputAs: string) => {
		const [, { binary }] = (await read({ outputAs })).output;
		return Buffer.from(binary?.data.data ?? '', 'base64')
			.toString()
			.trimEnd()
			.split('\n');
	};
	const [header] = await textOf('csv');
	expect(header).toMatch(/,interactions,interactionsFound,interactionsError,otherFields$/);
	const lines = await textOf('jsonl');
	expect(lines.map((line) => JSON.parse(line) as object)).toEqual(expectSessions(pages[1]));
});
