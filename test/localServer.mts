import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server on a free port of this machine. */
export type LocalServer = Awaited<ReturnType<typeof serve>>;

/** A request that has arrived whole. */
export interface Arrival {
	method: string;
	/** With the query. */
	path: string;
	headers: IncomingHttpHeaders;
	body: Buffer;
}

/** 200 and JSON unless told. */
export interface Answer {
	status?: number;
	headers?: Record<string, string>;
	body?: string;
}

const json = { 'content-type': 'application/json' };

/** Serves what `answer` makes of each request. Where it fails, the connection is lost. */
export async function serve(answer: (arrival: Arrival) => Promise<Answer> | Answer) {
	const server = createServer(async (request, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		const { method = '', url: path = '', headers: sent } = request;
		try {
			const arrival = { method, path, headers: sent, body: Buffer.concat(chunks) };
			const { status = 200, headers = json, body } = await answer(arrival);
			response.writeHead(status, headers).end(body);
		} catch {
			response.destroy();
		}
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		/** Ends open connections, too. */
		close: () => {
			server.close();
			server.closeAllConnections();
		},
	};
}
