import type { JsonObject } from '../../tools/n8n/execution.mts';

export type McpTool = { name: string; description: string; inputSchema: JsonObject };
export type McpResult = { isError?: boolean; content: Array<{ type: string; text: string }> };

/** A client of an MCP server over Streamable HTTP. */
export class McpClient {
	readonly #url: string;
	readonly #session: string;
	#lastId = 1;

	private constructor(url: string, session: string) {
		this.#url = url;
		this.#session = session;
	}

	static async connect(url: string): Promise<McpClient> {
		const clientInfo = { name: 'test', version: '1' };
		const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
		const response = await post(url, { jsonrpc: '2.0', id: 1, method: 'initialize', params });
		await readResult(response);
		const client = new McpClient(url, response.headers.get('mcp-session-id') ?? '');
		await client.#send({ jsonrpc: '2.0', method: 'notifications/initialized' });
		return client;
	}

	async listTools(): Promise<McpTool[]> {
		return ((await this.#request('tools/list', {})) as { tools: McpTool[] }).tools;
	}

	async call(name: string, given: JsonObject): Promise<McpResult> {
		return (await this.#request('tools/call', { name, arguments: given })) as McpResult;
	}

	async #request(method: string, params: JsonObject): Promise<unknown> {
		return await readResult(
			await this.#send({ jsonrpc: '2.0', id: ++this.#lastId, method, params }),
		);
	}

	async #send(message: JsonObject): Promise<Response> {
		return await post(this.#url, message, { 'mcp-session-id': this.#session });
	}
}

async function post(
	url: string,
	message: JsonObject,
	headers: Record<string, string> = {},
): Promise<Response> {
	const response = await fetch(url, {
		method: 'POST',
		headers: {
			'content-type': 'application/json',
			accept: 'application/json, text/event-stream',
			...headers,
		},
		body: JSON.stringify(message),
	});
	if (!response.ok) throw new Error(`POST ${url}: ${response.status} ${await response.text()}`);
	return response;
}

/** The response is JSON, or a stream with one event. */
async function readResult(response: Response): Promise<unknown> {
	const text = await response.text();
	const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
	const data = isStream ? (/^data: (.*)$/m.exec(text)?.[1] ?? '') : text;
	const { result, error } = JSON.parse(data) as { result?: unknown; error?: JsonObject };
	if (error) throw new Error(`The MCP server answered ${JSON.stringify(error)}`);
	return result;
}
