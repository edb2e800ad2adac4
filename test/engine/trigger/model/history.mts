import { remembered } from '../../../../nodes/PageAudienceTrigger/kept.ts';
import { unfinished } from '../../../../nodes/PageAudienceTrigger/lifecycle.ts';
import { eventKinds, type WebhookSubscription } from '../../../../sandbox/index.mts';
import { FakeNetwork, type NetworkRequest, type Reply } from '../../fakeNetwork.mts';
import { FakeN8n } from '../fakeN8n.mts';
import { Trigger } from '../trigger.mts';

const n8nUrl = 'https://n8n.example';
export const allKinds = [...eventKinds].sort();

export type Subscription = Pick<WebhookSubscription, 'url' | 'events' | 'active'>;

/** How a service may write the URLs that it is sent. */
const ways = {
	unchanged: (url: string) => url,
	slash: (url: string) => url.replace(/\/?(\?|$)/, '/$1'),
	lowered: (url: string) => url.toLowerCase(),
	port: (url: string) => url.replace(/^(https:\/\/[^/:]+)(?=\/)/, '$1:443'),
	encoded: (url: string) => url.replace(/\/webhook(\/?)(\?|$)/, '/%77ebhook$1$2'),
};
export type Way = keyof typeof ways;

/** What a service may store that it was not sent. */
const alterations = {
	'no query': ({ url }: Subscription) => ({ url: url.split('?')[0] }),
	'fewer events': ({ events }: Subscription) => ({ events: events?.slice(1) ?? [] }),
	inactive: () => ({ active: false }),
};

const replies = {
	down: { lost: 'ECONNREFUSED', message: 'connect ECONNREFUSED' },
	lost: { lost: 'ECONNRESET', message: 'socket hang up' },
	refused: { status: 403, body: { message: 'Not allowed' } },
	'not found': { status: 404, body: { message: 'Not found' } },
} satisfies Record<string, Reply>;

/** What happens to one request. With 'lost', the work is done, and only the response lost. */
export const troubles = [
	...(Object.keys(replies) as Array<keyof typeof replies>),
	...(Object.keys(alterations) as Array<keyof typeof alterations>),
];
export type Trouble = (typeof troubles)[number];

/** Each history has IDs of its own: the trigger remembers tokens and log lines in its process. */
let histories = 0;

/** A workflow with the trigger, and what became of it. */
export class ModelWorkflow extends Trigger {
	/** n8n counts it as published. */
	isPublished = false;
	/** The last publishing succeeded. */
	isConnected = false;
	/** The last unpublishing failed, or n8n was killed: it has to be published and unpublished once more. */
	isLeft = false;
	/** The subscriptions that it was unpublished from with Leave. */
	readonly stayed = new Set<string>();
	/** The subscriptions that people choose for it. */
	choices: string[] = [];
	/** Older static data of it. */
	readonly older: Array<Trigger['staticData']> = [{}];

	/** Which subscription is chosen in the editor. */
	get chosen(): string {
		return this.parameters.subscriptionId as string;
	}
	/** Which one counts: that of the published version. */
	get subscriptionId(): string {
		return (this.published?.parameters ?? this.parameters).subscriptionId as string;
	}
	get options() {
		const { options } = this.published?.parameters ?? this.parameters;
		return options as { onDeactivate?: string; takeOver?: boolean };
	}

	change(parameters: Trigger['parameters']): void {
		this.parameters = { ...this.parameters, ...parameters };
	}

	/** Whether a URL is its own, or that of its test. */
	has(url: string, path: '/webhook/' | '/webhook-test/' = '/webhook/'): boolean {
		return new URL(url).pathname.toLowerCase().startsWith(`${path}${this.id}/`);
	}
}

export interface Rules {
	/** Workflows may be unpublished with Pause and Leave too. */
	canStay: boolean;
	/** n8n may put back older static data. */
	losesData: boolean;
}

/** A service, an n8n with two workflows, each with two subscriptions to choose from, and the people who use them. */
export class TriggerHistory {
	readonly n8n = new FakeN8n(n8nUrl);
	readonly rules: Rules;
	readonly workflows: ModelWorkflow[];
	readonly ids: string[];
	/** How the last foreign owner, a person or the service itself left each subscription. */
	readonly expected = new Map<string, Subscription>();
	/** All that was expected of each one until now. */
	readonly earlier = new Map<string, Subscription[]>();
	/**
	 * Nobody knows any more how these were before the trigger took them. Its static data may have an older state. Otherwise they
	 * end inactive. Taking one again from a foreign owner makes up for it.
	 */
	readonly lost = new Set<string>();
	/** Which of the two know how it was before a workflow took it: this process, and the static data in the database. */
	readonly #known = new Map<string, { inProcess: boolean; saved: boolean }>();
	/** The memory of the main process that does not lead. */
	#otherMemory: Array<[string, ReturnType<typeof remembered.get> & object]> = [];
	/** What people were told. */
	readonly messages: string[] = [];
	/** How each request is held up; a scheduler brings them into any order. */
	delay: (what: string) => Promise<void> = async () => await Promise.resolve();
	/** Several things happen at once. */
	isConcurrent = false;
	/** After that many more requests n8n is killed. */
	killIn = Infinity;
	/** How the service writes URLs. */
	way: Way = 'unchanged';
	/** For the next requests to the service, one each. */
	troubles: Array<Trouble | undefined> = [];

