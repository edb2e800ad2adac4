import { eventKinds, type WebhookSubscription } from '../../../../sandbox/index.mts';
import { FakeNetwork, type NetworkRequest, type Reply } from '../../fakeNetwork.mts';
import { remembered } from '../../../../nodes/PageAudienceTrigger/kept.ts';
import { unfinished } from '../../../../nodes/PageAudienceTrigger/lifecycle.ts';
import { FakeN8n } from '../fakeN8n.mts';
import { apiUrl, Trigger } from '../trigger.mts';

const n8nUrl = 'https://n8n.example';
export const allKinds = [...eventKinds].sort();

export type Subscription = Pick<WebhookSubscription, 'url' | 'events' | 'active'>;
export type PublishingEngine = 'new' | 'older';

/** How a service may write the URLs that it is sent. */
const ways = {
	unchanged: (url: string) => url,
	slash: (url: string) => url.replace(/\/?(\?|$)/, '/$1'),
	lowered: (url: string) => url.toLowerCase(),
	port: (url: string) => url.replace(/^(https:\/\/[^/:]+)(?=\/)/, '$1:443'),
	encoded: (url: string) => url.replace(/\/webhook(\/?)(\?|$)/, '/%77ebhook$1$2'),
};
export type Way = keyof typeof ways;

/** What happens to one request. With 'lost', the work is done, and only the response lost. */
export type Trouble = 'down' | 'lost' | 'refused' | 'not found';

const replies: Record<Trouble, Reply> = {
	down: { lost: 'ECONNREFUSED', message: 'connect ECONNREFUSED' },
	lost: { lost: 'ECONNRESET', message: 'socket hang up' },
	refused: { status: 403, body: { message: 'Not allowed' } },
	'not found': { status: 404, body: { message: 'Not found' } },
};

/** Each history has IDs of its own: the trigger remembers tokens and log lines in its process. */
let histories = 0;

/** A workflow, and what became of it. */
export interface ModelWorkflow {
	trigger: Trigger;
	/** n8n counts it as published. */
	isPublished: boolean;
	/** The last publishing succeeded. */
	isConnected: boolean;
	/** The last unpublishing failed, or n8n was killed: it has to be published and unpublished once more. */
	isLeft: boolean;
	/** The subscriptions that it was unpublished from with Leave. */
	stayed: Set<string>;
}

/** A service, an n8n with two workflows, each with a subscription of its own, and the people who use them. */
export class TriggerHistory {
	readonly n8n = new FakeN8n(n8nUrl);
	readonly engine: PublishingEngine;
	readonly workflows: ModelWorkflow[];
	readonly ids: string[];
	/** How the last foreign owner or person left each subscription. */
	readonly expected = new Map<string, Subscription>();
	/** What people were told. */
	readonly messages: string[] = [];
	/** How each request is held up; a scheduler brings them into any order. */
	delay: (what: string) => Promise<void> = async () => await Promise.resolve();
	/** Workflows may be unpublished with Pause and Leave too. */
	canStay = false;
	/** Whether n8n puts back older static data. */
	losesData = false;
	/** Several things happen at once. */
	isConcurrent = false;
	/** After that many more requests n8n is killed. */
	killIn = Infinity;
	/** How the service writes URLs. */
	way: Way = 'unchanged';
	/** For the next requests to the service, one each. */
	troubles: Array<Trouble | undefined> = [];
	/** How many requests the service got. */
	requests = 0;

	/** Nobody knows any more how these were before the trigger took them: they end inactive. */
	readonly lost = new Set<string>();
	wasKilled = false;

	readonly #network = new FakeNetwork();
	readonly #states = new Map<string, Subscription>();
	readonly #begun = new Map<ModelWorkflow, Promise<void>>();
	#edits = 0;

	constructor(states: Subscription[], engine: PublishingEngine) {
		this.engine = engine;
		const number = ++histories;
		this.ids = states.map((_, index) => `subscription_${number}_${index}`);
		for (const [index, id] of this.ids.entries()) {
			this.expected.set(id, states[index]);
			this.#states.set(id, states[index]);
		}
		this.workflows = ['a', 'b'].map((name, w) => ({
			trigger: new Trigger(this.n8n, this.ids[w], {
				id: `hook${number}${name}`,
				options: { takeOver: true },
			}),
			isPublished: false,
			isConnected: false,
			isLeft: false,
			stayed: new Set(),
		}));
		this.#network.answerBy(async (request) => await this.#answer(request));
	}

	close(): void {
		this.#network.close();
	}

	/** How a subscription is. */
	get(id: string): Subscription {
		const state = this.#states.get(id);
		if (!state) throw new Error(`There is no ${id}`);
		return state;
	}

	async #answer(request: NetworkRequest): Promise<Reply> {
		const { method, origin, path } = request;
		await this.delay(`${method} ${origin}${path}`);
		if (origin !== apiUrl) return await this.n8n.answer(request);
		if (this.killIn <= 0) return replies.lost;
		this.killIn--;
		return this.#serve(request);
	}

	/** As the service does. */
	#serve({ method, path, body }: NetworkRequest): Reply {
		this.requests++;
		const trouble = this.troubles.shift();
		if (trouble && trouble !== 'lost') return replies[trouble];
		const subscriptionId = path.split('/').at(-1) ?? '';
		if (method === 'PATCH') {
			const { url, ...rest } = body as Subscription;
			this.#set(subscriptionId, { ...rest, url: ways[this.way](url) });
		}
		const shown = { subscriptionId, ...this.get(subscriptionId) };
		return trouble ? replies[trouble] : { status: 200, body: shown };
	}

	#set(id: string, change: Partial<Subscription>): void {
		this.#states.set(id, { ...this.get(id), ...change });
	}

	/** A person changes a subscription in the service. */
	edit(id: string, change: Partial<Subscription>): void {
		this.#set(id, change);
		if (!isForeign(this.get(id).url)) return;
		this.expected.set(id, this.get(id));
		this.lost.delete(id);
	}

	makeForeignUrl(): string {
		const n = ++this.#edits;
		return ways[this.way](`https://crm${n}.example/in?key=s3cret${n}`);
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
	begin(workflow: ModelWorkflow, work: () => Promise<void>): void {
		this.#begun.set(workflow, (this.#begun.get(workflow) ?? Promise.resolve()).then(work));
	}

	async settle(): Promise<void> {
		await Promise.all(this.#begun.values());
		await this.n8n.settle();
	}

	/** n8n is started again: no test run is left, its memory is gone, and the static data is what was saved. */
	kill(): void {
		this.killIn = Infinity;
		this.wasKilled = true;
		for (const id of this.ids) this.noteLoss(id);
		for (const { trigger } of this.workflows) trigger.kill();
		remembered.clear();
		unfinished.clear();
	}

	/** A subscription that delivers here is lost if a test has it, or the static data of its trigger lacks it. */
	noteLoss(id: string): void {
		const url = this.get(id).url.toLowerCase();
		const owner = this.workflows.find(({ trigger }) => url.includes(`/${trigger.id}/`));
		const isOfTest = url.includes('/webhook-test/');
		if (!owner || (!isOfTest && JSON.stringify(owner.trigger.staticData).includes(id))) return;
		this.lost.add(id);
	}
}

export function isForeign(url: string): boolean {
	return new URL(url).hostname !== new URL(n8nUrl).hostname;
}
