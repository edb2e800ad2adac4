import 'reflect-metadata';
import { EventEmitter, once } from 'node:events';
import express from 'express';
import { HookContext, WebhookContext } from 'n8n-core';
import {
	type IDataObject,
	type INodeExecutionData,
	type INodeParameters,
	type IWebhookData,
	NodeHelpers,
	ObservableObject,
	Workflow,
} from 'n8n-workflow';
import { PageAudienceTrigger } from '../../../nodes/PageAudienceTrigger/PageAudienceTrigger.node.ts';
import { type LocalServer, serve } from '../../localServer.mts';
import { makeAdditionalData } from '../additionalData.mts';

/** A request as it arrives at n8n. */
interface Incoming {
	method: string;
	/** Path with query. */
	url: string;
	headers: IDataObject;
	body?: Buffer;
}

interface Answer {
	status: number;
	headers: Record<string, string>;
	body: string;
}

type Route = (request: object, response: Response) => Promise<void>;

interface Execution {
	trigger: string;
	mode: 'webhook' | 'manual';
	/** The items of each output. */
	outputs: INodeExecutionData[][];
	/** The items of all outputs. */
	items: INodeExecutionData[];
}

export interface Setup {
	parameters: INodeParameters;
	credential: { baseUrl: string; apiKey: string };
	/** n8n's own identifier of the webhook; null for a node without one. */
	id?: string | null;
	name?: string;
	/** The workflow that the trigger is in. */
	workflowId?: string;
	/** Where n8n believes to be; by default where it is. */
	address?: string;
}

/** What n8n gives a webhook for its response. */
class Response extends EventEmitter {
	statusCode = 200;
	readonly bodies: string[] = [];

	status(status: number): this {
		this.statusCode = status;
		return this;
	}

	json(body: unknown): this {
		this.bodies.push(JSON.stringify(body) ?? '');
		this.emit('sent');
		// Node tells it once everything is sent.
		setImmediate(() => this.emit('finish'));
		return this;
	}
}

const app = express();
app.set('query parser', 'extended');
const parseQuery = app.get('query parser fn') as (query: string) => unknown;

/** What n8n does around a trigger, with n8n's own contexts: routes, hooks in its order, and responses. */
export class Host {
	readonly executions: Execution[] = [];
	/** What the node logged. */
	readonly log: string[] = [];
	/** Every delivery that arrived. */
	readonly arrivals: Array<{ path: string; headers: IDataObject; body: string }> = [];
	/** What n8n would have answered twice, or with its own failure. */
	readonly failures: string[] = [];
	readonly routes = new Map<string, Route>();
	/** As N8N_ENDPOINT_WEBHOOK and N8N_ENDPOINT_WEBHOOK_TEST name them. */
	endpoints = { webhook: 'webhook', test: 'webhook-test' };
	/** n8n responds so where the node started the workflow, for example because it cannot create the execution. */
	executionStatus = 200;

	readonly url: string;
	readonly close: LocalServer['close'];
	readonly #working = new Set<Promise<void>>();

	/** Without a server when only `handle` is to be called. */
	constructor(url: string, close = () => {}) {
		this.url = url;
		this.close = close;
	}

	static async start(): Promise<Host> {
		const server = await serve(async ({ method, path, headers, body }) => {
			const sent = body.length > 0 ? body : undefined;
			return await host.handle({ method, url: path, headers: { ...headers }, body: sent });
		});
		const host: Host = new Host(server.url, server.close);
		return host;
	}

	trigger(setup: Setup): Trigger {
		return new Trigger(this, setup);
	}

	/** Answers a request as n8n does. */
	async handle(request: Incoming): Promise<Answer> {
		const { method, url, headers, body } = request;
		const [path, query = ''] = url.split('?');
		if (method === 'POST') this.arrivals.push({ path: url, headers, body: body?.toString() ?? '' });
		const route = this.routes.get(keyOf(path));
		if (!route || method !== 'POST') return refuse(method, route !== undefined);
		const response = new Response();
		const sent = once(response, 'sent');
		const parsed = { ...request, originalUrl: url, query: parseQuery(query), ...readBody(request) };
		const working: Promise<void> = route(parsed, response)
			.catch((error: unknown) => this.failures.push(String(error)))
			.then(() => {
				const { length } = response.bodies;
				if (length !== 1) this.failures.push(`${length} responses`);
				this.#working.delete(working);
			});
		this.#working.add(working);
		// The response goes out while n8n still works: it ends a test after that.
		await Promise.race([sent, working]);
		return { status: response.statusCode, headers: json, body: response.bodies[0] };
	}

