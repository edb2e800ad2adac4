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
		this.n8n = n8n;
		this.base = address;
		this.name = name;
		this.#webhookId = id ?? undefined;
		this.#workflowId = settings.workflowId ?? `workflow-${++lastId}`;
		this.id = id ?? `${this.#workflowId}/${encodeURIComponent(name.toLowerCase())}`;
		const { events = ['form.submitted'], options = {} } = settings;
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

	makeWorkflow(active: boolean, staticData: IDataObject = {}): Workflow {
		const { name, parameters } = (active && this.published) || this;
		const node = { id: '1', name, parameters, webhookId: this.#webhookId };
		const workflow = { id: this.#workflowId, active, staticData };
		return makeWorkflowOf(new PageAudienceTrigger(), node, workflow);
	}

	/** Runs one hook as n8n does. */
	async hook(
		name: 'checkExists' | 'create' | 'delete',
		workflow = this.makeWorkflow(true),
		isTest = false,
		activation: 'activate' | 'init' = 'activate',
	): Promise<boolean> {
		const [node] = Object.values(workflow.nodes);
		const isEnd = name === 'delete';
		const context = new HookContext(
			workflow,
			node,
			this.#makeData(workflow),
			isEnd ? 'internal' : isTest ? 'manual' : 'trigger',
			isEnd ? 'update' : isTest ? 'manual' : activation,
			describeWebhook(isTest),
		);
		this.#prepare(context);
		return await new PageAudienceTrigger().webhookMethods.default[name].call(context);
	}

	/**
	 * Publishes; `delete` follows a failed try, in the older engine without what that try kept. The new engine calls nothing
	 * for a version that it takes for published.
	 */
	async publish({ engine = 'new' as 'new' | 'older', tries = 1 } = {}): Promise<void> {
		this.start();
		const version = JSON.stringify(this.published);
		if (engine === 'new' && version === this.#kept) return;
		await this.#create(engine, tries, 'activate');
	}

	async #create(engine: 'new' | 'older', tries: number, activation: 'activate' | 'init') {
		const version = JSON.stringify(this.published);
		const workflow = this.#readWorkflow(true);
		for (let tried = 1; ; tried++) {
			try {
				if (!(await this.hook('checkExists', workflow)))
					await this.hook('create', workflow, false, activation);
				break;
			} catch (error) {
				const seen = engine === 'new' ? workflow : this.#readWorkflow(true);
				this.#kept = '';
				await this.hook('delete', seen).catch(() => (this.#kept = version));
				if (engine === 'older' || tried >= tries) this.#save(seen);
				if (tried >= tries) throw error;
			}
		}
		this.#save(workflow);
	}

	/** n8n starts: it takes deliveries to what is published, and calls no hook. */
	start(): void {
		this.published = structuredClone({ name: this.name, parameters: this.parameters });
		this.n8n.routes.set(keyOf(this.productionUrl), this.#serve('webhook'));
	}

	/** n8n's older engine starts: it publishes again what is published. */
	async startOlder({ tries = 1 } = {}): Promise<void> {
		await this.#create('older', tries, 'init');
	}

	/** n8n's older engine takes deliveries until all triggers of the workflow have ended. */
	async unpublish({ engine = 'new' as 'new' | 'older' } = {}): Promise<void> {
		this.#kept = '';
		if (engine === 'new') this.n8n.routes.delete(keyOf(this.productionUrl));
		const workflow = this.#readWorkflow(true);
		await this.hook('delete', workflow);
		this.#save(workflow);
	}

	/** A person starts a test run in the editor. */
	async listen(): Promise<void> {
		const path = keyOf(this.testUrl);
		const workflow = this.makeWorkflow(false, ObservableObject.create({}) as IDataObject);
		this.#testData = undefined;
		this.n8n.routes.set(path, this.#serve('manual'));
		try {
			await this.hook('create', workflow, true);
		} catch (error) {
			await this.hook('delete', workflow, true);
			this.n8n.routes.delete(path);
			throw error;
		}
		this.#testData = JSON.parse(JSON.stringify(workflow.staticData)) as IDataObject;
		this.n8n.routes.set(path, this.#serve('manual'));
	}

	async endListening(): Promise<void> {
		const workflow = this.makeWorkflow(false);
		if (this.#testData) workflow.staticData = this.#testData;
		this.n8n.routes.delete(keyOf(this.testUrl));
		await this.hook('delete', workflow, true);
	}

	/** n8n is killed: no hook runs, and what was in memory is lost. */
	kill(): void {
		this.#testData = undefined;
		this.n8n.routes.delete(keyOf(this.testUrl));
	}

	#serve(mode: 'webhook' | 'manual'): Route {
		return async (request, response) => {
			const workflow = this.#readWorkflow(mode === 'webhook');
			if (mode === 'manual' && this.#testData) workflow.setTestStaticData(this.#testData);
			const [node] = Object.values(workflow.nodes);
			const data = this.#makeData(workflow);
			Object.assign(data, { httpRequest: request, httpResponse: response });
			const webhook = describeWebhook(mode === 'manual');
			const context = new WebhookContext(workflow, node, data, mode, webhook, [], null);
			this.#prepare(context);
			const { workflowData, webhookResponse, noWebhookResponse } =
				await new PageAudienceTrigger().webhook.call(context);
			if (noWebhookResponse) return;
			if (!workflowData) return void response.json(webhookResponse);
			this.n8n.executions.push({ trigger: this.id, mode, outputs: workflowData });
			response.json(webhookResponse);
			if (mode === 'manual') await this.endListening();
		};
	}

	#makeData(workflow: Workflow) {
		return {
			...makeAdditionalData(workflow, this.credential),
			webhookBaseUrl: `${this.base}/webhook`,
			webhookTestBaseUrl: `${this.base}/webhook-test`,
		};
	}

	#readWorkflow(active: boolean): Workflow {
		return this.makeWorkflow(active, structuredClone(this.staticData));
	}

	#save(workflow: Workflow): void {
		if (this.n8n.isDead) return;
		this.staticData = JSON.parse(JSON.stringify(workflow.staticData)) as IDataObject;
	}

	#prepare(context: object): void {
		const write = (...parts: unknown[]) => this.n8n.log.push(parts.map(String).join(' '));
		Object.defineProperty(context, 'logger', {
			value: { error: write, warn: write, info: write, debug: write },
		});
	}
}

function describeWebhook(isTest: boolean): IWebhookData {
	const webhookDescription = new PageAudienceTrigger().description.webhooks?.[0];
	return { isTest, webhookDescription } as IWebhookData;
}