	readonly #network = new FakeNetwork();
	readonly #states = new Map<string, Subscription>();
	readonly #begun = new Map<ModelWorkflow, Promise<void>>();
	#edits = 0;

	constructor(states: Subscription[], engine: FakeN8n['engine'], rules: Rules) {
		this.n8n.engine = engine;
		this.rules = rules;
		const number = ++histories;
		this.ids = states.map((_, index) => `subscription_${number}_${index}`);
		for (const [index, id] of this.ids.entries()) {
			this.#states.set(id, states[index]);
			this.#expect(id);
		}
		this.workflows = ['a', 'b'].map((name, w) => {
			const id = `hook${number}${name}`;
			const workflow = new ModelWorkflow(this.n8n, '', { id, options: { takeOver: true } });
			workflow.change({ subscriptionId: this.ids[w] });
			workflow.choices = [this.ids[w], this.ids[w + 2]];
			return workflow;
		});
		this.#network.answerBy(async (request) => {
			await this.delay(`${request.method} ${request.path}`);
			if (this.killIn-- <= 0) this.n8n.isDead = true;
			return this.n8n.isDead ? replies.lost : this.#serve(request);
		});
	}

	/** The methods of all requests of n8n. */
	get requests(): string[] {
		return this.#network.exchanges.map(({ request }) => request.method);
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

	/** As the service does. */
	#serve({ method, path, body }: NetworkRequest): Reply {
		const trouble = this.troubles.shift();
		if (trouble && trouble in replies && trouble !== 'lost')
			return replies[trouble as keyof typeof replies];
		const id = path.split('/').at(-1) ?? '';
		if (method === 'PATCH') {
			const sent = body as Subscription;
			const before = this.get(id);
			const alter = trouble && alterations[trouble as keyof typeof alterations];
			const stored = { ...sent, ...alter?.(sent) };
			this.#states.set(id, { ...stored, url: ways[this.way](stored.url) });
			if (isForeign(before.url)) {
				this.#known.set(id, { inProcess: true, saved: false });
				// It was restored from older static data, and that is how it is to be left from now on.
				if (this.lost.delete(id)) this.expected.set(id, before);
			}
			// What it made of a restored one is the service's own state.
			if (isForeign(sent.url) && alter) this.#expect(id);
		}
		const shown = { subscriptionId: id, ...this.get(id) };
		return trouble === 'lost' ? replies.lost : { status: 200, body: shown };
	}

	#expect(id: string): void {
		this.expected.set(id, this.get(id));
		this.earlier.set(id, [...(this.earlier.get(id) ?? []), this.get(id)]);
	}

	/** A person changes a subscription in the service. */
	edit(id: string, change: Partial<Subscription>): void {
		this.#states.set(id, { ...this.get(id), ...change });
		if (!isForeign(this.get(id).url)) return;
		this.#expect(id);
		this.lost.delete(id);
	}

	makeForeignUrl(): string {
		const n = ++this.#edits;
		return ways[this.way](`https://crm${n}.example/in?key=s3cret${n}`);
	}

	/** Nothing is wrong, and nothing else goes on. */
	get isCalm(): boolean {
		return this.troubles.length === 0 && !this.isConcurrent;
	}

	/** Waits for what a person does, and keeps what they are told. */
	async tell(work: Promise<unknown>): Promise<boolean> {
		return await work.then(
			() => true,
			({ message, description }: Error & { description?: string }) => {
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

	/** A publishing or unpublishing has succeeded: n8n saves the static data. */
	noteSaved(workflow: ModelWorkflow): void {
		workflow.older.push(structuredClone(workflow.staticData));
		for (const id of this.listOf(workflow)) {
			const known = this.#known.get(id);
			if (known?.inProcess) known.saved = true;
		}
	}

	/** An execution that waited writes static data, and n8n stores all of it as it was when that execution began. */
	putBack(workflow: ModelWorkflow, number: number): void {
		const { older } = workflow;
		workflow.staticData = structuredClone(older[number % older.length]);
		for (const id of this.listOf(workflow)) {
			const known = this.#known.get(id);
			if (known) known.saved = false;
			if (!known?.inProcess) this.lost.add(id);
		}
	}

	/**
	 * n8n is started again: no test is left, its memory is gone, and the static data is what was saved.
	 * @param isOther another main process leads from now on, with what it remembers of the time when it led before
	 */
	kill(isOther = false): void {
		for (const workflow of this.workflows) {
			for (const id of this.listOf(workflow)) if (!this.#known.get(id)?.saved) this.lost.add(id);
			for (const id of this.listOf(workflow, '/webhook-test/')) this.lost.add(id);
			workflow.kill();
		}
		for (const known of this.#known.values()) known.inProcess = false;
		const memory = isOther ? this.#otherMemory : [];
		if (isOther) this.#otherMemory = [...remembered];
		remembered.clear();
		for (const [key, each] of memory) remembered.set(key, each);
		unfinished.clear();
		this.killIn = Infinity;
		this.n8n.isDead = false;
	}

	/** The subscriptions that deliver to a workflow. */
	listOf(workflow: ModelWorkflow, path?: '/webhook-test/'): string[] {
		return this.ids.filter((id) => workflow.has(this.get(id).url, path));
	}
}

export function isForeign(url: string): boolean {
	return new URL(url).hostname !== new URL(n8nUrl).hostname;
}
