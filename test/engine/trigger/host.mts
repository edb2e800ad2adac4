import 'reflect-metadata';
import { EventEmitter } from 'node:events';
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

const type = 'n8n-nodes-page-audience.pageAudienceTrigger';
type Hook = 'checkExists' | 'create' | 'delete';

/** A request as it arrives at n8n. */
export interface Incoming {
	method: string;
	/** Path with query. */
	url: string;
	headers: IDataObject;
	body?: Buffer;
	/** Gets what n8n responds with, to close it early. */
	onResponse?: (response: Response) => void;
}

export interface Answer {
	status: number;
	headers: Record<string, string>;
	body: string;
}

/** What n8n reads of a body before it calls a node. */
export interface ReadBody {
	contentType?: string;
	encoding?: string;
	rawBody?: Buffer;
	body?: unknown;
}

type Route = (request: Incoming & { query: unknown }, response: Response) => Promise<void>;

export interface Execution {
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
export class Response extends EventEmitter {
	readonly answer: Answer = { status: 200, headers: {}, body: '' };
	sent = 0;
	writableEnded = false;
	destroyed = false;

	get statusCode(): number {
		return this.answer.status;
	}

	status(status: number): this {
		this.answer.status = status;
		return this;
	}

	/** The client is gone, or has it all. */
	close(): void {
		if (this.destroyed) return;
		this.destroyed = true;
		this.emit('close');
	}

	setHeader(name: string, value: string): this {
		this.answer.headers[name] = value;
		return this;
	}

