import { createHash } from 'node:crypto';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * The load balancer that n8n's documentation asks for in front of webhook processes: production webhooks go to these in
 * turn, and everything else, such as test webhooks, to the main process.
 */
export type Balancer = {
	url: string;
	main: string;
	webhooks: string[];
	/** Whether a path always goes to the same webhook process, as with nginx's `hash $uri`. Default false. */
	byPath: boolean;
	/** How many requests each process got, by its URL. */
	readonly counts: Map<string, number>;
	close(): void;
};

const production = /^\/webhook(-waiting)?\//;

export async function startBalancer(): Promise<Balancer> {
	let turn = 0;
	const counts = new Map<string, number>();
	function choose({ url = '' }: IncomingMessage): string {
		const { main, webhooks, byPath } = balancer;
		if (!production.test(url) || webhooks.length === 0) return main;
		const number = byPath ? hashPath(url) : turn++;
		return webhooks[number % webhooks.length] ?? main;
	}
	function forward(incoming: IncomingMessage, response: ServerResponse): void {
		const target = choose(incoming);
		counts.set(target, (counts.get(target) ?? 0) + 1);
		const { url, method, headers } = incoming;
		const outgoing = request(target + url, { method, headers, agent: false }, (answer) => {
			response.writeHead(answer.statusCode ?? 502, answer.headers);
			answer.pipe(response);
		});
		outgoing.on('error', () => {
			if (response.headersSent) response.destroy();
			else response.writeHead(502).end();
		});
		incoming.pipe(outgoing);
	}
	const server = createServer(forward);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const balancer: Balancer = {
		url: `http://127.0.0.1:${port}`,
		main: '',
		webhooks: [],
		byPath: false,
		counts,
		close() {
			server.close();
			server.closeAllConnections();
		},
	};
	return balancer;
}

const hashPath = (url: string): number =>
	createHash('sha256')
		.update(url.split('?')[0] ?? '')
		.digest()
		.readUInt32BE();
