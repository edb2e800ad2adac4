import { HookContext, WebhookContext } from 'n8n-core';
import {
	type IDataObject,
	type INodeParameters,
	type IWebhookData,
	ObservableObject,
	type Workflow,
} from 'n8n-workflow';
import { PageAudienceTrigger } from '../../../nodes/PageAudienceTrigger/PageAudienceTrigger.node.ts';
import { makeAdditionalData, makeWorkflowOf } from '../additionalData.mts';
import { type FakeN8n, keyOf, type Route } from './fakeN8n.mts';

/** Where the service is. */
export const apiUrl = 'https://api.example';

export interface TriggerOptions {
	events?: string[] | string;
	options?: INodeParameters;
	/** n8n's own identifier of the webhook; null for a node without one. */
	id?: string | null;
	name?: string;
	/** The workflow that the trigger is in. */
	workflowId?: string;
	/** Where n8n believes to be; by default where it is. */
	address?: string;
}

let lastId = 0;

/** One workflow with the trigger in it, and what n8n does with it, with n8n's own contexts and its hooks in n8n's order. */
export class Trigger {
	readonly id: string;
	/** As in n8n's database. */
	staticData: IDataObject = {};
	/** As they stand in the editor: a test takes these, production those that were published. */
	parameters: INodeParameters;
	name: string;
	published: { name: string; parameters: INodeParameters } | undefined;
	credential = { baseUrl: apiUrl, apiKey: 'the-api-key' };
	/** Where n8n believes to be. */
	base: string;
	readonly n8n: FakeN8n;
	readonly #webhookId: string | undefined;
	readonly #workflowId: string;
	#testData: IDataObject | undefined;
	/** The version that n8n takes for published, because `delete` failed after a publishing that had failed. */
	#kept = '';

	constructor(n8n: FakeN8n, subscriptionId: string, settings: TriggerOptions = {}) {
		const { address = n8n.url, name = 'Page Audience Trigger', id = `hook-${++lastId}` } = settings;
		const { events = ['form.submitted'], options = {} } = settings;
		this.n8n = n8n;
		this.base = address;
		this.name = name;
		this.#webhookId = id ?? undefined;
		this.#workflowId = settings.workflowId ?? `workflow-${++lastId}`;
		this.id = id ?? `${this.#workflowId}/${encodeURIComponent(name.toLowerCase())}`;
		const chosen = { __rl: true, mode: 'list', value: subscriptionId };
		this.parameters = { subscriptionId: chosen, events, options };
	}

	get productionUrl(): string {
		return `${this.base}/webhook/${this.id}/webhook`;
	}
	get testUrl(): string {
		return `${this.base}/webhook-test/${this.id}/webhook`;
	}
	get isListening(): boolean {
		return this.n8n.routes.has(keyOf(this.testUrl));
	}
	/** What is in the editor, as a version to publish. */
	get version() {
		return structuredClone({ name: this.name, parameters: this.parameters });
	}

