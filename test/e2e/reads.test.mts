import Papa from 'papaparse';
import { startSandbox, type Sandbox } from '../../sandbox/index.mts';
import type { N8nClient } from '../../tools/n8n/client.mts';
import { itemsOf, originOf, type Item, type JsonObject } from '../../tools/n8n/execution.mts';
import { connectToOwn } from './sharedN8n.mts';
import { OwnN8n } from './trigger/ownN8n.mts';
import { describeWorkflow, openWorkbench, tested, trigger, type Workbench } from './workbench.mts';

const persons = { resource: 'person', operation: 'getAll', options: { pageSize: 100 } };
type File = { id?: string; data?: string; fileName: string; mimeType: string };

/** The content of a file, wherever n8n keeps it. */
async function download(client: N8nClient, { binary = {} }: Item, field = 'data'): Promise<string> {
	const { id, data } = binary[field] as File;
	if (id === undefined) return Buffer.from(data ?? '', 'base64').toString();
	const response = await client.session.send('GET', `/rest/binary-data?id=${id}&action=download`);
	return await response.text();
}

const parseLines = (text: string): JsonObject[] =>
	text
		.trimEnd()
		.split('\n')
		.map((line) => JSON.parse(line) as JsonObject);

describe('in the default binary mode', () => {
	let bench: Workbench;
	beforeAll(async () => {
		bench = await openWorkbench();
	});
	beforeEach(() => bench.sandbox.reset());
	afterAll(() => bench.close());

	const run = async (parameters: JsonObject, items: JsonObject[]): Promise<Item[]> => {
		const execution = await bench.runNode(parameters, items);
		expect([execution.status, execution.error]).toEqual(['success', undefined]);
		return itemsOf(execution, tested);
	};

	test('exports a list of several pages as CSV and JSON Lines', async () => {
		bench.sandbox.store.addPersons(350);
		const all = bench.sandbox.store.persons.all();
		const { client, credential } = bench;
		const parameters = { ...persons, outputAs: '={{ $json.as }}' };
		// The files go with the workflow.
		const { id } = await client.createWorkflow(describeWorkflow(parameters, credential));
		const input = [{ json: { as: 'csv' } }, { json: { as: 'jsonl' } }];
		const execution = await client.waitForExecution(await client.runWorkflow(id, trigger, input));
		const given = itemsOf(execution, tested);
		expect(given.map(originOf)).toEqual([0, 1]);
		expect(given.map(({ json }) => json)).toEqual([
			{
				records: all.length,
				totalCount: all.length,
				fileName: 'persons.csv',
				mimeType: 'text/csv',
			},
			{
				records: all.length,
				totalCount: all.length,
				fileName: 'persons.jsonl',
				mimeType: 'application/x-ndjson',
			},
		]);
		expect((given[0].binary?.data as File).id).toMatch(/^filesystem/);
		const [csv, jsonl] = await Promise.all(given.map((item) => download(bench.client, item)));
		const { data } = Papa.parse<JsonObject>(csv.trimEnd(), { header: true });
		expect(data.map(({ personId }) => personId)).toEqual(all.map(({ personId }) => personId));
		expect(parseLines(jsonl)).toEqual(all.map((person) => ({ ...person })));
		await client.deleteWorkflow(id);
	});

	test('reads sessions with their interactions', async () => {
		const { store } = bench.sandbox;
		const pages = store.pages.all().filter(({ pageId }) => store.sessions.of(pageId).length > 2);
		const given = await run(
			{
				resource: 'audienceSession',
				operation: 'getAll',
				pageId: { __rl: true, mode: 'id', value: '={{ $json.page }}' },
				includeInteractions: true,
				limit: 3,
				options: { addAnswers: true },
			},
			[{ page: pages[0].pageId }, { page: pages[1].pageId }],
		);
		expect(given.map(originOf)).toEqual([0, 0, 0, 1, 1, 1]);
		for (const { json } of given) {
			const recorded = store.interactions.of(String(json.audienceSessionId));
			expect(json.interactions).toEqual(recorded.map(({ interaction }) => interaction));
			const responses = recorded.map(({ interaction }) => interaction.responseText);
			expect(Object.values(json.answers as JsonObject)).toEqual(responses.filter(Boolean));
		}
	});

	test("splits a summary by the days of the workflow's zone", async () => {
		const [one, two] = bench.sandbox.store.pages.all();
		const given = await run(
			{
				resource: 'page',
				operation: 'getAnalyticsSummary',
				pageId: '={{ $json.page }}',
				splitBy: 'week',
				filters: { startDate: '2026-03-02T00:00:00Z', endDate: '2026-03-20T12:00:00Z' },
			},
			[{ page: one.pageId }, { page: two.pageId }],
		);
		expect(given.map(originOf)).toEqual([0, 0, 0, 1, 1, 1]);
		const [first, second, third] = given.map(({ json }) => json);
		expect(first).toMatchObject({ pageId: one.pageId, totalSessions: 0 });
		const instants = [first, second, third].map(({ windowStart, windowEnd }) =>
			[windowStart, windowEnd].map((at) => new Date(String(at)).toISOString()),
		);
		expect(instants[0][0]).toBe('2026-03-02T00:00:00.000Z');
		expect(instants[2][1]).toBe('2026-03-20T12:00:00.000Z');
		for (const next of [1, 2])
			expect(Date.parse(instants[next][0]) - Date.parse(instants[next - 1][1])).toBe(1);
	});

	test('finds the sessions of two deliveries', async () => {
		const { store } = bench.sandbox;
		const [{ pageId }] = store.pages.all();
		const recent = { sessionStartedAt: new Date().toISOString(), hasFormSubmit: true };
		const [one, two] = store
			.addSessions(pageId, 2, recent)
			.map((session, n) => Object.assign(session, { formSubmissionId: `submission_${n}_e2e` }));
		const given = await run(
			{ resource: 'audienceSession', operation: 'getByFormSubmission', pageId },
			[
				{ body: { data: { id: two.formSubmissionId } } },
				{ id: one.formSubmissionId },
				{ id: 'unknown_1' },
			],
		);
		expect(given.map(({ json }) => json.audienceSessionId)).toEqual([
			two.audienceSessionId,
			one.audienceSessionId,
			undefined,
		]);
		expect(given.map(({ json }) => json.found)).toEqual([true, true, false]);
	});

	test('checks two subscriptions that deliver elsewhere', async () => {
		const [one, two] = bench.sandbox.store.subscriptions.all();
		one.url = `${bench.client.session.url}/webhook/of-nobody`;
		const given = await run(
			{ resource: 'webhookSubscription', operation: 'check', subscriptionId: '={{ $json.id }}' },
			[{ id: one.subscriptionId }, { id: two.subscriptionId }],
		);
		const messages = given.map(({ json }) => JSON.stringify(json.problems));
		expect(messages[0]).toContain('No published workflow listens at');
		expect(messages[1]).toContain(`, not to ${bench.client.session.url}`);
	});
});

