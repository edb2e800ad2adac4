import { Agent, request } from 'node:http';
import { serve } from './child.mts';

export type Sent = {
	/** By this machine's clock, which n8n uses too. */
	startedAt: number;
	/** Until the last response. */
	answeredMs: number;
	/** One for each body, in order. */
	statuses: number[];
};

/** The delivering service, as a process of its own. It keeps its connections open. */
const calls = {
	deliver: async (url: string, bodies: string[], atOnce: number): Promise<Sent> => {
		const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
		const statuses: number[] = [];
		const waiting = [...bodies.entries()].reverse();
		const work = async (): Promise<void> => {
			for (let next = waiting.pop(); next; next = waiting.pop()) {
				const [index, body] = next;
				statuses[index] = await post(agent, url, body);
			}
		};
		const startedAt = Date.now();
		const started = performance.now();
		await Promise.all(Array.from({ length: atOnce }, work));
		const answeredMs = performance.now() - started;
		agent.destroy();
		return { startedAt, answeredMs, statuses };
	},
};

export type Sender = typeof calls;

async function post(agent: Agent, url: string, body: string): Promise<number> {
	const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
	return await new Promise((resolve, reject) => {
		const sending = request(url, { method: 'POST', agent, headers }, (response) => {
			response.on('error', reject);
			response.on('end', () => resolve(response.statusCode ?? 0));
			response.resume();
		});
		sending.on('error', reject);
		sending.end(body);
	});
}

serve(calls);
