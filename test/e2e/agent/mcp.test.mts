import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../../tools/n8n/execution.mts';
import type { StoredWorkflow } from '../../../tools/n8n/workflow.mts';
import { waitFor } from '../../waitFor.mts';
import { openWorkbench, type Workbench } from '../workbench.mts';
import { McpClient, type McpResult } from './mcpClient.mts';
import { ToolNode } from './toolNode.mts';

const trigger = 'MCP Server Trigger';
const createLog = 'Create_person_log';
const listPersons = 'Get_many_persons';

let bench: Workbench;
let workflowId: string;
let client: McpClient;
beforeAll(async () => {
	bench = await openWorkbench();
	const toolNode = await ToolNode.read(bench.client, bench.credential);
	const tools = [
		{
			...toolNode.describe({ resource: 'personLog', operation: 'create' }, [
				'source',
				'type',
				'payload',
				'person.email',
			]),
			name: createLog,
		},
		{
			...toolNode.describe({ resource: 'person', operation: 'getAll' }, ['limit']),
			name: listPersons,
		},
	];
	const path = randomUUID();
	const { id } = await bench.client.session.request<StoredWorkflow>('POST', '/rest/workflows', {
		name: 'MCP server',
		settings: { executionOrder: 'v1' },
		nodes: [
			{
				name: trigger,
				type: '@n8n/n8n-nodes-langchain.mcpTrigger',
				typeVersion: 2,
				position: [0, 0],
				parameters: { path },
				webhookId: path,
			},
			...tools,
		],
		connections: Object.fromEntries(
			tools.map(({ name }) => [
				name,
				{ ai_tool: [[{ node: trigger, type: 'ai_tool', index: 0 }]] },
			]),
		),
	});
	workflowId = id;
	await bench.client.activate(id);
	await waitFor('the MCP server', async () => {
		const { status } = await bench.client.publicationStatus(id);
		return status === 'published';
	});
	client = await McpClient.connect(`${bench.client.session.url}/mcp/${path}`);
});
beforeEach(() => bench.sandbox.reset());
afterAll(async () => {
	await bench.client.deactivate(workflowId);
	await bench.client.deleteWorkflow(workflowId);
	await bench.close();
});

/** The result that the client's model reads. */
function read({ isError = false, content }: McpResult): { isError: boolean; text: string } {
	expect(content).toHaveLength(1);
	return { isError, text: content[0].text };
}

const entry = { Source: 'crm', Type: 'note', Payload_JSON: { a: 1 }, Email: 'noor@example.com' };
const bodies = () => bench.sandbox.requests.map(({ body }) => body as JsonObject);

test('the server lists the tools and their parameters', async () => {
	const tools = await client.listTools();
	const told = (wanted: string) => tools.find(({ name }) => name === wanted);
	expect(tools).toHaveLength(2);
	expect(told(listPersons)).toMatchObject({
		description: 'Get many persons in Page Audience',
		inputSchema: { properties: { Limit: { type: 'number' } }, required: ['Limit'] },
	});
	expect(told(createLog)).toMatchObject({
		description: 'Create person log entry in Page Audience',
		inputSchema: {
			properties: {
				Source: { type: 'string' },
				Type: { type: 'string' },
				Payload_JSON: {},
				Email: { type: 'string' },
			},
		},
	});
});

test('two equal calls have two idempotency keys and are both stored', async () => {
	const stored = bench.sandbox.store.personLogs.all().length;
	const results = [await client.call(createLog, entry), await client.call(createLog, entry)];
	const [first, second] = bodies();
	expect({ ...second, idempotencyKey: '' }).toEqual({ ...first, idempotencyKey: '' });
	expect(first).toMatchObject({ source: 'crm', type: 'note', payload: { a: 1 } });
	expect(first.idempotencyKey).toMatch(/^[0-9a-f-]{36}$/);
	expect(second.idempotencyKey).not.toBe(first.idempotencyKey);
	for (const [index, result] of results.entries()) {
		const { isError, text } = read(result);
		expect(isError).toBe(false);
		expect(JSON.parse(text)).toEqual([
			expect.objectContaining({ idempotencyKey: bodies()[index].idempotencyKey }),
		]);
	}
	expect(bench.sandbox.store.personLogs.all()).toHaveLength(stored + 2);
});

test('a list is returned as JSON', async () => {
	const { isError, text } = read(await client.call(listPersons, { Limit: 2 }));
	const { items } = (await bench.read('/v0/persons?limit=2')) as { items: unknown };
	expect({ isError, records: JSON.parse(text) as unknown }).toEqual({
		isError: false,
		records: items,
	});
});

describe('a failed call is marked as an error', () => {
	test('of the node, and says what to change', async () => {
		expect(read(await client.call(createLog, { ...entry, Source: 'Our CRM' }))).toEqual({
			isError: true,
			text: `NodeOperationError: Source is invalid: use lowercase letters, digits and single hyphens, up to 100 characters, for example "our-crm" instead of "Our CRM". Nothing was sent. Correct this and call the tool again.`,
		});
		expect(bodies()).toEqual([]);
		const { isError } = read(await client.call(createLog, { ...entry, Source: 'our-crm' }));
		expect(isError).toBe(false);
		expect(bodies()).toEqual([expect.objectContaining({ source: 'our-crm' })]);
	});

	test('of the service, and says what to do', async () => {
		const answer = { status: 422, body: { message: 'noor is no address' } };
		bench.sandbox.faults.add({ kind: 'status', ...answer });
		const { isError, text } = read(await client.call(createLog, { ...entry, Email: 'noor' }));
		expect(isError).toBe(true);
		expect(text).toMatch(
			/^NodeOperationError: The service rejected the values \(422\)\. The service said: "noor is no address"\. Check the values[^.]*\.$/,
		);
	});
});
