import type { Reply, WireRequest } from '../../properties/wire.mts';

export interface Subscription {
	url: string;
	events: string[] | null;
	active: boolean;
}

/** How a service may write the URLs that it is sent. */
export const ways = {
	unchanged: (url: string) => url,
	slash: (url: string) => url.replace(/\/?(\?|$)/, '/$1'),
	lowered: (url: string) => url.toLowerCase(),
	port: (url: string) => url.replace(/^(https:\/\/[^/:]+)(?=\/)/, '$1:443'),
	encoded: (url: string) => url.replace(/\/webhook(\/?)(\?|$)/, '/%77ebhook$1$2'),
};
export type Way = keyof typeof ways;

/** What happens to one request. */
export type Trouble =
	/** No connection. */
	| 'down'
	/** The work is done, and the response lost. */
	| 'lost'
	/** The work is done, after the client has stopped waiting. */
	| 'late'
	| 'refused'
	| 'not found';

/** Two subscriptions, in memory. */
export class Service {
	readonly subscriptions = new Map<string, Subscription>();
	way: Way = 'unchanged';
	/** For the next requests, one each. */
	troubles: Array<Trouble | undefined> = [];
	requests = 0;

	async answer(request: WireRequest): Promise<Reply> {
		this.requests++;
		const trouble = this.troubles.shift();
		const lost = { lost: 'ECONNRESET', message: 'socket hang up' };
		if (trouble === 'down') return { lost: 'ECONNREFUSED', message: 'connect ECONNREFUSED' };
		if (trouble === 'refused') return { status: 403, body: { message: 'Not allowed' } };
		if (trouble === 'not found') return { status: 404, body: { message: 'Not found' } };
		if (trouble === 'late') {
			await new Promise((resolve) => setTimeout(resolve, 9_000));
			this.work(request);
			return lost;
		}
		const reply = this.work(request);
		return trouble === 'lost' ? lost : reply;
	}

	private work({ method, path, body }: WireRequest): Reply {
		const [, id] = /^\/v0\/webhook_subscriptions\/(\w+)$/.exec(path) ?? [];
		if (id === undefined) {
			const all = [...this.subscriptions].map(([each, state]) => describe(each, state));
			return { status: 200, body: all };
		}
		const subscription = this.subscriptions.get(id);
		if (!subscription) return { status: 404, body: { message: 'Not found' } };
		if (method === 'PATCH') {
			const { url, ...rest } = body as Partial<Subscription>;
			Object.assign(subscription, rest);
			if (url !== undefined) subscription.url = ways[this.way](url);
		}
		return { status: 200, body: describe(id, subscription) };
	}
}

function describe(subscriptionId: string, state: Subscription): object {
	const at = '2026-01-01T00:00:00.000Z';
	return { subscriptionId, ...state, createdAt: at, updatedAt: at };
}
