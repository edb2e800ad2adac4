import { randomUUID } from 'node:crypto';
import type { EventKind, WebhookSubscription } from '../../sandbox/index.mts';
import { itemsOf, type JsonObject } from '../../tools/n8n/execution.mts';
import type { WorkflowNode } from '../../tools/n8n/workflow.mts';
import { waitFor } from '../waitFor.mts';
import { credentialType, describeNode, type N8nSetup, type RunOutput } from './n8nSetup.mts';

/** A workflow of one of the package's triggers. */
class TriggerWorkflow {
	readonly id: string;
	readonly node: WorkflowNode;
	protected readonly setup: N8nSetup;

	protected constructor(setup: N8nSetup, id: string, node: WorkflowNode) {
		this.setup = setup;
		this.id = id;
		this.node = node;
	}

	/** Rejects with the message that n8n shows. */
	async publish(): Promise<void> {
		await this.setup.publish(this.id);
	}

	async unpublish(): Promise<void> {
		await this.setup.unpublish(this.id);
	}

	/** What the trigger gave out, the oldest execution first, once there are so many and all are over. */
	async runs(count: number, withinMs?: number): Promise<RunOutput[]> {
		return await this.setup.runs(this.id, this.node.name, count, withinMs);
	}

	/** What n8n has stored for the trigger. */
	async readStaticData(): Promise<string> {
		return JSON.stringify((await this.setup.client.getWorkflow(this.id)).staticData ?? {});
	}
}

const describeTrigger = (
	{ credential }: N8nSetup,
	name: 'Trigger' | 'Polling Trigger',
	parameters: JsonObject,
): WorkflowNode => {
	const type = `n8n-nodes-page-audience.pageAudience${name.replace(' ', '')}`;
	const more = { id: randomUUID(), credentials: { [credentialType]: credential } };
	return describeNode(`Page Audience ${name}`, type, parameters, more);
};

/** A subscription that nobody uses unless told. */
export function addSubscription(
	{ sandbox }: N8nSetup,
	change: Partial<WebhookSubscription> = {},
): WebhookSubscription {
	const now = new Date().toISOString();
	return sandbox.store.subscriptions.add({
		// The sandbox would give the same IDs after each reset, and a service never does.
		subscriptionId: `subscription_${randomUUID().replaceAll('-', '').slice(0, 26)}`,
		...unused,
		createdAt: now,
		updatedAt: now,
		...change,
	});
}

/** How a subscription is that nobody uses. */
export const unused = {
	url: 'https://example.com/old?secret=s3',
	events: ['form.enriched' as const],
	active: false,
};

export class WebhookTrigger extends TriggerWorkflow {
	subscription!: WebhookSubscription;

	/** Not published. It starts for form.submitted, and uses a new subscription, unless `parameters` say otherwise. */
	static async create(
		setup: N8nSetup,
		options: JsonObject = {},
		subscription = addSubscription(setup),
		parameters: JsonObject = {},
	): Promise<WebhookTrigger> {
		const node = {
			...describeTrigger(setup, 'Trigger', {
				// As the editor stores a choice from the list.
				subscriptionId: { __rl: true, mode: 'list', value: subscription.subscriptionId },
				events: ['form.submitted'],
				options,
				...parameters,
			}),
			webhookId: randomUUID(),
		};
		const id = await setup.createWorkflow({ name: 'Trigger', nodes: [node], connections: {} });
		return Object.assign(new WebhookTrigger(setup, id, node), { subscription });
	}

	static async createPublished(setup: N8nSetup, options: JsonObject = {}): Promise<WebhookTrigger> {
		const trigger = await WebhookTrigger.create(setup, options);
		await trigger.publish();
		return trigger;
	}

	get productionUrl(): string {
		return `${this.setup.webhookUrl}/webhook/${this.node.webhookId}/webhook`;
	}
	get testUrl(): string {
		return `${this.setup.webhookUrl}/webhook-test/${this.node.webhookId}/webhook`;
	}

	/** Saves it with other parameters, as the editor does; what is published stays as it was. */
	async change(parameters: JsonObject): Promise<void> {
		Object.assign(this.node.parameters, parameters);
		await this.save();
	}

	/** Saves the node as it is now, and others beside it. */
	async save(...others: WorkflowNode[]): Promise<void> {
		await this.setup.client.updateWorkflow(this.id, { nodes: [this.node, ...others] });
	}

