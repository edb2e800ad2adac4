import { SandboxInProcess } from '../../../../sandbox/inProcess.mts';
import type { WebhookSubscription } from '../../../../sandbox/index.mts';
import type { Reply, WireRequest } from '../../wire.mts';

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

/** What a service does to URLs all its life. */
export const habits = {
	none: (url: string) => url,
	'no https': (url: string) => url.replace(/^https:/, 'http:'),
};
export type Habit = keyof typeof habits;

/** After that long nothing of the past is to be seen. */
export const mostLateMs = 8_000;

/** What happens to one request. */
export type Trouble =
	/** No connection. */
	| 'down'
	/** The work is done, and the response lost. */
	| 'lost'
	| 'refused'
	| 'not found';

// One for all histories, because making its records takes longer than a history.
const sandbox = new SandboxInProcess();

/** The sandbox's subscriptions, with what a service may do to requests and URLs. */
export class Service {
	readonly subscriptions = sandbox.store.subscriptions;
	way: Way = 'unchanged';
	habit: Habit = 'none';
	/** How late it shows a change, at most, in milliseconds. */
	lateMs = 0;
	/** What was to be seen of each subscription, the latest last. */
	readonly #past = new Map<string, Array<{ at: number; record: WebhookSubscription }>>();
	/** For the next requests, one each. */
	troubles: Array<Trouble | undefined> = [];
	requests = 0;

	constructor(states: Record<string, Subscription>) {
		const at = '2026-01-01T00:00:00.000Z';
		this.subscriptions.clear();
		for (const [subscriptionId, state] of Object.entries(states))
			this.subscriptions.add({ subscriptionId, ...state, createdAt: at, updatedAt: at });
		this.remember();
	}

	answer(request: WireRequest): Reply {
		this.requests++;
		const trouble = this.troubles.shift();
		const lost = { lost: 'ECONNRESET', message: 'socket hang up' };
		if (trouble === 'down') return { lost: 'ECONNREFUSED', message: 'connect ECONNREFUSED' };
		if (trouble === 'refused') return { status: 403, body: { message: 'Not allowed' } };
		if (trouble === 'not found') return { status: 404, body: { message: 'Not found' } };
		const reply = request.method === 'PATCH' ? this.#change(request) : this.#show(request);
		return trouble === 'lost' ? lost : reply;
	}

	/** As it was, in the order in which changes are made. */
	#show(request: WireRequest): Reply {
		const at = performance.now() - this.lateMs * Math.random();
		const now = this.subscriptions.all().map((record) => structuredClone(record));
		for (const record of this.subscriptions.all()) {
			const past = this.#past.get(record.subscriptionId) ?? [];
			const shown = past.findLast((each) => each.at <= at) ?? past[0];
			Object.assign(record, shown.record);
		}
		const reply = structuredClone(sandbox.answer(request));
		for (const [index, record] of this.subscriptions.all().entries())
			Object.assign(record, now[index]);
		return reply;
	}

	#change(request: WireRequest): Reply {
		const { url, ...rest } = (request.body ?? {}) as Partial<Subscription>;
		const written = url === undefined ? {} : { url: habits[this.habit](ways[this.way](url)) };
		const reply = structuredClone(sandbox.answer({ ...request, body: { ...rest, ...written } }));
		this.remember();
		return reply;
	}

	/** Notes what is to be seen from now on. */
	remember(): void {
		const at = performance.now();
		for (const record of this.subscriptions.all()) {
			const past = this.#past.get(record.subscriptionId) ?? [];
			this.#past.set(record.subscriptionId, [...past, { at, record: structuredClone(record) }]);
		}
	}
}
