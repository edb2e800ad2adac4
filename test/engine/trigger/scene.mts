import axios from 'axios';
import type { INodeParameters } from 'n8n-workflow';
import { type Sandbox, startSandbox, type WebhookSubscription } from '../../../sandbox/index.mts';
import { openRelay, type Relay } from '../../relay.mts';
import { waitFor } from '../../waitFor.mts';
import { PassingTime } from '../clock.mts';
import { Host } from './host.mts';
import { type Setup, Trigger } from './trigger.mts';

type TriggerSetup = {
	events?: string[] | string;
	outputs?: 'one' | 'perEvent';
	options?: INodeParameters;
} & Partial<Setup>;

/** A service and an n8n. */
export class Scene {
	sandbox!: Sandbox;
	host!: Host;
	/** What the service does otherwise than the sandbox. */
	service!: Relay;
	/** By how much the time that the nodes measure is later than the waits took. */
	#passedMs = 0;
	readonly #time = new PassingTime();
	readonly #readTime = performance.now.bind(performance);

	async open(): Promise<this> {
		this.#time.start();
		const begunAt = this.#readTime();
		performance.now = () => begunAt + this.#time.ms + this.#passedMs;
		this.sandbox = await startSandbox();
		this.host = await Host.start();
		this.service = await openRelay(this.sandbox);
		return this;
	}

	async reset(): Promise<void> {
		this.pass(10_000);
		await this.host.reset();
		this.sandbox.reset();
		this.service.onChange = undefined;
	}

	async close(): Promise<void> {
		for (const server of [this.service, this.host]) server.close();
		await this.sandbox.close();
		await this.#time.end();
		performance.now = this.#readTime;
	}

	/** A subscription of the seed, set as wanted: by a person, and a while after all that a test did to it before. */
	subscription(change: Partial<WebhookSubscription> = {}, number = 0): WebhookSubscription {
		this.pass(10_000);
		return Object.assign(this.sandbox.store.subscriptions.all()[number], change);
	}

	trigger(
		{ subscriptionId }: WebhookSubscription,
		{ events = ['form.submitted'], outputs = 'one', options = {}, ...setup }: TriggerSetup = {},
	): Trigger {
		return new Trigger(this.host, {
			parameters: {
				subscriptionId: { __rl: true, mode: 'list', value: subscriptionId },
				events,
				outputs,
				options,
			},
			credential: { baseUrl: this.service.url, apiKey: this.sandbox.apiKey },
			...setup,
		});
	}

	/** A subscription, set as wanted, and a trigger of it. */
	subscribed(change: Partial<WebhookSubscription> = {}, setup?: TriggerSetup) {
		const subscription = this.subscription(change);
		return { subscription, trigger: this.trigger(subscription, setup) };
	}

	/** A published trigger, and the URL that it registered. */
	async published(options: INodeParameters = {}, setup: TriggerSetup = {}) {
		const made = this.subscribed({ active: false }, { ...setup, options });
		await made.trigger.publish();
		return { ...made, url: made.subscription.url };
	}

	/** Lets time pass that nobody waits for. */
	pass(ms: number): void {
		this.#passedMs += ms;
	}

	/** What was asked of the service about subscriptions, as `GET` and `PATCH`. */
	get asked(): string[] {
		return this.sandbox.requests.map(({ method }) => method);
	}

	/** The bodies of all changes. */
	get changes(): unknown[] {
		return this.sandbox.requests.filter(({ method }) => method === 'PATCH').map(({ body }) => body);
	}

	/** The fields of each item of an execution, whatever its output. */
	json(execution = 0) {
		return this.host.executions[execution].outputs.flat().map((item) => item.json);
	}

	/** Which executions there were. */
	get modes(): string[] {
		return this.host.executions.map(({ mode }) => mode);
	}

	/** Sends a body as the service could, and returns the status. */
	async deliver(url: string, body: unknown, headers?: { [name: string]: string }): Promise<number> {
		return (await this.send(url, body, headers)).status;
	}

	/** Sends a body as the service could, and returns the whole response. */
	async send(
		url: string,
		body: unknown,
		headers: { [name: string]: string } = { 'content-type': 'application/json' },
	) {
		const sent = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
		return await axios.post<{ started?: boolean; reason?: string }>(url, sent, {
			headers: { 'content-type': false, ...headers },
			transformRequest: (data: unknown) => data,
			validateStatus: () => true,
		});
	}
}

/** The value of Pages. */
export const pagesOption = (...pageIds: Array<string | number>): INodeParameters => ({
	page: pageIds.map((value) => ({ pageId: { __rl: true, mode: 'list', value } })),
});

/** A scene for the tests of one file, anew for each. None of them may make n8n fail. */
export function setUpScene(): Scene {
	const scene = new Scene();
	beforeAll(async () => void (await scene.open()));
	beforeEach(async () => {
		await scene.reset();
		// The shortest of all random waits.
		jest.spyOn(Math, 'random').mockReturnValue(0);
	});
	afterEach(() => {
		jest.restoreAllMocks();
		expect(scene.host.failures).toEqual([]);
	});
	afterAll(async () => await scene.close());
	return scene;
}

export const until = async (isSo: () => boolean, what = String(isSo)) => await waitFor(what, isSo);

/** Long enough for what should not come. */
export const aWhile = async () => await new Promise((resolve) => setTimeout(resolve, 150));
