import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import axios from 'axios';
import type { INodeParameters } from 'n8n-workflow';
import { type Sandbox, startSandbox } from '../../../sandbox/index.mts';
import { Host, type Setup, type Trigger } from './host.mts';

type Record = ReturnType<Sandbox['store']['subscriptions']['all']>[number];

/** What a service does otherwise than the sandbox. */
export interface Quirks {
	/** Before a change is answered; what is returned takes the place of the answer. */
	onChange?: (changed: Record, sent: Partial<Record>) => Promise<unknown> | unknown;
}

/** A service, an n8n, and receivers elsewhere. */
export class Scene {
	#open?: { sandbox: Sandbox; host: Host; service: Server; other: Server };
	quirks: Quirks = {};
	/** What another receiver got. */
	readonly elsewhere: Array<{ method: string; path: string; headers: object; body: string }> = [];
	/** Where that receiver sends its callers. */
	redirect?: string;

	get sandbox(): Sandbox {
		return this.#opened.sandbox;
	}

	get host(): Host {
		return this.#opened.host;
	}

	/** The sandbox, by way of `quirks`. */
	get serviceUrl(): string {
		return urlOf(this.#opened.service);
	}

	get elsewhereUrl(): string {
		return urlOf(this.#opened.other);
	}

	get #opened() {
		if (!this.#open) throw new Error('The scene opens before the first test');
		return this.#open;
	}

	async open(): Promise<this> {
		const [sandbox, host, service, other] = await Promise.all([
			startSandbox(),
			Host.start(),
			listen(async (request) => await this.#relay(request)),
			listen((request) => {
				this.elsewhere.push(request);
				return this.redirect === undefined
					? { status: 200, body: 'ok' }
					: { status: 307, body: '', headers: { location: this.redirect } };
			}),
		]);
		this.#open = { sandbox, host, service, other };
		return this;
	}

	async reset(): Promise<void> {
		await this.host.reset();
		this.sandbox.reset();
		this.quirks = {};
		this.redirect = undefined;
		this.elsewhere.length = 0;
	}

	async close(): Promise<void> {
		const { sandbox, host, service, other } = this.#opened;
		for (const server of [service, other]) {
			server.closeAllConnections();
			server.close();
		}
		await Promise.all([sandbox.close(), host.close()]);
	}

	/** A subscription of the seed, set as wanted. */
	subscription(change: Partial<Record> = {}, number = 0): Record {
		return Object.assign(this.sandbox.store.subscriptions.all()[number], change);
	}

	trigger(
		{ subscriptionId }: Record,
		{
			events = ['form.submitted'],
			options = {},
			...setup
		}: { events?: string[]; options?: INodeParameters } & Partial<Setup> = {},
	): Trigger {
		return this.host.trigger({
			parameters: {
				subscriptionId: { __rl: true, mode: 'list', value: subscriptionId },
				events,
				options,
			},
			credential: { baseUrl: this.serviceUrl, apiKey: this.sandbox.apiKey },
			...setup,
		});
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

	async #relay({ method, path, headers, body }: Incoming): Promise<Answer> {
		const { status, data } = await axios.request<unknown>({
			method,
			url: this.sandbox.url + path,
			// Any key will do, so that a credential's key can be changed.
			headers: { 'x-api-key': this.sandbox.apiKey, 'content-type': headers['content-type'] },
			data: body || undefined,
			responseType: 'text',
			transformResponse: (text: unknown) => text,
			validateStatus: () => true,
		});
		if (method !== 'PATCH' || status !== 200 || !this.quirks.onChange) {
			return { status, body: String(data) };
		}
		const answer = JSON.parse(String(data)) as Record;
		const { subscriptionId } = answer;
		const record = this.sandbox.store.subscriptions.get(subscriptionId) ?? answer;
		const other = await this.quirks.onChange(record, JSON.parse(body) as Partial<Record>);
		return { status, body: JSON.stringify(other ?? record) };
	}
}

/** A scene for the tests of one file, anew for each. None of them may make n8n fail. */
export function setUpScene(): Scene {
	const scene = new Scene();
	beforeAll(async () => void (await scene.open()));
	beforeEach(async () => await scene.reset());
	afterEach(() => expect(scene.host.failures).toEqual([]));
	afterAll(async () => await scene.close());
	return scene;
}

interface Incoming {
	method: string;
	path: string;
	headers: { [name: string]: string | undefined };
	body: string;
}
interface Answer {
	status: number;
	body: string;
	headers?: { [name: string]: string };
}

async function listen(serve: (request: Incoming) => Promise<Answer> | Answer): Promise<Server> {
	const server = createServer(async (request, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		try {
			const { status, body, headers } = await serve({
				method: request.method ?? '',
				path: request.url ?? '',
				headers: request.headers as Incoming['headers'],
				body: Buffer.concat(chunks).toString(),
			});
			response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
		} catch {
			// What was asked lost its connection, so this one is lost too.
			response.destroy();
		}
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return server;
}

const urlOf = (server: Server): string =>
	`http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** Waits until something is so, or fails. */
export async function until(isSo: () => boolean, what = 'it'): Promise<void> {
	for (const end = Date.now() + 4_000; Date.now() < end; ) {
		if (isSo()) return;
		await new Promise((resolve) => setTimeout(resolve, 10));
	}
	throw new Error(`Waited in vain for ${what}`);
}

/** Long enough for what should not come. */
export const aWhile = async () => await new Promise((resolve) => setTimeout(resolve, 150));
