import axios from 'axios';
import type { INodeParameters } from 'n8n-workflow';
import { type Sandbox, startSandbox } from '../../../sandbox/index.mts';
import { type Arrival, type LocalServer, serve } from '../../localServer.mts';
import { openRelay, type Relay } from '../../relay.mts';
import { waitFor } from '../../waitFor.mts';
import { PassingTime } from '../clock.mts';
import { Host, type Setup, type Trigger } from './host.mts';

type Record = ReturnType<Sandbox['store']['subscriptions']['all']>[number];

type TriggerSetup = {
	events?: string[] | string;
	outputs?: 'one' | 'perEvent';
	options?: INodeParameters;
} & Partial<Setup>;

/** A service, an n8n, and receivers elsewhere. */
export class Scene {
	#open?: { sandbox: Sandbox; host: Host; service: Relay; other: LocalServer };
	/** What another receiver got. */
	readonly elsewhere: Array<Omit<Arrival, 'body'> & { body: string }> = [];
	/** By how much the time that the nodes measure is later than the waits took. */
	#passedMs = 0;
	readonly #time = new PassingTime();
	readonly #readTime = performance.now.bind(performance);
	/** Where that receiver sends its callers. */
	redirect?: string;

	get sandbox(): Sandbox {
		return this.#opened.sandbox;
	}

	get host(): Host {
		return this.#opened.host;
	}

	/** What the service does otherwise than the sandbox. */
	get quirks(): Pick<Relay, 'onChange'> {
		return this.#opened.service;
	}

	/** The sandbox, by way of `quirks`. */
	get serviceUrl(): string {
		return this.#opened.service.url;
	}

	get elsewhereUrl(): string {
		return this.#opened.other.url;
	}

	get #opened() {
		if (!this.#open) throw new Error('The scene opens before the first test');
		return this.#open;
	}

	async open(): Promise<this> {
		this.#time.start();
		const begunAt = this.#readTime();
		performance.now = () => begunAt + this.#time.ms + this.#passedMs;
		const sandbox = await startSandbox();
		const [host, service, other] = await Promise.all([
			Host.start(),
			openRelay(sandbox),
			serve(({ body, ...arrival }) => {
				this.elsewhere.push({ ...arrival, body: body.toString() });
				return this.redirect === undefined
					? { body: 'ok' }
					: { status: 307, headers: { location: this.redirect } };
			}),
		]);
		this.#open = { sandbox, host, service, other };
		return this;
	}

	async reset(): Promise<void> {
		this.pass(10_000);
		await this.host.reset();
		this.sandbox.reset();
		this.quirks.onChange = undefined;
		this.redirect = undefined;
		this.elsewhere.length = 0;
	}

	async close(): Promise<void> {
		const { sandbox, host, service, other } = this.#opened;
		for (const server of [service, other, host]) server.close();
		await sandbox.close();
		await this.#time.end();
		performance.now = this.#readTime;
	}

	/** A subscription of the seed, set as wanted: by a person, and a while after all that a test did to it before. */
	subscription(change: Partial<Record> = {}, number = 0): Record {
		this.pass(10_000);
		return Object.assign(this.sandbox.store.subscriptions.all()[number], change);
	}

	trigger(
		{ subscriptionId }: Record,
		{ events = ['form.submitted'], outputs = 'one', options = {}, ...setup }: TriggerSetup = {},
	): Trigger {
		return this.host.trigger({
			parameters: {
				subscriptionId: { __rl: true, mode: 'list', value: subscriptionId },
				events,
				outputs,
				options,
			},
			credential: { baseUrl: this.serviceUrl, apiKey: this.sandbox.apiKey },
			...setup,
		});
	}

	/** A subscription, set as wanted, and a trigger of it. */
	subscribed(change: Partial<Record> = {}, setup?: TriggerSetup) {
		const subscription = this.subscription(change);
		return { subscription, trigger: this.trigger(subscription, setup) };
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
			maxRedirects: 0,
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