describe.each([
	['in memory', 'default', undefined],
	['in the database', 'database', /^database/],
])('with files %s', (_, mode, id) => {
	const n8n = new OwnN8n({ N8N_DEFAULT_BINARY_DATA_MODE: mode });
	let client: N8nClient;
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox();
		client = await connectToOwn(await n8n.start());
	}, 180_000);
	afterAll(async () => {
		await n8n.remove();
		await sandbox.close();
	});

	test('hands over the whole file', async () => {
		sandbox.store.addPersons(350);
		const data = { baseUrl: sandbox.url, apiKey: sandbox.apiKey };
		const credential = await client.createCredential('pageAudienceApi', 'Sandbox', data);
		const parameters = { ...persons, outputAs: 'jsonl' };
		const workflow = await client.createWorkflow(describeWorkflow(parameters, credential));
		const input = [{ json: { n: 0 } }, { json: { n: 1 } }];
		const execution = await client.waitForExecution(
			await client.runWorkflow(workflow.id, trigger, input),
		);
		const given = itemsOf(execution, tested);
		expect(given.map(originOf)).toEqual([0, 1]);
		const expected = sandbox.store.persons.all().map((person) => ({ ...person }));
		for (const item of given) {
			if (id) expect((item.binary?.data as File).id).toMatch(id);
			expect(parseLines(await download(client, item))).toEqual(expected);
		}
	});
});