	json(body: unknown): this {
		this.sent++;
		if (this.sent === 1) this.answer.body = JSON.stringify(body) ?? '';
		this.writableEnded = true;
		// Node tells it once everything is sent.
		setImmediate(() => {
			if (!this.destroyed) this.emit('finish');
			this.close();
		});
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
	/** Every delivery that arrived: path with query, headers, body. */
	readonly arrivals: Array<{ path: string; headers: IDataObject; body: string; status?: number }> =
		[];
	/** What n8n would have answered twice, or with its own failure. */
	readonly failures: string[] = [];
	readonly routes = new Map<string, Route>();
	/** As N8N_ENDPOINT_WEBHOOK and N8N_ENDPOINT_WEBHOOK_TEST name them. */
	endpoints = { webhook: 'webhook', test: 'webhook-test' };
	/** A proxy in front of n8n, which answers some requests itself. */
	proxy?: (request: Incoming) => Answer | undefined;
	/** Whether n8n can create the execution, if not always. It responds 500 to what it cannot, or as this says. */
	createExecution?: (request: Incoming) => Promise<number>;

	/** Reads a body as n8n does, but only in the usual charset. */
	readBody: (request: Incoming) => ReadBody | Promise<ReadBody> = readUsualBody;

	readonly url: string;
	readonly close: LocalServer['close'];
	readonly #running = new Set<Promise<void>>();

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

	executionsOf({ id }: Trigger): Execution[] {
		return this.executions.filter(({ trigger }) => trigger === id);
	}

	/** Answers a request as n8n does. */
	async handle(request: Incoming): Promise<Answer> {
		const { method, url, headers, body } = request;
		const text = body?.toString() ?? '';
		const arrival = { path: url, headers, body: text, status: undefined as number | undefined };
		if (method === 'POST') this.arrivals.push(arrival);
		const answer = this.proxy?.(request) ?? (await this.#route(request));
		arrival.status = answer.status;
		return answer;
	}

	async #route(request: Incoming): Promise<Answer> {
		const [path, query = ''] = request.url.split('?');
		const key = this.keyOf(path);
		const route = this.routes.get(key);
		if (!route || request.method !== 'POST') return notFound(request.method, path, key, !!route);
		const response = new Response();
		request.onResponse?.(response);
		const parsed = {
			...request,
			originalUrl: request.url,
			query: parseQuery(query),
			...((await this.readBody(request)) as { body?: Buffer }),
		};
		// The response goes out while n8n still works: it ends a test after that.
		await new Promise<void>((resolve) => {
			const json = response.json.bind(response);
			response.json = (body) => (resolve(), json(body));
			response.once('close', resolve);
			const running = route(parsed, response)
				.catch((error: unknown) => this.failures.push(String(error)))
				.then(() => {
					if (response.sent !== 1 && !response.destroyed)
						this.failures.push(`${response.sent} responses`);
				})
				.finally(() => (this.#running.delete(running), resolve()));
			this.#running.add(running);
		});
		return {
			...response.answer,
			headers: { 'content-type': 'application/json', ...response.answer.headers },
		};
	}

	/** Waits for what is under way, the end of a test after its response among it. */
	async settle(): Promise<void> {
		while (this.#running.size) await Promise.all(this.#running);
	}

	/** n8n ignores the case of letters up to the path of a webhook, and one slash at its end. */
	keyOf(path: string): string {
		const { webhook, test } = this.endpoints;
		const at = [test, webhook]
			.map((endpoint) => ({ endpoint, from: path.toLowerCase().indexOf(`/${endpoint}/`) }))
			.find(({ from }) => from >= 0);
		if (!at) return path;
		const rest = path.slice(at.from + at.endpoint.length + 2);
		return `${path.slice(0, at.from)}/${at.endpoint}/${decodeURIComponent(rest).replace(/\/$/, '')}`;
	}

	async reset(): Promise<void> {
		await this.settle();
		this.endpoints = { webhook: 'webhook', test: 'webhook-test' };
		this.executions.length = this.log.length = this.arrivals.length = this.failures.length = 0;
		this.routes.clear();
		this.proxy = this.createExecution = undefined;
		this.readBody = readUsualBody;
	}
}

function notFound(method: string, path: string, key: string, isKnown: boolean): Answer {
	const webhook = key.split('/').slice(2).join('/');
	const message = isKnown
		? `This webhook is not registered for ${method} requests. Did you mean to make a POST request?`
		: `The requested webhook "${method} ${webhook}" is not registered.`;
	// Browsers ask with OPTIONS, and n8n names the methods to them, but not where the path ends in a slash.
	const isOptions = method === 'OPTIONS';
	const isNamed = isKnown && !path.endsWith('/');
	return {
		status: isOptions ? 204 : 404,
		headers: {
			'content-type': 'application/json',
			...(isOptions
				? { 'access-control-allow-methods': isNamed ? 'OPTIONS, POST' : 'OPTIONS' }
				: {}),
		},
		body: isOptions ? '' : JSON.stringify({ code: 404, message }),
	};
}

/** As n8n parses bodies: JSON, forms and text by their type, and nothing else. */
function readUsualBody({ headers, body: rawBody }: Incoming): ReadBody {
	const [contentType] = String(headers['content-type'] ?? '').split(';');
	return { contentType, encoding: 'utf-8', rawBody, body: parse(rawBody, contentType) };
}

function parse(raw: Buffer | undefined, mime: string): unknown {
	if (!raw?.length) return undefined;
	if (mime === 'application/json') return JSON.parse(raw.toString());
	if (mime === 'text/plain') return raw.toString();
	if (mime === 'application/x-www-form-urlencoded')
		return Object.assign(
			Object.create(null),
			Object.fromEntries(new URLSearchParams(raw.toString())),
		);
	return undefined;
}

let lastId = 0;

/** What of a workflow is published. */
interface Version {
	name: string;
	parameters: INodeParameters;
}

/** One workflow with the trigger in it. */
export class Trigger {
	readonly id: string;
	readonly #webhookId: string | undefined;
	/** As in n8n's database. */
	staticData: IDataObject = {};
	/** As they stand in the editor: a test takes these, production those that were published. */
	parameters: INodeParameters;
	name = 'Page Audience Trigger';
	published: Version | undefined;
	credential: Setup['credential'];
	readonly #workflowId: string;
	#testData: IDataObject | undefined;

	/** Where n8n believes to be. */
	base: string;
	readonly host: Host;

	constructor(host: Host, setup: Setup) {
		this.host = host;
		this.base = setup.address ?? host.url;
		this.name = setup.name ?? this.name;
		this.#webhookId = setup.id === null ? undefined : (setup.id ?? `hook-${++lastId}`);
		this.#workflowId = setup.workflowId ?? `workflow-${this.#webhookId ?? ++lastId}`;
		this.id =
			this.#webhookId ?? `${this.#workflowId}/${encodeURIComponent(this.name.toLowerCase())}`;
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
		return this.host.routes.has(this.#routeOf(this.testUrl));
	}

	/** n8n compares paths, whatever it believes its address to be. */
	#routeOf(url: string): string {
		return this.host.keyOf(new URL(url).pathname);
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
					type,
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
	async hook(name: Hook, workflow: Workflow, isTest: boolean): Promise<boolean> {
		const [node] = Object.values(workflow.nodes);
		const isEnd = name === 'delete';
		const context = new HookContext(
			workflow,
			node,
			this.#makeData(workflow),
			isEnd ? 'internal' : isTest ? 'manual' : 'trigger',
			isEnd ? 'update' : isTest ? 'manual' : 'activate',
			{
				isTest,
				webhookDescription: new PageAudienceTrigger().description.webhooks?.[0],
			} as IWebhookData,
		);
		this.#listenToLog(context);
		return await new PageAudienceTrigger().webhookMethods.default[name].call(context);
	}

	/** Publishes; `delete` follows a failed try, in the older engine without what that try kept. */
	async publish({ engine = 'new' as 'new' | 'older', tries = 1 } = {}): Promise<void> {
		this.published = structuredClone({ name: this.name, parameters: this.parameters });
		const workflow = this.makeWorkflow(true, structuredClone(this.staticData));
		for (let tried = 1; ; tried++) {
			this.host.routes.set(this.#routeOf(this.productionUrl), this.#serve('webhook'));
			try {
				if (!(await this.hook('checkExists', workflow, false)))
					await this.hook('create', workflow, false);
				break;
			} catch (error) {
				const seen =
					engine === 'new' ? workflow : this.makeWorkflow(true, structuredClone(this.staticData));
				await this.hook('delete', seen, false).catch(() => undefined);
				if (engine === 'older') this.#save(seen);
				if (tried >= tries) {
					if (engine === 'new') this.#save(workflow);
					throw error;
				}
			}
		}
		this.#save(workflow);
	}

	/** n8n starts: it takes deliveries to what is published, and calls no hook. */
	start(): void {
		this.published = structuredClone({ name: this.name, parameters: this.parameters });
		this.host.routes.set(this.#routeOf(this.productionUrl), this.#serve('webhook'));
	}

	async unpublish(): Promise<void> {
		this.host.routes.delete(this.#routeOf(this.productionUrl));
		const workflow = this.makeWorkflow(true, structuredClone(this.staticData));
		await this.hook('delete', workflow, false);
		this.#save(workflow);
	}

	/** A person starts a test run in the editor. */
	async listen(): Promise<void> {
		const path = this.#routeOf(this.testUrl);
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
		this.host.routes.delete(this.#routeOf(this.testUrl));
		await this.hook('delete', workflow, true);
	}

	/** n8n is killed: no hook runs, and what was in memory is lost. */
	kill(): void {
		this.#testData = undefined;
		this.host.routes.delete(this.#routeOf(this.testUrl));
	}

	#serve(mode: 'webhook' | 'manual'): Route {
		return async (request, response) => {
			const workflow = this.makeWorkflow(mode === 'webhook', structuredClone(this.staticData));
			if (mode === 'manual' && this.#testData) workflow.setTestStaticData(this.#testData);
			const [node] = Object.values(workflow.nodes);
			const data = this.#makeData(workflow);
			Object.assign(data, { httpRequest: request, httpResponse: response });
			const description = new PageAudienceTrigger().description.webhooks?.[0];
			const context = new WebhookContext(
				workflow,
				node,
				data,
				mode,
				{ isTest: mode === 'manual', webhookDescription: description } as IWebhookData,
				[],
				null,
			);
			this.#listenToLog(context);
			try {
				const result = await new PageAudienceTrigger().webhook.call(context);
				const status = result.workflowData
					? ((await this.host.createExecution?.(request)) ?? 200)
					: 200;
				if (status >= 400) return void response.status(status).json({ message: 'Not created' });
				const outputs = result.workflowData;
				if (outputs)
					this.host.executions.push({ trigger: this.id, mode, outputs, items: outputs.flat() });
				if (!result.noWebhookResponse) response.status(status).json(result.webhookResponse);
				if (mode === 'manual' && result.workflowData) await this.endListening();
			} catch (error) {
				this.host.failures.push(String(error));
				response.status(500).json({ message: String(error) });
			}
		};
	}

	#makeData(workflow: Workflow) {
		return {
			...makeAdditionalData(workflow, this.credential),
			webhookBaseUrl: `${this.base}/${this.host.endpoints.webhook}`,
			webhookTestBaseUrl: `${this.base}/${this.host.endpoints.test}`,
		};
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
