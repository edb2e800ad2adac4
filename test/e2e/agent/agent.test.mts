import { itemsOf, type JsonObject } from '../../../tools/n8n/execution.mts';
import {
	Agent,
	agentItem,
	createLogFromModel,
	describeTool,
	fromModel,
	idFromModel,
	tool,
} from '../../n8n/agent.mts';
import type { Turn } from '../../n8n/scriptedModel.mts';
import { setUpN8n, startNode } from '../../n8n/n8nSetup.mts';

const setup = setUpN8n();
let agent: Agent;
beforeAll(async () => {
	agent = await Agent.open(setup);
});
beforeEach(() => setup.sandbox.reset());
afterAll(() => agent?.close());

const limit = fromModel('Limit', 'number');
const searchPersons = { resource: 'person', operation: 'search', query: fromModel('Query'), limit };
const pageId = idFromModel('Page_ID');
const listAudiences = { resource: 'audience', operation: 'getAll', pageId, limit };
const entry = { Source: 'crm', Type: 'won', Payload_JSON: { a: 1 }, Email: 'noor@example.com' };

const call = (given: JsonObject): Turn => ({ call: tool, with: given });
const bodies = () => setup.sandbox.requests.map(({ body }) => body as JsonObject);
/** The results that the model read. */
const read = (): unknown[] => agent.model.observations().map((text) => JSON.parse(text) as unknown);
/** The fields of the first record of each call. */
const fields = () => read().map((records) => Object.keys((records as JsonObject[])[0]));
const aPage = () => setup.sandbox.store.pages.all()[0].pageId;

test('the model learns the purpose of the tool, and the names and types of its parameters', async () => {
	await agent.run(describeTool(setup, createLogFromModel), []);
	const text = { type: 'string' };
	expect(agent.model.tools()).toMatchObject([
		{
			name: tool,
			description: 'Create person log entry in Page Audience',
			parameters: { properties: { Source: text, Type: text, Payload_JSON: {}, Email: text } },
		},
	]);
});

test('the model reads the records and nothing else, or that nothing was found', async () => {
	const person = setup.sandbox.store.persons.all().find(({ email }) => email);
	await agent.run(describeTool(setup, searchPersons), [
		call({ Query: String(person?.email), Limit: 2 }),
		call({ Query: 'nobody is called like this', Limit: 2 }),
	]);
	expect(read()).toEqual([[{ ...person }], [{ found: false }]]);
	expect(setup.sandbox.requests).toHaveLength(2);
});

test('the model reads that a list was cut, and which field to correct', async () => {
	const total = setup.sandbox.store.audiences.of(aPage()).length;
	const given = { Page_ID: aPage(), Limit: 2 };
	await agent.run(describeTool(setup, listAudiences), [
		call(given),
		call({ ...given, Page_ID: 'https://app.example/pages/1' }),
	]);
	const audience = expect.objectContaining({ pageId: given.Page_ID }) as unknown;
	const notes = [
		`Not the whole list: the first 2 of ${total} records. To get more, raise the limit.`,
	];
	const error =
		'Page ID must be an ID, but is the URL "https://app.example/pages/1". Nothing was sent. Correct this and call the tool again.';
	expect(read()).toEqual([[audience, audience, { notes }], [{ error }]]);
});

test('the records have the ID, and what the model requests', async () => {
	const outputFields = fromModel('Output_Fields');
	const chosen = { ...listAudiences, output: 'selectedFields', outputFields };
	const given = { Page_ID: aPage(), Limit: 1 };
	await agent.run(describeTool(setup, chosen), [
		call({ ...given, Output_Fields: 'effectiveName, status' }),
		call({ ...given, Output_Fields: ['status'] }),
	]);
	expect(fields()).toEqual([
		['audienceId', 'effectiveName', 'status'],
		['audienceId', 'status'],
	]);
});

test("writes send what the model gave and a new key each time, and nothing of the agent's item", async () => {
	await agent.run(describeTool(setup, createLogFromModel), [call(entry), call(entry)]);
	const body = { source: 'crm', type: 'won', payload: { a: 1 }, email: 'noor@example.com' };
	const idempotencyKey = expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown;
	expect(bodies()).toEqual([
		{ ...body, idempotencyKey },
		{ ...body, idempotencyKey },
	]);
	expect(JSON.stringify(bodies())).not.toContain(agentItem.secret);
	const keys = bodies().map((each) => each.idempotencyKey);
	expect(new Set(keys).size).toBe(2);
	expect(read()).toMatchObject(keys.map((key) => [{ source: 'crm', idempotencyKey: key }]));
});

test('a refusal tells the model what to change, which it then does', async () => {
	const wrong = { ...entry, Source: 'Our CRM' };
	const execution = await agent.run(describeTool(setup, createLogFromModel), [
		call(wrong),
		({ error }) => ({
			call: tool,
			with: { ...wrong, Source: /for example "([^"]*)"/.exec(error)?.[1] },
		}),
	]);
	expect(read()).toEqual([
		[{ error: expect.stringMatching(/Nothing was sent\. Correct this/) as unknown }],
		[expect.objectContaining({ source: 'our-crm' })],
	]);
	expect(bodies().map(({ source }) => source)).toEqual(['our-crm']);
	// The list of executions shows the rejected call as failed.
	expect(execution.nodes[tool].map(({ error }) => error !== undefined)).toEqual([true, false]);
	expect(itemsOf(execution, tool)).toEqual([]);
});

test.each([3.1, 2.2])(
	'with On Error: Continue, a refusal reaches the model of agent version %d',
	async (version) => {
		const node = describeTool(setup, createLogFromModel, { onError: 'continueRegularOutput' });
		const turns = ['Our CRM', 'our-crm'].map((Source) => call({ ...entry, Source }));
		await agent.run(node, turns, version);
		expect(read()).toEqual([
			[expect.objectContaining({ error: expect.stringContaining('"our-crm"') as unknown })],
			[expect.objectContaining({ source: 'our-crm' })],
		]);
	},
);

test('in a batch of agent version 2, no item is written with the values of another one', async () => {
	const node = describeTool(setup, createLogFromModel, { onError: 'continueRegularOutput' });
	const id = await agent.createWorkflow(node, 2.2, { batching: { batchSize: 2 } });
	const [one, other] = ['ada@a.example', 'bob@b.example'].map((Email) => call({ ...entry, Email }));
	agent.model.setTurns(one, other, { say: 'Done.' }, { say: 'Done.' });
	const items = ['Ada?', 'Bob?'].map((question) => ({ json: { question } }));
	const { client } = setup;
	await client.waitForExecution(await client.runWorkflow(id, startNode, items));
	// Once n8n gives each its own values, both are written, and findMixUp has had its day.
	expect(bodies()).toEqual([expect.objectContaining({ type: 'won' })]);
});
