import { EventEmitter, once } from 'node:events';
import express from 'express';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

/** A request as it arrives at n8n. */
interface Incoming {
	method: string;
	/** Path with query. */
	url: string;
	headers: IDataObject;
	body: Buffer;
}

interface WebhookResponse {
	status: number;
	headers: Record<string, string>;
	body: string;
}

export type Route = (request: object, response: FakeResponse) => Promise<void>;

interface StartedExecution {
	trigger: string;
	mode: 'webhook' | 'manual';
	/** The items of each output. */
	outputs: INodeExecutionData[][];
}

/** What n8n gives a webhook for its response. */
class FakeResponse extends EventEmitter {
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

/** What n8n does around triggers: routes, responses and executions. `trigger.mts` has what it does with one. */
export class FakeN8n {
	readonly executions: StartedExecution[] = [];
	/** What the node logged. */
	readonly log: string[] = [];
	/** What n8n would have answered twice, or with its own failure. */
	readonly failures: string[] = [];
	readonly routes = new Map<string, Route>();
	/** It was killed, and saves nothing more. */
	isDead = false;
	/** Where n8n is. */
	readonly url: string;
	readonly #working = new Set<Promise<void>>();

	constructor(url: string) {
		this.url = url;
	}

	/** Takes a delivery as n8n does: only the path of its URL counts. */
	async deliver(
		href: string,
		body: unknown,
		headers: IDataObject = json,
	): Promise<WebhookResponse> {
		const { pathname, search } = new URL(href);
		const text = typeof body === 'string' ? body : JSON.stringify(body);
		const sent = Buffer.isBuffer(body) ? body : Buffer.from(text);
		return await this.#handle({ method: 'POST', url: pathname + search, headers, body: sent });
	}

	async #handle(request: Incoming): Promise<WebhookResponse> {
		const { url } = request;
		const [, query = ''] = url.split('?');
		const route = this.routes.get(keyOf(url));
		if (!route) return { status: 404, headers: json, body: '{"code":404}' };
		const response = new FakeResponse();
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

	reset(): void {
		this.executions.length = this.log.length = this.failures.length = 0;
		this.routes.clear();
	}
}

const json = { 'content-type': 'application/json' };

/** n8n compares paths, whatever it believes its address to be, and ignores the case of letters and a slash at the end. */
export function keyOf(url: string): string {
	const { pathname } = new URL(url, 'http://n8n');
	return decodeURIComponent(pathname).toLowerCase().replace(/\/$/, '');
}

/** As n8n parses bodies: JSON, forms and text by their type, and nothing else. */
function readBody({ headers, body: rawBody }: Incoming) {
	const [contentType] = String(headers['content-type'] ?? '').split(';');
	const sent = rawBody.length > 0 ? rawBody : undefined;
	return { contentType, rawBody: sent, body: parse(rawBody.toString(), contentType) };
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
