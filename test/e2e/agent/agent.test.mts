import { itemsOf, type JsonObject } from '../../../tools/n8n/execution.mts';
import { Agent, agentItem, createLogFromModel, describeTool, tool } from '../../n8n/agent.mts';
import { setUpN8n, startNode } from '../../n8n/n8nSetup.mts';

const setup = setUpN8n();
let agent: Agent;
beforeAll(async () => {
	agent = await Agent.open(setup);
});
beforeEach(() => setup.sandbox.reset());
afterAll(() => agent?.close());

const entry = { Source: 'crm', Type: 'won', Payload_JSON: { a: 1 }, Email: 'noor@example.com' };

const call = (given: JsonObject) => ({ call: tool, with: given });
const bodies = () => setup.sandbox.requests.map(({ body }) => body as JsonObject);
/** The results that the model read. */
const read = (): unknown[] => agent.model.observations().map((text) => JSON.parse(text) as unknown);

const describeLog = (onError?: string) =>
	describeTool(setup, createLogFromModel, onError ? { onError } : {});
const continues = 'continueRegularOutput';

test('a model learns what the tool takes, and from a refusal what to change, which it then does', async () => {
	const wrong = { ...entry, Source: 'Our CRM' };
	const execution = await agent.run(describeLog(), [
		call(wrong),
		({ error }) => call({ ...wrong, Source: /for example "([^"]*)"/.exec(error)?.[1] }),
	]);
	const text = { type: 'string' };
	expect(agent.model.tools()).toMatchObject([
		{
			name: tool,
			description: 'Create person log entry in Page Audience',
			parameters: { properties: { Source: text, Type: text, Payload_JSON: {}, Email: text } },
		},
	]);
	expect(read()).toEqual([
		[{ error: expect.stringMatching(/Nothing was sent\. Correct this/) as unknown }],
		[expect.objectContaining({ source: 'our-crm' })],
	]);
	expect(bodies().map(({ source }) => source)).toEqual(['our-crm']);
	expect(JSON.stringify(bodies())).not.toContain(agentItem.secret);
	// The list of executions shows the rejected call as failed.
	expect(execution.nodes[tool].map(({ error }) => error !== undefined)).toEqual([true, false]);
	expect(itemsOf(execution, tool)).toEqual([]);
});

test.each([3.1, 2.2])(
	'with On Error: Continue, a refusal reaches the model of agent version %d',
	async (version) => {
		const turns = ['Our CRM', 'our-crm'].map((Source) => call({ ...entry, Source }));
		await agent.run(describeLog(continues), turns, version);
		expect(read()).toEqual([
			[expect.objectContaining({ error: expect.stringContaining('"our-crm"') as unknown })],
			[expect.objectContaining({ source: 'our-crm' })],
		]);
	},
);

test('in a batch of agent version 2, no item is written with the values of another one', async () => {
	const batching = { batching: { batchSize: 2 } };
	const id = await agent.createWorkflow(describeLog(continues), 2.2, batching);
	const [one, other] = ['ada@a.example', 'bob@b.example'].map((Email) => call({ ...entry, Email }));
	agent.model.setTurns(one, other, { say: 'Done.' }, { say: 'Done.' });
	const items = ['Ada?', 'Bob?'].map((question) => ({ json: { question } }));
	const { client } = setup;
	await client.waitForExecution(await client.runWorkflow(id, startNode, items));
	// Once n8n gives each its own values, both are written, and findMixUp has had its day.
	expect(bodies()).toEqual([expect.objectContaining({ type: 'won' })]);
});
