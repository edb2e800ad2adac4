import { createRequire } from 'node:module';
import type { AxiosResponse, AxiosStatic, InternalAxiosRequestConfig } from 'axios';

/** A request as it would go over the network. */
export interface NetworkRequest {
	method: string;
	/** Scheme, host and port. */
	origin: string;
	/** Still percent-encoded, without the query. */
	path: string;
	query: Record<string, string>;
	/** Names in lower case. */
	headers: Record<string, string>;
	/** Parsed where it is JSON; undefined without a body. */
	body: unknown;
	/** Idle milliseconds after which the client gives the connection up. */
	timeoutMs: number;
}

export type Reply =
	/** An object or array goes out as JSON, a text as it is. */
	| { status: number; headers?: Record<string, string>; body?: unknown }
	/** The connection is lost. */
	| { lost: string; message: string };

type Answering = (request: NetworkRequest) => Promise<Reply>;

/** A request and what came of it. */
export interface Exchange {
	request: NetworkRequest;
	startedAtMs: number;
	/** Undefined while it is under way. */
	endedAtMs?: number;
	reply?: Reply;
}

// The engine has an axios of its own: the one that its HTTP package resolves, and no other.
const requireFromCore = createRequire(require.resolve('n8n-core'));
const requireFromNetwork = createRequire(requireFromCore.resolve('@n8n/backend-network'));
const axios = requireFromNetwork('axios') as AxiosStatic;

/** All that n8n sends over HTTP, taken where it would leave for the network. */
export class FakeNetwork {
	/** In order of departure. */
	readonly exchanges: Exchange[] = [];

	peakInFlight = 0;

	private inFlight = 0;

	private readonly former = axios.defaults.adapter;

	/** Answers all requests without a socket. */
	answerBy(answer: Answering): void {
		axios.defaults.adapter = async (config) => {
			const request = readRequest(config);
			const exchange: Exchange = { request, startedAtMs: Date.now() };
			this.exchanges.push(exchange);
			this.peakInFlight = Math.max(this.peakInFlight, ++this.inFlight);
			try {
				const response = await untilAborted(config, answer(request));
				exchange.reply = response;
				return settle(config, toResponse(config, response));
			} finally {
				exchange.endedAtMs = Date.now();
				this.inFlight--;
			}
		};
	}

	/** n8n's HTTP is again as it was. */
	close(): void {
		axios.defaults.adapter = this.former;
	}
}

function readRequest(config: InternalAxiosRequestConfig): NetworkRequest {
	const url = new URL(axios.getUri(config));
	const text: unknown = config.data;
	return {
		method: (config.method ?? 'get').toUpperCase(),
		origin: url.origin,
		path: url.pathname,
		query: Object.fromEntries(url.searchParams),
		headers: Object.fromEntries(
			Object.entries(config.headers.toJSON()).map(([name, value]) => [
				name.toLowerCase(),
				String(value),
			]),
		),
		body: typeof text === 'string' ? parse(text) : undefined,
		timeoutMs: config.timeout ?? 0,
	};
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

function toResponse(config: InternalAxiosRequestConfig, reply: Reply): AxiosResponse {
	if ('lost' in reply) throw new axios.AxiosError(reply.message, reply.lost, config, {});
	const { status, headers = {}, body = '' } = reply;
	const isText = typeof body === 'string';
	return {
		status,
		statusText: '',
		// As text: n8n gets what axios makes of it.
		data: isText ? body : JSON.stringify(body),
		headers: new axios.AxiosHeaders({
			'content-type': isText ? 'text/html' : 'application/json',
			...headers,
		}),
		config,
		request: {},
	};
}

/** As axios' own adapters do; its `settle` is not exported. */
function settle(config: InternalAxiosRequestConfig, response: AxiosResponse): AxiosResponse {
	const { validateStatus } = config;
	if (!validateStatus || validateStatus(response.status)) return response;
	const code = response.status < 500 ? 'ERR_BAD_REQUEST' : 'ERR_BAD_RESPONSE';
	const message = `Request failed with status code ${response.status}`;
	throw new axios.AxiosError(message, code, config, response.request, response);
}

async function untilAborted<T>(
	{ signal }: InternalAxiosRequestConfig,
	response: Promise<T>,
): Promise<T> {
	if (!signal) return await response;
	return await new Promise<T>((resolve, reject) => {
		const abort = () => reject(new axios.CanceledError());
		if (signal.aborted) abort();
		signal.addEventListener?.('abort', abort);
		response.then(resolve, reject).finally(() => signal.removeEventListener?.('abort', abort));
	});
}
