import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { findFreePort } from '../../tools/ports.mts';

const production = /^\/webhook(-waiting)?\//;

/**
 * The load balancer that n8n's documentation asks for in front of webhook processes: production webhooks go to these in
 * turn, and everything else, such as test webhooks, to the main process.
 */
export class Balancer {
	readonly url: string;
	main = '';
	webhooks: readonly string[] = [];
	/** How many requests each process got, by its URL. */
	readonly counts = new Map<string, number>();
	readonly #server = createServer((...exchange) => this.#forward(...exchange));
	#turn = 0;

	private constructor(port: number) {
		this.url = `http://127.0.0.1:${port}`;
		this.#server.listen(port, '127.0.0.1');
	}

	static async start(): Promise<Balancer> {
		return new Balancer(await findFreePort());
	}

	#choose({ url = '' }: IncomingMessage): string {
		if (!production.test(url) || this.webhooks.length === 0) return this.main;
		return this.webhooks[this.#turn++ % this.webhooks.length];
	}

	#forward(incoming: IncomingMessage, response: ServerResponse): void {
		const target = this.#choose(incoming);
		this.counts.set(target, (this.counts.get(target) ?? 0) + 1);
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

	close(): void {
		this.#server.close();
		this.#server.closeAllConnections();
	}
}
