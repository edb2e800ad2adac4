import type { INodeParameters } from 'n8n-workflow';
import { Faults } from '../../../sandbox/faults.mts';
import type { WebhookSubscription } from '../../../sandbox/index.mts';
import { SandboxInProcess } from '../../../sandbox/inProcess.mts';
import { PassingTime, rest } from '../clock.mts';
import { FakeNetwork, type NetworkRequest, type Reply } from '../fakeNetwork.mts';
import { FakeN8n } from './fakeN8n.mts';
import { apiUrl, type TriggerOptions, Trigger } from './trigger.mts';

const lost: Reply = { lost: 'ECONNRESET', message: 'socket hang up' };

/** A service and an n8n, in this process. */
class TriggerSetup {
	readonly n8n = new FakeN8n('http://n8n.example');
	readonly sandbox = new SandboxInProcess();
	readonly faults = new Faults();
	/** What the service was asked. */
	readonly requests: NetworkRequest[] = [];
	/** Called before a change is answered. What it returns takes the place of the answer. */
	onChange?: (changed: WebhookSubscription, sent: Partial<WebhookSubscription>) => unknown;

	async reset(): Promise<void> {
		await this.rest();
		this.n8n.reset();
		this.sandbox.store.reset();
		this.faults.clear();
		this.requests.length = 0;
		this.onChange = undefined;
	}

	async serve(request: NetworkRequest): Promise<Reply> {
		const { method, path, body } = request;
		this.requests.push(request);
		// Nothing else is asked.
		expect(request.origin).toBe(apiUrl);
		const { action } = this.faults.take({ method, path, operationId: undefined });
		if (action?.kind === 'status' && !action.afterWork) return action;
		if (action?.kind === 'resetBefore') return lost;
		// The sandbox refuses other fields over HTTP, but not in this process.
		if (method === 'PATCH')
			expect(Object.keys(body as object).sort()).toEqual(['active', 'events', 'url']);
		const done = this.sandbox.answer(request);
		const changed = this.sandbox.store.subscriptions.get(path.split('/').at(-1) ?? '');
		if (method === 'PATCH' && changed && this.onChange)
			done.body = ((await this.onChange(changed, body as object)) ?? changed) as object;
		if (action?.kind === 'status' || action?.kind === 'answer') return { ...done, ...action };
		return action ? lost : done;
	}

	/** A subscription of the seed, set as wanted. */
	subscription(change: Partial<WebhookSubscription> = {}, number = 0): WebhookSubscription {
		return Object.assign(this.sandbox.store.subscriptions.all()[number], change);
	}

	trigger({ subscriptionId }: WebhookSubscription, settings?: TriggerOptions): Trigger {
		return new Trigger(this.n8n, subscriptionId, settings);
	}

	/** A subscription, set as wanted, and a trigger of it. */
	subscribed(change: Partial<WebhookSubscription> = {}, settings?: TriggerOptions) {
		const subscription = this.subscription(change);
		return { subscription, trigger: this.trigger(subscription, settings) };
	}

	/** A published trigger, and the URL that it registered. */
	async published(options: INodeParameters = {}, settings: TriggerOptions = {}) {
		const made = this.subscribed({ active: false }, { ...settings, options });
		await made.trigger.publish();
		return { ...made, url: made.subscription.url };
	}

	/** Until n8n has done everything that it began. */
	async rest(): Promise<void> {
		await rest();
		await this.n8n.settle();
	}

	/** The bodies of all changes. */
	get changes(): unknown[] {
		return this.requests.filter(({ method }) => method === 'PATCH').map(({ body }) => body);
	}

	/** The fields of each item of the first execution, whatever its output. */
	json() {
		return this.n8n.executions[0].outputs.flat().map((item) => item.json);
	}

	/** Sends a body as the service could, and returns the status. */
	async deliver(...sent: Parameters<FakeN8n['deliver']>): Promise<number> {
		return (await this.send(...sent)).status;
	}

	/** Sends a body as the service could, and returns the whole response. */
	async send(...sent: Parameters<FakeN8n['deliver']>) {
		const { status, body: text } = await this.n8n.deliver(...sent);
		await this.rest();
		return { status, data: JSON.parse(text) as { started?: boolean; reason?: string } };
	}
}

/** The value of Pages. */
export const pagesOption = (...pageIds: Array<string | number>): INodeParameters => ({
	page: pageIds.map((value) => ({ pageId: { __rl: true, mode: 'list', value } })),
});

/** The error of what fails. */
export const caught = async (work: Promise<unknown>) =>
	await work.then(
		() => undefined,
		(error: Error & { description?: string }) => error,
	);

/** A setup for the tests of one file, anew for each. None of them may make n8n fail. */
export function setUpTrigger(): TriggerSetup {
	const setup = new TriggerSetup();
	const network = new FakeNetwork();
	let time: PassingTime;
	beforeAll(() => {
		time = new PassingTime();
		network.answerBy(async (request) => await setup.serve(request));
	});
	beforeEach(async () => {
		await setup.reset();
		// The shortest of all random waits.
		jest.spyOn(Math, 'random').mockReturnValue(0);
		// Node's own one waits in real time.
		jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
			const controller = new AbortController();
			setTimeout(() => controller.abort(new DOMException('Too late', 'TimeoutError')), ms);
			return controller.signal;
		});
	});
	afterEach(() => {
		jest.restoreAllMocks();
		expect(setup.n8n.failures).toEqual([]);
	});
	afterAll(async () => {
		network.close();
		await time.end();
	});
	return setup;
}
