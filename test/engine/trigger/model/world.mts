import { eventKinds } from '../../../../sandbox/index.mts';
import { type Reply, Wire, type WireRequest } from '../../wire.mts';
import { Host, type Trigger } from '../host.mts';
import {
	type Habit,
	habits,
	mostLateMs,
	Service,
	type Subscription,
	type Way,
	ways,
} from './service.mts';

const n8nUrl = 'https://n8n.example';
const apiUrl = 'https://api.example';
export const allKinds = [...eventKinds].sort();

/** Each history has IDs of its own: the trigger remembers tokens and log lines in its process. */
let histories = 0;

/** A workflow, and what became of it. */
export interface Workflow {
	trigger: Trigger;
	/** n8n counts it as published. */
	isPublished: boolean;
	/** The last publishing succeeded. */
	isConnected: boolean;
	/** The last unpublishing failed, or n8n was killed: it has to be published and unpublished once more. */
	isLeft: boolean;
	/** The subscriptions that it was unpublished from with Leave. */
	stayed: Set<string>;
	engine: 'new' | 'older';
}

/** A service, an n8n with two workflows, each with a subscription of its own, and the people who use them. */
export class World {
	readonly service: Service;
	readonly host = new Host(n8nUrl);
	readonly workflows: Workflow[];
	readonly ids: string[];
	/** How the last foreign owner or person left each subscription. */
	readonly expected = new Map<string, Subscription>();
	/** What people were told. */
	readonly messages: string[] = [];
	/** Deliveries that another receiver got. */
	readonly elsewhere: string[] = [];
	/** How each request is held up; a scheduler brings them into any order. */
	delay: (what: string) => Promise<void> = async () => await Promise.resolve();
	/** Workflows may be unpublished with Pause and Leave too. */
	canStay = false;
	/** Several things happen at once. */
	isConcurrent = false;
	/** After that many more requests n8n is killed. */
	killIn = Infinity;

	readonly #wire = new Wire();
	readonly #begun = new Map<Workflow, Promise<void>>();
	readonly #history = ++histories;
	#edits = 0;

	constructor(states: Subscription[], engine: Workflow['engine'], habit: Habit = 'none') {
		this.ids = states.map((_, index) => `subscription_${this.#history}_${index}`);
		for (const [index, id] of this.ids.entries()) this.expected.set(id, states[index]);
		this.service = new Service(Object.fromEntries(this.expected));
		this.service.habit = habit;
		this.workflows = ['a', 'b'].map((name, w) => ({
			trigger: this.host.trigger({
				id: `hook${this.#history}${name}`,
				parameters: {
					subscriptionId: { __rl: true, mode: 'list', value: this.ids[w] },
					events: ['form.submitted'],
					options: { takeOver: true },
				},
				credential: { baseUrl: apiUrl, apiKey: 'the-api-key' },
			}),
			isPublished: false,
			isConnected: false,
			isLeft: false,
			stayed: new Set(),
			engine,
		}));
		this.#wire.answerBy(async (request) => await this.#answer(request));
	}

	close(): void {
		this.#wire.close();
	}

	get(id: string): Subscription {
		const subscription = this.service.subscriptions.get(id);
		if (!subscription) throw new Error(`There is no ${id}`);
		return subscription;
	}

	async #answer(request: WireRequest): Promise<Reply> {
		const { method, origin, path, query, headers, data } = request;
		await this.delay(`${method} ${origin}${path}`);
		if (origin === apiUrl) {
			if (this.killIn <= 0) return { lost: 'ECONNRESET', message: 'n8n is gone' };
			this.killIn--;
			return this.service.answer(request);
		}
		if (origin !== n8nUrl) {
			this.elsewhere.push(origin + path);
			return { status: 200, body: {} };
		}
		const answer = await this.host.handle({
			method,
			url: `${path}?${new URLSearchParams(query).toString()}`,
			headers,
			body: Buffer.isBuffer(data) ? data : undefined,
		});
		return { status: answer.status, headers: answer.headers, body: answer.body };
	}

	/** A person changes a subscription in the service. */
	edit(id: string, change: Partial<Subscription>): void {
		Object.assign(this.get(id), change);
		this.service.remember();
		if (isForeign(this.get(id).url)) this.expected.set(id, structuredClone(this.get(id)));
	}

	makeForeignUrl(): string {
		const n = ++this.#edits;
		const url = ways[this.service.way](`https://crm${n}.example/in?key=s3cret${n}`);
		return habits[this.service.habit](url);
	}

	setWay(way: Way): void {
		if (this.service.habit === 'none') this.service.way = way;
	}

	/** Waits until the service shows all that was changed: nobody can know more before. */
	async catchUp(): Promise<void> {
		await new Promise((resolve) => setTimeout(resolve, mostLateMs + 1));
	}

	/** Runs what a person does, and keeps what they are told. */
	async tell(work: () => Promise<void>): Promise<boolean> {
		return await work().then(
			() => true,
			(error: unknown) => {
				const { message, description } = error as { message: string; description?: string };
				this.messages.push(`${message} ${description ?? ''}`);
				return false;
			},
		);
	}

	/** Does something with a workflow after what is under way with it. */
	begin(workflow: Workflow, work: () => Promise<void>): void {
		this.#begun.set(workflow, (this.#begun.get(workflow) ?? Promise.resolve()).then(work));
	}

	async settle(): Promise<void> {
		await Promise.all(this.#begun.values());
		await this.host.settle();
	}

	/** n8n is started again: no test run is left, and the static data is what was saved. */
	kill(): void {
		this.killIn = Infinity;
		for (const { trigger } of this.workflows) trigger.kill();
	}
}

export function isForeign(url: string): boolean {
	return new URL(url).hostname !== new URL(n8nUrl).hostname;
}

/** As the rules of the service's writing leave it. */
export function loosen({ url, events, active }: Subscription): object {
	const { host, pathname, search } = new URL(url);
	const path = pathname.replace(/\/+$/, '');
	return {
		url: (host + path + search).toLowerCase(),
		// A null list is restored as all kinds.
		events: [...new Set(events ?? allKinds)].sort(),
		active,
	};
}
