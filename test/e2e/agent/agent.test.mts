import { itemsOf, type JsonObject } from '../../../tools/n8n/execution.mts';
import { Agent, agentItem, tool } from '../../n8n/agent.mts';
import type { Turn } from '../../n8n/scriptedModel.mts';
import { openStage } from '../../n8n/stage.mts';

const stage = openStage();
let agent: Agent;
beforeAll(async () => {
	agent = await Agent.open(stage);
});
beforeEach(() => stage.sandbox.reset());
afterAll(() => agent?.close());

const searchPersons = { resource: 'person', operation: 'search' };
const listAudiences = { resource: 'audience', operation: 'getAll' };
const createLog = { resource: 'personLog', operation: 'create' };
const logFields = ['source', 'type', 'payload', 'person.email'];

const call = (given: JsonObject): Turn => ({ call: tool, with: given });
const bodies = () => stage.sandbox.requests.map(({ body }) => body as JsonObject);
/** The results that the model read. */
const read = (): unknown[] => agent.model.observations().map((text) => JSON.parse(text) as unknown);
/** The fields of the first record of each call. */
const fields = () => read().map((records) => Object.keys((records as JsonObject[])[0]));
const aPage = () => stage.sandbox.store.pages.all()[0].pageId;

test('the model learns the purpose of the tool, and the names and types of its parameters', async () => {
	const names = [...logFields, 'person.personId'];
	await agent.run(agent.describeTool(createLog, names), []);
	const properties = {
		Source: { type: 'string' },
		Type: { type: 'string' },
		Payload_JSON: {},
		Email: { type: 'string' },
		Person_ID: { type: 'string' },
	};
	expect(agent.model.tools()).toEqual([
		expect.objectContaining({
			name: tool,
			description: 'Create person log entry in Page Audience',
			parameters: expect.objectContaining({
				properties,
				required: expect.arrayContaining(Object.keys(properties)) as unknown,
			}) as unknown,
		}),
	]);
});

/** The labels that a model can fill in. It fills in neither choices nor collections, and members of rows are numbered. */
function listLabels(chosen: JsonObject): string[] {
	const shown = agent.listParameters(chosen);
	const members = shown.flatMap((property) =>
		property.type === 'collection' && property.name !== 'options'
			? (property.options ?? [])
			: [property],
	);
	const others = ['options', 'collection', 'fixedCollection', 'notice'];
	return members.flatMap((each) =>
		'type' in each && !others.includes(each.type) ? [each.displayName] : [],
	);
}

// n8n makes the names of a model's parameters from the labels.
test('no two parameters of an operation have the same name', () => {
	const valuesOf = (name: string, chosen: JsonObject) =>
		(
			agent.listParameters(chosen).find((property) => property.name === name)?.options ?? []
		).flatMap((option) => ('value' in option ? [option.value] : []));
	const operations = valuesOf('resource', {}).flatMap((resource) =>
		valuesOf('operation', { resource }).map((operation) => ({ resource, operation })),
	);
	expect(operations.length).toBeGreaterThan(20);
	for (const each of operations) {
		const labels = listLabels({ descriptionType: 'auto', ...each });
		const twice = labels.filter((label, index) => labels.indexOf(label) !== index);
		expect([each, twice]).toEqual([each, []]);
	}
});

test('the model reads the records and nothing else, or an empty list', async () => {
	const node = agent.describeTool(searchPersons, ['query', 'limit']);
	const person = stage.sandbox.store.persons.all().find(({ email }) => email);
	const given = { Limit: 2 };
	await agent.run(node, [
		call({ Query: String(person?.email), ...given }),
		call({ Query: 'nobody is called like this', ...given }),
	]);
	expect(read()).toEqual([[{ ...person }], '']);
	expect(stage.sandbox.requests).toHaveLength(2);
});

describe('the records that the model reads have', () => {
	test('ten fields, also after a write', async () => {
		const [{ pageId, audienceId }] = stage.sandbox.store.audiences.all();
		const update = { resource: 'audience', operation: 'update' };
		const names = ['pageId', 'audienceId', 'updateFields.customName'];
		const given = { Page_ID: pageId, Audience_ID: audienceId, Custom_Name: 'Buyers' };
		await agent.run(agent.describeTool(update, names), [call(given)]);
		expect(fields()[0]).toHaveLength(10);
		expect(read()).toMatchObject([[{ audienceId, customName: 'Buyers' }]]);
		expect(bodies()).toEqual([{ customName: 'Buyers' }]);
	});

	test('the ID, and what the model requests', async () => {
		const chosen = { ...listAudiences, output: 'selectedFields' };
		const node = agent.describeTool(chosen, ['pageId', 'limit', 'outputFields']);
		const given = { Page_ID: aPage(), Limit: 1 };
		await agent.run(node, [
			call({ ...given, Output_Fields: 'effectiveName, status' }),
			call({ ...given, Output_Fields: ['status'] }),
			call({ ...given, Output_Fields: '' }),
		]);
		expect(fields()).toEqual([
			['audienceId', 'effectiveName', 'status'],
			['audienceId', 'status'],
			['audienceId'],
		]);
	});
});

test("writes send what the model gave and a new key each time, and nothing of the agent's item", async () => {
	const given = { Source: 'crm', Type: 'won', Payload_JSON: { a: 1 }, Email: 'noor@example.com' };
	await agent.run(agent.describeTool(createLog, logFields), [call(given), call(given)]);
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
	const wrong = {
		...{ Source: 'Our CRM', Type: 'note', Payload_JSON: { a: 1 }, Email: 'noor@example.com' },
	};
	const execution = await agent.run(agent.describeTool(createLog, logFields), [
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

test('a refusal of the service tells the model what to do', async () => {
	const node = agent.describeTool(listAudiences, ['pageId', 'limit']);
	await agent.run(node, [call({ Page_ID: 'spring', Limit: 1 })]);
	expect(read()).toEqual([
		[
			{
				error: expect.stringMatching(
					/^Page "spring" was not found \(404\).*Check the ID/,
				) as unknown,
			},
		],
	]);
});

test.each([3.1, 2.2])(
	'with On Error: Continue, a refusal reaches the model of agent version %d',
	async (version) => {
		const settings = { onError: 'continueRegularOutput' };
		const node = agent.describeTool(createLog, logFields, settings);
		const given = { Type: 'note', Payload_JSON: { a: 1 }, Email: 'a@example.com' };
		const turns = ['Our CRM', 'our-crm'].map((Source) => call({ ...given, Source }));
		await agent.run(node, turns, version);
		expect(read()).toEqual([
			[expect.objectContaining({ error: expect.stringContaining('"our-crm"') as unknown })],
			[expect.objectContaining({ source: 'our-crm' })],
		]);
	},
);
