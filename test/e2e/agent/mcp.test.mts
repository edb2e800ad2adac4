import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../../tools/n8n/execution.mts';
import { Agent } from '../../n8n/agent.mts';
import { McpClient, type McpResult } from '../../n8n/mcpClient.mts';
import { openStage } from '../../n8n/stage.mts';

const trigger = 'MCP Server Trigger';
const createLog = 'Create_person_log';
const listPersons = 'Get_many_persons';

const stage = openStage();
let workflow: string;
let client: McpClient;
beforeAll(async () => {
	const { session } = stage.client;
	const agent = await Agent.open(stage);
	const logFields = ['source', 'type', 'payload', 'person.email'];
	const tools = [
		agent.describeTool({ resource: 'personLog', operation: 'create' }, logFields, {
			name: createLog,
		}),
		agent.describeTool({ resource: 'person', operation: 'getAll' }, ['limit'], {
			name: listPersons,
		}),
	];
	agent.close();
	const path = randomUUID();
	const server = {
		name: trigger,
		type: '@n8n/n8n-nodes-langchain.mcpTrigger',
		typeVersion: 2,
		position: [0, 0],
		parameters: { path },
		webhookId: path,
	};
	const toServer = { ai_tool: [[{ node: trigger, type: 'ai_tool', index: 0 }]] };
	const { id } = await session.request<{ id: string }>('POST', '/rest/workflows', {
		name: 'MCP server',
		settings: { executionOrder: 'v1' },
		nodes: [server, ...tools],
		connections: Object.fromEntries(tools.map(({ name }) => [name, toServer])),
	});
	workflow = id;
	await stage.publish(id);
	client = await McpClient.connect(`${session.url}/mcp/${path}`);
});
beforeEach(() => stage.sandbox.reset());
afterAll(async () => await stage.client.deleteWorkflow(workflow));

/** The result that the client's model reads. */
function read({ isError = false, content }: McpResult): { isError: boolean; text: string } {
	expect(content).toHaveLength(1);
	return { isError, text: content[0].text };
}

const entry = { Source: 'crm', Type: 'note', Payload_JSON: { a: 1 }, Email: 'noor@example.com' };
const bodies = () => stage.sandbox.requests.map(({ body }) => body as JsonObject);

test('the server lists the tools and their parameters', async () => {
	const tools = await client.listTools();
	const parametersOf = (wanted: string) =>
		tools.find(({ name }) => name === wanted)?.inputSchema.properties;
	expect(tools).toHaveLength(2);
	expect(parametersOf(listPersons)).toMatchObject({ Limit: { type: 'number' } });
	expect(Object.keys(parametersOf(createLog) as object)).toEqual(
		expect.arrayContaining(Object.keys(entry)),
	);
});

test('two equal calls have two idempotency keys and are both stored', async () => {
	const results = [await client.call(createLog, entry), await client.call(createLog, entry)];
	expect(bodies()).toMatchObject([
		{ source: 'crm', type: 'note', payload: { a: 1 } },
		{ source: 'crm', type: 'note', payload: { a: 1 } },
	]);
	const keys = bodies().map(({ idempotencyKey }) => idempotencyKey);
	expect(new Set(keys).size).toBe(2);
	for (const [index, result] of results.entries()) {
		const { isError, text } = read(result);
		expect(isError).toBe(false);
		expect(JSON.parse(text)).toMatchObject([{ idempotencyKey: keys[index] }]);
	}
});

test('a list is returned as JSON', async () => {
	const { isError, text } = read(await client.call(listPersons, { Limit: 2 }));
	const known = stage.sandbox.store.persons.all().slice(0, 2);
	expect([isError, JSON.parse(text)]).toEqual([false, known.map((person) => ({ ...person }))]);
});

test('a refusal of the node and one of the service are errors that say what to do', async () => {
	expect(read(await client.call(createLog, { ...entry, Source: 'Our CRM' }))).toEqual({
		isError: true,
		text: expect.stringMatching(/example "our-crm".*Nothing was sent\. Correct this/) as string,
	});
	expect(bodies()).toEqual([]);
	stage.sandbox.faults.add({ kind: 'status', status: 422, body: { message: 'no address' } });
	expect(read(await client.call(createLog, { ...entry, Email: 'noor@nowhere.example' }))).toEqual({
		isError: true,
		text: expect.stringMatching(/\(422\).*"no address"\. Check the values/) as string,
	});
});
