import 'reflect-metadata';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Request, type Response } from 'express';
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
import { makeAdditionalData } from '../engine.mts';

const type = 'n8n-nodes-page-audience.pageAudienceTrigger';
type Hook = 'checkExists' | 'create' | 'delete';
type Route = (request: Request, response: Response) => Promise<void>;

export interface Execution {
	trigger: string;
	mode: 'webhook' | 'manual';
	items: INodeExecutionData[];
}

export interface Setup {
	parameters: INodeParameters;
	credential: { baseUrl: string; apiKey: string };
	/** n8n's own identifier of the webhook. */
	id?: string;
	/** Where n8n believes to be; by default where it is. */
	address?: string;
}

/** What n8n does around a trigger, with n8n's own contexts: routes, hooks in its order, and answers. */
export class Host {
	readonly executions: Execution[] = [];
	/** What the node logged. */
	readonly log: string[] = [];
	/** Every request that arrived: method, path with query, headers, body. */
	readonly arrivals: Array<{ path: string; headers: IDataObject; body: string; status?: number }> =
		[];
	readonly routes = new Map<string, Route>();

	readonly url: string;
	readonly #server: Server;
	readonly #running = new Set<Promise<void>>();

	private constructor(server: Server, url: string) {
		this.#server = server;
		this.url = url;
	}

