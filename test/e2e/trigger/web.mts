import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Arrival = {
	method: string;
	/** With the query. */
	path: string;
	headers: IncomingHttpHeaders;
	body: Buffer;
};
export type Answer = { status: number; body: string };

/** A server of a test's own. */
export type Web = { url: string; close(): void };

export async function openWeb(
	answer: (arrival: Arrival) => Promise<Answer> | Answer,
): Promise<Web> {
	const server: Server = createServer(async (request, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		const { method = '', url: path = '', headers } = request;
		try {
			const { status, body } = await answer({ method, path, headers, body: Buffer.concat(chunks) });
			response.writeHead(status, { 'content-type': 'application/json' }).end(body);
		} catch {
			// Whom this one asked was lost, and so is it.
			response.destroy();
		}
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	function close(): void {
		server.close();
		server.closeAllConnections();
	}
	return { url: `http://127.0.0.1:${port}`, close };
}
