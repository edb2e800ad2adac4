import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../../tools/n8n/execution.mts';
import { createLogFromModel, describeTool } from '../../n8n/agent.mts';
import { openStage } from '../../n8n/stage.mts';

const stage = openStage();
beforeEach(() => stage.sandbox.reset());

const trigger = 'MCP Server Trigger';
const createLog = 'Create_person_log';

/** A published MCP server with a tool. @returns its URL */
async function publishServer(): Promise<string> {
	const node = describeTool(stage, createLogFromModel, { name: createLog });
	const path = randomUUID();
	const server = {
		name: trigger,
		type: '@n8n/n8n-nodes-langchain.mcpTrigger',
		typeVersion: 2,
		position: [0, 0] as [number, number],
		parameters: { path },
		webhookId: path,
	};
	const id = await stage.createWorkflow({
		name: 'MCP server',
		settings: { executionOrder: 'v1' },
		nodes: [server, node],
		connections: { [createLog]: { ai_tool: [[{ node: trigger, type: 'ai_tool', index: 0 }]] } },
	});
	await stage.publish(id);
	return `${stage.webhookUrl}/mcp/${path}`;
}

/** One message over Streamable HTTP. The response is JSON, or a stream with one event. */
async function post(url: string, message: JsonObject, session?: string) {
	const accept = 'application/json, text/event-stream';
	const response = await fetch(url, {
		method: 'POST',
		headers: {
			...{ 'content-type': 'application/json', accept },
			...(session !== undefined && { 'mcp-session-id': session }),
		},
		body: JSON.stringify({ jsonrpc: '2.0', ...message }),
	});
	expect(response.ok).toBe(true);
	const text = await response.text();
	return { session: response.headers.get('mcp-session-id') ?? '', text };
}

/** A client of the server, which sends a request and returns its result. */
async function connect(url: string) {
	const clientInfo = { name: 'test', version: '1' };
	const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
	const { session } = await post(url, { id: 1, method: 'initialize', params });
	await post(url, { method: 'notifications/initialized' }, session);
	let lastId = 1;
	return async (method: string, params: JsonObject): Promise<JsonObject> => {
		const { text } = await post(url, { id: ++lastId, method, params }, session);
		const data = /^data: (.*)$/m.exec(text)?.[1] ?? text;
		return (JSON.parse(data) as { result: JsonObject }).result;
	};
}

test("a tool of n8n's MCP server is listed, writes each call, and says what to do", async () => {
	const request = await connect(await publishServer());
	const { tools } = (await request('tools/list', {})) as {
		tools: Array<{ name: string; inputSchema: { properties: JsonObject } }>;
	};
	expect(tools.map(({ name, inputSchema }) => [name, Object.keys(inputSchema.properties)])).toEqual(
		[[createLog, expect.arrayContaining(['Source', 'Type', 'Payload_JSON', 'Email'])]],
	);
	const call = async (given: JsonObject) => {
		const result = await request('tools/call', { name: createLog, arguments: given });
		const { isError = false, content } = result as { isError?: boolean; content: JsonObject[] };
		expect(content).toHaveLength(1);
		return { isError, text: String(content[0].text) };
	};

	const entry = { Source: 'crm', Type: 'note', Payload_JSON: { a: 1 }, Email: 'noor@example.com' };
	const written = [await call(entry), await call(entry)];
	const bodies = stage.sandbox.requests.map(({ body }) => body as JsonObject);
	expect(bodies).toMatchObject([0, 1].map(() => ({ source: 'crm', payload: { a: 1 } })));
	const keys = bodies.map(({ idempotencyKey }) => idempotencyKey);
	expect(new Set(keys).size).toBe(2);
	expect(written.map(({ text }) => JSON.parse(text) as unknown)).toMatchObject(
		keys.map((idempotencyKey) => [{ idempotencyKey }]),
	);

	expect(await call({ ...entry, Source: 'Our CRM' })).toEqual({
		isError: true,
		text: expect.stringMatching(/example "our-crm".*Nothing was sent\. Correct this/) as string,
	});
});