	#makeWorkflow(active: boolean, staticData: IDataObject = structuredClone(this.staticData)) {
		const { name, parameters } = (active && this.published) || this;
		const node = { id: '1', name, parameters, webhookId: this.#webhookId };
		const workflow = { id: this.#workflowId, active, staticData };
		return makeWorkflowOf(new PageAudienceTrigger(), node, workflow);
	}

	/** Runs one hook as n8n does. */
	async hook(
		name: 'checkExists' | 'create' | 'delete',
		workflow = this.#makeWorkflow(true),
		isTest = false,
		activation: 'activate' | 'init' = 'activate',
	): Promise<boolean> {
		const isEnd = name === 'delete';
		const context = new HookContext(
			workflow,
			Object.values(workflow.nodes)[0],
			this.#makeData(workflow),
			isEnd ? 'internal' : isTest ? 'manual' : 'trigger',
			isEnd ? 'update' : isTest ? 'manual' : activation,
			describeWebhook(isTest),
		);
		this.#keepLog(context);
		return await new PageAudienceTrigger().webhookMethods.default[name].call(context);
	}

	/**
	 * Publishes; `delete` follows a failed try, in the older engine without what that try kept. The new engine calls nothing
	 * for a version that it takes for published.
	 */
	async publish(tries = 1): Promise<void> {
		this.published = this.version;
		this.n8n.routes.set(keyOf(this.productionUrl), this.#serve('webhook'));
		const isOlder = this.n8n.engine === 'older';
		const version = JSON.stringify(this.published);
		if (!isOlder && version === this.#kept) return;
		const workflow = this.#makeWorkflow(true);
		for (let tried = 1; ; tried++) {
			try {
				if (!(await this.hook('checkExists', workflow))) await this.hook('create', workflow);
				return this.#save(workflow);
			} catch (error) {
				const seen = isOlder ? this.#makeWorkflow(true) : workflow;
				this.#kept = '';
				await this.hook('delete', seen).catch(() => (this.#kept = version));
				if (isOlder || tried >= tries) this.#save(seen);
				if (tried >= tries) throw error;
			}
		}
	}

	/** n8n's older engine starts what is published. */
	async startOlder(): Promise<void> {
		const workflow = this.#makeWorkflow(true);
		await this.hook('create', workflow, false, 'init');
		this.#save(workflow);
	}

	async unpublish(): Promise<void> {
		this.#kept = '';
		this.n8n.routes.delete(keyOf(this.productionUrl));
		const workflow = this.#makeWorkflow(true);
		await this.hook('delete', workflow);
		this.#save(workflow);
	}

	/** A person starts a test run in the editor. */
	async listen(): Promise<void> {
		const path = keyOf(this.testUrl);
		const workflow = this.#makeWorkflow(false, ObservableObject.create({}) as IDataObject);
		this.#testData = undefined;
		this.n8n.routes.set(path, this.#serve('manual'));
		try {
			await this.hook('create', workflow, true);
		} catch (error) {
			await this.hook('delete', workflow, true);
			this.n8n.routes.delete(path);
			throw error;
		}
		this.#testData = copy(workflow.staticData);
		this.n8n.routes.set(path, this.#serve('manual'));
	}

	async endListening(): Promise<void> {
		this.n8n.routes.delete(keyOf(this.testUrl));
		await this.hook('delete', this.#makeWorkflow(false, this.#testData ?? {}), true);
	}

	/** n8n is killed: no hook runs, and what was in memory is lost. */
	kill(): void {
		this.#testData = undefined;
		this.n8n.routes.delete(keyOf(this.testUrl));
	}

	#serve(mode: 'webhook' | 'manual'): Route {
		return async (request, response) => {
			const workflow = this.#makeWorkflow(mode === 'webhook');
			if (mode === 'manual' && this.#testData) workflow.setTestStaticData(this.#testData);
			const [node] = Object.values(workflow.nodes);
			const data = this.#makeData(workflow);
			Object.assign(data, { httpRequest: request, httpResponse: response });
			const webhook = describeWebhook(mode === 'manual');
			const context = new WebhookContext(workflow, node, data, mode, webhook, [], null);
			this.#keepLog(context);
			const { workflowData, webhookResponse, noWebhookResponse } =
				await new PageAudienceTrigger().webhook.call(context);
			if (noWebhookResponse) return;
			if (workflowData) this.n8n.executions.push({ trigger: this.id, mode, outputs: workflowData });
			response.json(webhookResponse);
			if (workflowData && mode === 'manual') await this.endListening();
		};
	}

	#makeData(workflow: Workflow) {
		return {
			...makeAdditionalData(workflow, this.credential),
			webhookBaseUrl: `${this.base}/webhook`,
			webhookTestBaseUrl: `${this.base}/webhook-test`,
		};
	}

	#save({ staticData }: Workflow): void {
		if (!this.n8n.isDead) this.staticData = copy(staticData);
	}

	#keepLog(context: object): void {
		const write = (...parts: unknown[]) => this.n8n.log.push(parts.map(String).join(' '));
		const logger = { error: write, warn: write, info: write, debug: write };
		Object.defineProperty(context, 'logger', { value: logger });
	}
}

/** As a database keeps it. */
const copy = (staticData: object) => JSON.parse(JSON.stringify(staticData)) as IDataObject;

function describeWebhook(isTest: boolean): IWebhookData {
	const webhookDescription = new PageAudienceTrigger().description.webhooks?.[0];
	return { isTest, webhookDescription } as IWebhookData;
}
