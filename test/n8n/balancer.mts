import { type LocalServer, serve } from '../localServer.mts';

const production = /^\/webhook(-waiting)?\//;

interface Balancer extends LocalServer {
	main: string;
	webhooks: readonly string[];
	/** How many requests each process got, by its URL. */
	counts: Map<string, number>;
}

/**
 * The load balancer that n8n's documentation asks for in front of webhook processes: production webhooks go to these in
 * turn, and everything else, such as test webhooks, to the main process.
 */
export async function openBalancer(): Promise<Balancer> {
	let turn = 0;
	const server = await serve(async ({ method, path, headers, body }) => {
		const { main, webhooks, counts } = balancer;
		const isTurn = production.test(path) && webhooks.length > 0;
		const target = isTurn ? webhooks[turn++ % webhooks.length] : main;
		counts.set(target, (counts.get(target) ?? 0) + 1);
		const sent = { 'content-type': headers['content-type'] ?? '', connection: 'close' };
		const response = await fetch(target + path, { method, headers: sent, body: body.toString() });
		return { status: response.status, body: await response.text() };
	});
	const balancer: Balancer = { ...server, main: '', webhooks: [], counts: new Map() };
	return balancer;
}