	/** Waits for what is under way, the end of a test after its response among it. */
	async settle(): Promise<void> {
		while (this.#working.size) await Promise.all(this.#working);
	}

	async reset(): Promise<void> {
		await this.settle();
		this.endpoints = { webhook: 'webhook', test: 'webhook-test' };
		this.executions.length = this.log.length = this.arrivals.length = this.failures.length = 0;
		this.routes.clear();
		this.executionStatus = 200;
	}
}

const json = { 'content-type': 'application/json' };

/** n8n ignores the case of letters before the ID, and a slash at the end. */
function keyOf(path: string): string {
	return decodeURIComponent(path).toLowerCase().replace(/\/$/, '');
}

/** Browsers ask with OPTIONS, and n8n names the methods of a webhook to them. */
function refuse(method: string, isKnown: boolean): Answer {
	if (method !== 'OPTIONS') return { status: 404, headers: json, body: '{"code":404}' };
	const methods = isKnown ? 'OPTIONS, POST' : 'OPTIONS';
	return { status: 204, headers: { 'access-control-allow-methods': methods }, body: '' };
}

/** As n8n parses bodies: JSON, forms and text by their type, and nothing else. */
function readBody({ headers, body: rawBody }: Incoming) {
	const [contentType] = String(headers['content-type'] ?? '').split(';');
	return { contentType, rawBody, body: parse(rawBody?.toString() ?? '', contentType) };
}

function parse(text: string, type: string): unknown {
	if (text === '') return undefined;
	if (type === 'application/json') return JSON.parse(text);
	if (type === 'text/plain') return text;
	if (type !== 'application/x-www-form-urlencoded') return undefined;
	// n8n's parser makes objects without a prototype.
	const fields = Object.create(null) as object;
	return Object.assign(fields, Object.fromEntries(new URLSearchParams(text)));
}

let lastId = 0;

/** One workflow with the trigger in it. */
export class Trigger {
	readonly id: string;
	/** As in n8n's database. */
	staticData: IDataObject = {};
	/** As they stand in the editor: a test takes these, production those that were published. */
	parameters: INodeParameters;
	name: string;
	published: { name: string; parameters: INodeParameters } | undefined;
	credential: Setup['credential'];
	/** Where n8n believes to be. */
	base: string;
	readonly host: Host;
	readonly #webhookId: string | undefined;
	readonly #workflowId: string;
	#testData: IDataObject | undefined;

	constructor(host: Host, setup: Setup) {
		const { address = host.url, name = 'Page Audience Trigger', id = `hook-${++lastId}` } = setup;
		this.host = host;
		this.base = address;
		this.name = name;
		this.#webhookId = id ?? undefined;
		this.#workflowId = setup.workflowId ?? `workflow-${++lastId}`;
		this.id = id ?? `${this.#workflowId}/${encodeURIComponent(name.toLowerCase())}`;
		this.parameters = setup.parameters;
		this.credential = setup.credential;
	}

	get productionUrl(): string {
		return `${this.base}/${this.host.endpoints.webhook}/${this.id}/webhook`;
	}
	get testUrl(): string {
		return `${this.base}/${this.host.endpoints.test}/${this.id}/webhook`;
	}
	get isListening(): boolean {
		return this.host.routes.has(routeOf(this.testUrl));
	}

	makeWorkflow(active: boolean, staticData: IDataObject = {}): Workflow {
		const node = new PageAudienceTrigger();
		const { name, parameters } = (active && this.published) || this;
		return new Workflow({
			id: this.#workflowId,
			name: 'Test',
			active,
			staticData,
			nodeTypes: {
				getByName: () => node,
				getByNameAndVersion: () => NodeHelpers.getVersionedNodeType(node, 1),
				getKnownTypes: () => ({}),
			},
			nodes: [
				{
					id: '1',
					name,
					type: 'n8n-nodes-page-audience.pageAudienceTrigger',
					typeVersion: 1,
					position: [0, 0],
					webhookId: this.#webhookId,
					parameters,
					credentials: { pageAudienceApi: { id: '1', name: 'Page Audience API' } },
				},
			],
			connections: {},
		});
	}

