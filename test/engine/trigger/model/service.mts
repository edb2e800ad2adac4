import { SandboxInProcess } from '../../../../sandbox/inProcess.mts';
import type { WebhookSubscription } from '../../../../sandbox/records/index.mts';
import type { Reply, WireRequest } from '../../properties/wire.mts';

export type Subscription = Pick<WebhookSubscription, 'url' | 'events' | 'active'>;

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

// One for all histories, because making its records takes longer than a history.
const sandbox = new SandboxInProcess();

/** The sandbox's subscriptions, with what a service may do to requests and URLs. */
export class Service {
	readonly subscriptions = sandbox.store.subscriptions;
	way: Way = 'unchanged';
	/** For the next requests, one each. */
	troubles: Array<Trouble | undefined> = [];
	requests = 0;

	constructor(states: Record<string, Subscription>) {
		const at = '2026-01-01T00:00:00.000Z';
		this.subscriptions.clear();
		for (const [subscriptionId, state] of Object.entries(states))
			this.subscriptions.add({ subscriptionId, ...state, createdAt: at, updatedAt: at });
	}

	async answer(request: WireRequest): Promise<Reply> {
		this.requests++;
		const trouble = this.troubles.shift();
		const lost = { lost: 'ECONNRESET', message: 'socket hang up' };
		if (trouble === 'down') return { lost: 'ECONNREFUSED', message: 'connect ECONNREFUSED' };
		if (trouble === 'refused') return { status: 403, body: { message: 'Not allowed' } };
		if (trouble === 'not found') return { status: 404, body: { message: 'Not found' } };
		if (trouble === 'late') await new Promise((resolve) => setTimeout(resolve, 9_000));
		const reply = this.work(request);
		return trouble === 'lost' || trouble === 'late' ? lost : reply;
	}

	private work(request: WireRequest): Reply {
		const { url, ...rest } = (request.body ?? {}) as Partial<Subscription>;
		const body = url === undefined ? rest : { ...rest, url: ways[this.way](url) };
		return sandbox.answer({ ...request, body });
	}
}
