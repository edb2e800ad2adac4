import { EventEmitter, once } from 'node:events';
import express from 'express';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

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
	/** What publishes workflows: n8n's old way, or the one that is its default now. */
	engine: 'new' | 'older' = 'new';
	/** It was killed, and saves nothing more. */
	isDead = false;
	/** Where n8n is. */
	readonly url: string;
	readonly #working = new Set<Promise<void>>();

	constructor(url: string) {
		this.url = url;
	}

	/** Takes a delivery as n8n does: only the path of its URL counts. */
	async deliver(href: string, body: unknown, headers: IDataObject = json) {
		const route = this.routes.get(keyOf(href));
		if (!route) return { status: 404, body: '{"code":404}' };
		const response = new FakeResponse();
		const sent = once(response, 'sent');
		const text = typeof body === 'string' ? body : JSON.stringify(body);
		const query = parseQuery(new URL(href).search.slice(1));
		const working: Promise<void> = route({ headers, query, ...readBody(text, headers) }, response)
			.catch((error: unknown) => this.failures.push(String(error)))
			.then(() => {
				const { length } = response.bodies;
				if (length !== 1) this.failures.push(`${length} responses`);
				this.#working.delete(working);
			});
		this.#working.add(working);
		// The response goes out while n8n still works: it ends a test after that.
		await Promise.race([sent, working]);
		return { status: response.statusCode, body: response.bodies[0] };
	}

	/** Waits for what is under way, the end of a test after its response among it. */
	async settle(): Promise<void> {
		while (this.#working.size) await Promise.all(this.#working);
	}

	reset(): void {
		this.executions.length = this.log.length = this.failures.length = 0;
		this.routes.clear();
		this.engine = 'new';
	}
}

const json = { 'content-type': 'application/json' };

/** n8n compares paths, whatever it believes its address to be, and ignores the case of letters and a slash at the end. */
export function keyOf(url: string): string {
	const { pathname } = new URL(url, 'http://n8n');
	return decodeURIComponent(pathname).toLowerCase().replace(/\/$/, '');
}

/** As n8n parses bodies: JSON, forms and text by their type, and nothing else. */
function readBody(text: string, headers: IDataObject) {
	const [contentType] = String(headers['content-type'] ?? '').split(';');
	const rawBody = text === '' ? undefined : Buffer.from(text);
	return { contentType, rawBody, body: rawBody && parse(text, contentType) };
}

function parse(text: string, type: string): unknown {
	if (type === 'application/json') return JSON.parse(text);
	if (type === 'text/plain') return text;
	if (type !== 'application/x-www-form-urlencoded') return undefined;
	// n8n's parser makes objects without a prototype.
	const fields = Object.create(null) as object;
	return Object.assign(fields, Object.fromEntries(new URLSearchParams(text)));
}