	/** Runs one hook as n8n does. */
	async hook(
		name: 'checkExists' | 'create' | 'delete',
		workflow = this.makeWorkflow(true),
		isTest = false,
	): Promise<boolean> {
		const [node] = Object.values(workflow.nodes);
		const isEnd = name === 'delete';
		const context = new HookContext(
			workflow,
			node,
			this.#makeData(workflow),
			isEnd ? 'internal' : isTest ? 'manual' : 'trigger',
			isEnd ? 'update' : isTest ? 'manual' : 'activate',
			describeWebhook(isTest),
		);
		this.#listenToLog(context);
		return await new PageAudienceTrigger().webhookMethods.default[name].call(context);
	}

	/** Publishes; `delete` follows a failed try, in the older engine without what that try kept. */
	async publish({ engine = 'new' as 'new' | 'older', tries = 1 } = {}): Promise<void> {
		this.start();
		const workflow = this.#readWorkflow(true);
		for (let tried = 1; ; tried++) {
			try {
				if (!(await this.hook('checkExists', workflow))) await this.hook('create', workflow);
				break;
			} catch (error) {
				const seen = engine === 'new' ? workflow : this.#readWorkflow(true);
				await this.hook('delete', seen).catch(() => undefined);
				if (engine === 'older' || tried >= tries) this.#save(seen);
				if (tried >= tries) throw error;
			}
		}
		this.#save(workflow);
	}

	/** n8n starts: it takes deliveries to what is published, and calls no hook. */
	start(): void {
		this.published = structuredClone({ name: this.name, parameters: this.parameters });
		this.host.routes.set(routeOf(this.productionUrl), this.#serve('webhook'));
	}

	async unpublish(): Promise<void> {
		this.host.routes.delete(routeOf(this.productionUrl));
		const workflow = this.#readWorkflow(true);
		await this.hook('delete', workflow);
		this.#save(workflow);
	}

	/** A person starts a test run in the editor. */
	async listen(): Promise<void> {
		const path = routeOf(this.testUrl);
		const workflow = this.makeWorkflow(false, ObservableObject.create({}) as IDataObject);
		this.#testData = undefined;
		this.host.routes.set(path, this.#serve('manual'));
		try {
			await this.hook('create', workflow, true);
		} catch (error) {
			await this.hook('delete', workflow, true);
			this.host.routes.delete(path);
			throw error;
		}
		this.#testData = JSON.parse(JSON.stringify(workflow.staticData)) as IDataObject;
		this.host.routes.set(path, this.#serve('manual'));
	}

	async endListening(): Promise<void> {
		const workflow = this.makeWorkflow(false);
		if (this.#testData) workflow.staticData = this.#testData;
		this.host.routes.delete(routeOf(this.testUrl));
		await this.hook('delete', workflow, true);
	}

	/** n8n is killed: no hook runs, and what was in memory is lost. */
	kill(): void {
		this.#testData = undefined;
		this.host.routes.delete(routeOf(this.testUrl));
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
			this.#listenToLog(context);
			const { workflowData, webhookResponse, noWebhookResponse } =
				await new PageAudienceTrigger().webhook.call(context);
			if (noWebhookResponse) return;
			if (!workflowData) return void response.json(webhookResponse);
			const status = this.host.executionStatus;
			if (status >= 400) return void response.status(status).json({});
			const items = workflowData.flat();
			this.host.executions.push({ trigger: this.id, mode, outputs: workflowData, items });
			response.json(webhookResponse);
			if (mode === 'manual') await this.endListening();
		};
	}

	#makeData(workflow: Workflow) {
		return {
			...makeAdditionalData(workflow, this.credential),
			webhookBaseUrl: `${this.base}/${this.host.endpoints.webhook}`,
			webhookTestBaseUrl: `${this.base}/${this.host.endpoints.test}`,
		};
	}

	#readWorkflow(active: boolean): Workflow {
		return this.makeWorkflow(active, structuredClone(this.staticData));
	}

	#save(workflow: Workflow): void {
		this.staticData = JSON.parse(JSON.stringify(workflow.staticData)) as IDataObject;
	}

	#listenToLog(context: object): void {
		const write = (...parts: unknown[]) => this.host.log.push(parts.map(String).join(' '));
		Object.defineProperty(context, 'logger', {
			value: { error: write, warn: write, info: write, debug: write },
		});
	}
}

/** n8n compares paths, whatever it believes its address to be. */
function routeOf(url: string): string {
	return keyOf(new URL(url).pathname);
}

function describeWebhook(isTest: boolean): IWebhookData {
	const webhookDescription = new PageAudienceTrigger().description.webhooks?.[0];
	return { isTest, webhookDescription } as IWebhookData;
}