	/** A test run begins. Rejects with the message that n8n shows. */
	async listen(): Promise<void> {
		await this.setup.client.listenForTestEvent(this.id, this.node.name);
	}

	/** Returns before the test has ended. */
	async stopListening(): Promise<void> {
		await this.setup.client.stopListening(this.id);
	}

	/** An event as the service sends it. @returns the status, or nothing where the subscription does not ask for it */
	async emit(kind: EventKind, data: JsonObject = {}): Promise<number | undefined> {
		const { active, events, url } = this.subscription;
		if (!active || !events?.includes(kind)) return undefined;
		return await deliver(url, { event: kind, data });
	}

	/** One event starts exactly one execution in production. */
	async expectRun(): Promise<void> {
		const { length: count } = await this.setup.client.listExecutions(this.id);
		expect(await this.emit('form.submitted')).toBe(200);
		const runs = await this.runs(count + 1);
		expect(runs.slice(count)).toMatchObject([{ mode: 'webhook', status: 'success' }]);
	}
}

/** Waits until a subscription is so again. n8n does not announce the end of a test. */
export async function untilRestored(
	subscription: WebhookSubscription,
	state: Partial<WebhookSubscription>,
): Promise<void> {
	const isBack = () =>
		Object.entries(state).every(
			([key, value]) => JSON.stringify(subscription[key as 'url']) === JSON.stringify(value),
		);
	await waitFor('the restored subscription', isBack);
}

/**
 * Sends a body as a service could, and gives the status. While n8n waits for its database, it does nothing and responds
 * 503: a service would send again.
 */
export async function deliver(
	url: string,
	body: JsonObject | string,
	given: Record<string, string> = { 'content-type': 'application/json' },
): Promise<number> {
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	const headers = { ...given, connection: 'close' };
	for (;;) {
		const response = await fetch(url, { method: 'POST', headers, body: text, redirect: 'manual' });
		await response.arrayBuffer();
		if (response.status !== 503) return response.status;
	}
}

/** n8n takes no poll time that comes more often than once a minute, but as many poll times as one likes. */
const pollTimes = [0, 10, 20, 30, 40, 50].map((second) => ({
	mode: 'custom',
	cronExpression: `${second} * * * * *`,
}));

/** New Session of a page, polled all the time. */
export class PollingTrigger extends TriggerWorkflow {
	/** Not published. */
	static async create(setup: N8nSetup, parameters: JsonObject = {}): Promise<PollingTrigger> {
		const [{ pageId }] = setup.sandbox.store.pages.all();
		const node = describeTrigger(setup, 'Polling Trigger', {
			pollTimes: { item: pollTimes },
			event: 'newSession',
			pageId,
			...parameters,
		});
		const id = await setup.createWorkflow({ name: 'Polling', nodes: [node], connections: {} });
		return new PollingTrigger(setup, id, node);
	}

	/** A session that is in the service from now on. @returns its ID */
	addSession(hoursAgo = 0): string {
		const { sessions } = this.setup.sandbox.store;
		const audienceSessionId = `audsession_${randomUUID()}`;
		const sessionStartedAt = new Date(Date.now() - hoursAgo * 3_600_000).toISOString();
		const [like] = sessions.of(String(this.node.parameters.pageId));
		sessions.add({ ...like, audienceSessionId, sessionStartedAt });
		return audienceSessionId;
	}

	/** The sessions of all executions, once there are so many: a poll may get one of two that were added together. */
	async sessions(count: number, statuses = ['success']): Promise<unknown[]> {
		return await waitFor(`${count} sessions`, async () => {
			const runs = await this.runs(1);
			expect(runs.filter(({ status }) => !statuses.includes(status))).toEqual([]);
			const ids = runs.flatMap(({ items }) => items.map((item) => item.audienceSessionId));
			return ids.length >= count && ids;
		});
	}

	/** Waits for more than a minute, in case that n8n keeps to one of the poll times only. */
	async untilPolled(): Promise<void> {
		const { requests } = this.setup.sandbox;
		const polls = () => requests.filter(({ path }) => path.endsWith('/audience_sessions')).length;
		const before = polls();
		await waitFor('a poll', () => polls() > before, 90_000);
	}

	async fetchTestEvent(): Promise<JsonObject[]> {
		const { client } = this.setup;
		const { name } = this.node;
		const execution = await client.waitForExecution(await client.runWorkflow(this.id, name));
		return itemsOf(execution, name).map(({ json }) => json);
	}
}