	static async start(): Promise<Host> {
		const app = express();
		const server = createServer(app);
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		const host = new Host(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
		app.set('query parser', 'extended');
		app.use(express.raw({ type: () => true, limit: '20mb' }));
		app.use(async (request, response) => {
			const raw = Buffer.isBuffer(request.body) ? request.body : undefined;
			const arrival = {
				path: request.originalUrl,
				headers: request.headers as IDataObject,
				body: raw?.toString() ?? '',
				status: undefined as number | undefined,
			};
			if (request.method !== 'OPTIONS') host.arrivals.push(arrival);
			response.on('finish', () => (arrival.status = response.statusCode));
			if (request.method === 'OPTIONS') {
				const methods = host.routes.has(`POST ${request.path}`) ? 'OPTIONS, POST' : 'OPTIONS';
				response.status(204).header('access-control-allow-methods', methods).end();
				return;
			}
			const route = host.routes.get(`${request.method} ${request.path}`);
			if (!route) {
				response
					.status(404)
					.json({ code: 404, message: 'The requested webhook is not registered.' });
				return;
			}
			Object.assign(request, { rawBody: raw, body: parse(raw, request.headers['content-type']) });
			const running = route(request, response).finally(() => host.#running.delete(running));
			host.#running.add(running);
			await running;
		});
		return host;
	}

	trigger(setup: Setup): Trigger {
		return new Trigger(this, setup);
	}

	executionsOf({ id }: Trigger): Execution[] {
		return this.executions.filter(({ trigger }) => trigger === id);
	}

	/** Waits for what is under way, the end of a test after its answer among it. */
	async settle(): Promise<void> {
		while (this.#running.size) await Promise.all(this.#running);
	}

	async reset(): Promise<void> {
		await this.settle();
		this.executions.length = this.log.length = this.arrivals.length = 0;
		this.routes.clear();
	}

	async close(): Promise<void> {
		this.#server.closeAllConnections();
		await new Promise((resolve) => this.#server.close(resolve));
	}
}

/** As n8n parses bodies: JSON, forms and text by their type, and nothing else. */
function parse(raw: Buffer | undefined, contentType = ''): unknown {
	if (!raw?.length) return undefined;
	const [mime] = contentType.split(';');
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

/** One workflow with the trigger in it. */
export class Trigger {
	readonly id: string;
	/** As in n8n's database. */
	staticData: IDataObject = {};
	/** As they stand in the editor: a test takes these, production those that were published. */
	parameters: INodeParameters;
	private published: INodeParameters | undefined;
	credential: Setup['credential'];
	private testData: IDataObject | undefined;

	/** Where n8n believes to be. */
	base: string;
	readonly host: Host;

	constructor(host: Host, setup: Setup) {
		this.host = host;
		this.base = setup.address ?? host.url;
		this.id = setup.id ?? `hook-${++lastId}`;
		this.parameters = setup.parameters;
		this.credential = setup.credential;
	}

	get productionUrl(): string {
		return `${this.base}/webhook/${this.id}/webhook`;
	}
	get testUrl(): string {
		return `${this.base}/webhook-test/${this.id}/webhook`;
	}

	makeWorkflow(active: boolean, staticData: IDataObject = {}): Workflow {
		const node = new PageAudienceTrigger();
		return new Workflow({
			id: `workflow-${this.id}`,
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
					name: 'Page Audience Trigger',
					type,
					typeVersion: 1,
					position: [0, 0],
					webhookId: this.id,
					parameters: (active && this.published) || this.parameters,
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
			this.makeData(workflow),
			isEnd ? 'internal' : isTest ? 'manual' : 'trigger',
			isEnd ? 'update' : isTest ? 'manual' : 'activate',
			{
				isTest,
				webhookDescription: new PageAudienceTrigger().description.webhooks?.[0],
			} as IWebhookData,
		);
		this.listenToLog(context);
		return await new PageAudienceTrigger().webhookMethods.default[name].call(context);
	}

	/** Publishes; `delete` follows a failed try, in the older engine without what that try kept. */
	async publish({ engine = 'new' as 'new' | 'older', tries = 1 } = {}): Promise<void> {
		this.published = structuredClone(this.parameters);
		const workflow = this.makeWorkflow(true, structuredClone(this.staticData));
		for (let tried = 1; ; tried++) {
			this.host.routes.set(`POST ${new URL(this.productionUrl).pathname}`, this.serve('webhook'));
			try {
				if (!(await this.hook('checkExists', workflow, false)))
					await this.hook('create', workflow, false);
				break;
			} catch (error) {
				const seen =
					engine === 'new' ? workflow : this.makeWorkflow(true, structuredClone(this.staticData));
				await this.hook('delete', seen, false).catch(() => undefined);
				if (engine === 'older') this.save(seen);
				if (tried >= tries) {
					if (engine === 'new') this.save(workflow);
					throw error;
				}
			}
		}
		this.save(workflow);
	}

	async unpublish(): Promise<void> {
		this.host.routes.delete(`POST ${new URL(this.productionUrl).pathname}`);
		const workflow = this.makeWorkflow(true, structuredClone(this.staticData));
		await this.hook('delete', workflow, false);
		this.save(workflow);
	}

	/** "Listen for test event". */
	async listen(): Promise<void> {
		const path = `POST ${new URL(this.testUrl).pathname}`;
		const workflow = this.makeWorkflow(false, ObservableObject.create({}) as IDataObject);
		this.testData = undefined;
		this.host.routes.set(path, this.serve('manual'));
		try {
			await this.hook('create', workflow, true);
		} catch (error) {
			await this.hook('delete', workflow, true);
			this.host.routes.delete(path);
			throw error;
		}
		this.testData = JSON.parse(JSON.stringify(workflow.staticData)) as IDataObject;
		this.host.routes.set(path, this.serve('manual'));
	}

	async endListening(): Promise<void> {
		const workflow = this.makeWorkflow(false);
		if (this.testData) workflow.staticData = this.testData;
		await this.hook('delete', workflow, true);
		this.host.routes.delete(`POST ${new URL(this.testUrl).pathname}`);
	}

	/** n8n is killed: no hook runs, and what was in memory is lost. */
	kill(): void {
		this.testData = undefined;
		this.host.routes.delete(`POST ${new URL(this.testUrl).pathname}`);
	}

	private serve(mode: 'webhook' | 'manual'): Route {
		return async (request, response) => {
			const workflow = this.makeWorkflow(mode === 'webhook', structuredClone(this.staticData));
			if (mode === 'manual' && this.testData) workflow.setTestStaticData(this.testData);
			const [node] = Object.values(workflow.nodes);
			const data = this.makeData(workflow);
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
			this.listenToLog(context);
			try {
				const result = await new PageAudienceTrigger().webhook.call(context);
				if (result.workflowData)
					this.host.executions.push({ trigger: this.id, mode, items: result.workflowData[0] });
				if (!result.noWebhookResponse) response.status(200).json(result.webhookResponse);
				if (mode === 'manual' && result.workflowData) await this.endListening();
			} catch (error) {
				response.status(500).json({ message: String(error) });
			}
		};
	}

	private makeData(workflow: Workflow) {
		return {
			...makeAdditionalData(workflow, this.credential),
			webhookBaseUrl: `${this.base}/webhook`,
			webhookTestBaseUrl: `${this.base}/webhook-test`,
		};
	}

	private save(workflow: Workflow): void {
		this.staticData = JSON.parse(JSON.stringify(workflow.staticData)) as IDataObject;
	}

	private listenToLog(context: object): void {
		const write = (...parts: unknown[]) => this.host.log.push(parts.map(String).join(' '));
		Object.defineProperty(context, 'logger', {
			value: { error: write, warn: write, info: write, debug: write },
		});
	}
}
