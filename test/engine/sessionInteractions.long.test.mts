import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { waitFor } from '../waitFor.mts';
import { linkedTo } from './engine.mts';
import { openStage } from './stage.mts';

const stage = openStage();
let pages: string[];
beforeEach(() => {
	pages = stage.sandbox.store.pages
		.all()
		.filter(({ pageId }) => stage.sandbox.store.sessions.of(pageId).length > 0)
		.slice(0, 2)
		.map(({ pageId }) => pageId);
});

const read = async (more: INodeParameters = {}, settings = {}) =>
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
		settings,
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

test('adds to each session what the visitor did, in the order of the list', async () => {
	const { output, error } = await read();
	expect(error).toBeUndefined();
	for (const [item, page] of pages.entries())
		expect(linkedTo(output, item).map(({ json }) => json)).toEqual(expectSessions(page));
	expect(output.some(({ json }) => (json.interactions as object[]).length > 1)).toBe(true);
});

test('keeps the added fields with Simplify, and requests nothing without the option', async () => {
	const simple = await read({ simplify: true });
	expect(Object.keys(simple.output[0].json).slice(-2)).toEqual([
		'interactions',
		'interactionsFound',
	]);
	expect(simple.output[0].json.analyticsSessionId).toBeUndefined();
	stage.sandbox.reset();
	const { output } = await read({ includeInteractions: false });
	expect(output[0].json).not.toHaveProperty('interactions');
	expect(stage.received.filter((request) => request.includes('interactions'))).toEqual([]);
});

test('reads as many at once as Concurrency allows', async () => {
	stage.sandbox.store.addSessions(pages[0], 100);
	stage.sandbox.latencyMs = 10;
	stage.sandbox.peakInFlight = 0;
	const { output } = await read({ options: { concurrency: 6 } });
	expect(stage.sandbox.peakInFlight).toBe(6);
	expect(linkedTo(output, 0)).toHaveLength(stage.sandbox.store.sessions.of(pages[0]).length);
});

test('a session that cannot be read says so, and takes no other with it', async () => {
	const sessions = stage.sandbox.store.sessions.of(pages[0]);
	const [gone, unreadable] = sessions.slice(1, 3).map(({ audienceSessionId }) => audienceSessionId);
	const at = (id: string) => ({ path: `/v0/audience_sessions/${id}/interactions` });
	stage.sandbox.faults.add({ ...at(gone), kind: 'status', status: 404, times: Infinity });
	stage.sandbox.faults.add({ ...at(unreadable), kind: 'answer', body: '<html>' });
	const { output, error, hints } = await read();
	expect(error).toBeUndefined();
	const expected = expectSessions(pages[0]);
	for (const [index, interactionsError] of [
		[1, `GET /v0/audience_sessions/${gone}/interactions was not found (404)`],
		[2, 'The service responded with something other than a record (200)'],
	] as const) {
		const { interactions: _, interactionsFound: __, ...session } = expected[index];
		expected[index] = {
			...session,
			interactions: null,
			interactionsFound: null,
			interactionsError,
		};
	}
	expect(linkedTo(output, 0).map(({ json }) => json)).toEqual(expected);
	expect(hints).toContain(
		'The interactions of some sessions could not be read. The field interactionsError says why [item 0, counted from 0].',
	);
});

test('waits for the rate limit and reads every session', async () => {
	stage.sandbox.store.addSessions(pages[0], 60);
	stage.sandbox.faults.add({ kind: 'rateLimit', requests: 30, perMs: 500, retryAfter: '0.1' });
	const { output, error } = await read();
	expect(error).toBeUndefined();
	expect(output.filter(({ json }) => json.interactionsFound !== true)).toEqual([]);
});

test('a file has the added fields, as columns of a table and in each line', async () => {
	const [csv] = (await read({ outputAs: 'csv' })).output;
	const [header] = Buffer.from(csv.binary?.data.data ?? '', 'base64')
		.toString()
		.split('\n');
	expect(header.split(',').slice(-4)).toEqual([
		'interactions',
		'interactionsFound',
		'interactionsError',
		'otherFields',
	]);
	const [, jsonl] = (await read({ outputAs: 'jsonl' })).output;
	const lines = Buffer.from(jsonl.binary?.data.data ?? '', 'base64')
		.toString()
		.trimEnd();
	expect(lines.split('\n').map((line) => JSON.parse(line) as object)).toEqual(
		expectSessions(pages[1]),
	);
});

test('a cancelled execution returns nothing and sends nothing more', async () => {
	stage.sandbox.store.addSessions(pages[0], 90);
	const controller = new AbortController();
	const target = { operationId: 'listSessionInteractions' };
	stage.sandbox.faults.add({ ...target, kind: 'latency', ms: 2_000, skip: 8, times: Infinity });
	const running = read({ options: { concurrency: 4 } }, { signal: controller.signal });
	await waitFor('ten requests', () => stage.sandbox.requests.length >= 10);
	controller.abort();
	expect(await running).toMatchObject({ output: [], status: 'canceled' });
	expect(stage.sandbox.requests.length).toBeLessThan(20);
});
