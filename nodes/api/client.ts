import type { IAllExecuteFunctions, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';
import { readLoss } from '../runtime/loss';
import { judgeResult, type SendResult } from './causes';
import { type ApiContext, type Connection, credentialType, readConnection } from './connection';
import { RequestFailedError } from './errors';
import { openPace, type Pace, type PaceSettings, wait } from './pace';
import { hideSecret } from './redact';
import { type ApiRequest, type ApiResponse, writeQuery } from './request';
import { decideNext } from './verdict';

export interface SendSettings {
	/** Idle time after which a connection counts as lost. */
	timeoutMs: number;
	/** 0 sends the request once, whatever the response. */
	maxRetries: number;
	/** An earlier run of the node may have done the same. */
	repeated?: boolean;
}

interface Progress {
	attempts: number;
	retries: number;
	pauses: number;
	/** An attempt before the last one may have done the work. */
	repeated: boolean;
}

/** Why nothing more is sent in this run. */
interface RunEnd {
	result: SendResult;
	reason?: string;
}

/** Speaks to the API for one run: every request of the nodes goes through `send`. */
export class ApiClient {
	readonly connection: Connection;

	private readonly context: ApiContext;
	private readonly signal?: AbortSignal;
	private readonly pace: Pace;
	private lastTaken = performance.now();
	private end?: RunEnd;
	/** Why the latest request waits to be sent again. */
	hindrance?: RequestFailedError;

	constructor(context: ApiContext, connection: Connection, settings: PaceSettings) {
		this.context = context;
		this.connection = connection;
		this.signal = settings.signal;
		this.pace = openPace(connection.identity, settings);
	}

	/** @throws {RangeError} when the credential's Base URL cannot be used */
	static async open(context: ApiContext, settings: PaceSettings): Promise<ApiClient> {
		return new ApiClient(context, await readConnection(context), settings);
	}

	/** How long rate limits have held the run back, for the person who wonders where the time went. */
	get heldBackMs(): number {
		return this.pace.heldBackMs();
	}

	/**
	 * Sends a request until it succeeds, or must not be resent because it might then be done twice. Once a rate limit was
	 * given up or the API key was rejected, the rest of the run fails with the same message and without a request.
	 * @throws {RequestFailedError} when the request does not succeed
	 * @throws the abort's reason when the execution was cancelled
	 */
	async send(request: ApiRequest, settings: SendSettings): Promise<ApiResponse> {
		const { timeoutMs, maxRetries, repeated = false } = settings;
		const progress = { attempts: 0, retries: 0, pauses: 0, repeated };
		for (;;) {
			const next = await this.pace.inTurn(async () => {
				if (this.end) throw this.toFailure(request, this.end, progress);
				progress.attempts++;
				const result = await attempt(this.context, this.connection, request, timeoutMs);
				// Before its place is free, so that no other request slips in.
				return this.follow(request, result, progress, maxRetries);
			});
			// A response that has arrived counts, even if the execution was cancelled before it did.
			if ('responded' in next) return next;
			this.signal?.throwIfAborted();
			if (next.waitMs > 0) await this.wait(next.waitMs);
		}
	}

	/** @throws the abort's reason when the execution is cancelled during the wait */
	async wait(ms: number): Promise<void> {
		await wait(ms, this.signal);
	}

	/**
	 * Does what an attempt leads to, for its request and for the whole run.
	 * @returns the response, or how long to wait before the next attempt
	 * @throws {RequestFailedError} when there is no response and no further attempt
	 */
	private follow(
		request: ApiRequest,
		result: SendResult,
		progress: Progress,
		maxRetries: number,
	): ApiResponse | { waitMs: number } {
		const verdict = judgeResult(result);
		const now = performance.now();
		if (result.responded && ![429, 503].includes(result.status)) this.lastTaken = now;
		this.hindrance = undefined;
		if (result.responded && verdict === 'done') return result;
		const refusedMs = now - this.lastTaken;
		const attempts = { ...progress, maxRetries, refusedMs, jitter: Math.random() };
		const next = decideNext(request, result, attempts);
		if ('waitMs' in next) this.hindrance = this.toFailure(request, { result }, progress);
		switch (next.step) {
			case 'end':
				this.end ??= { result, reason: next.reason };
				this.pace.release();
				throw this.toFailure(request, { result, reason: next.reason }, progress);
			case 'fail':
				throw this.toFailure(request, { result, reason: next.reason }, progress);
			case 'pause':
				progress.pauses++;
				this.pace.pause(next.waitMs);
				return { waitMs: 0 };
			case 'retry':
				progress.retries++;
				progress.repeated ||= verdict === 'in doubt';
				return next;
		}
	}

	private toFailure(request: ApiRequest, { result, reason }: RunEnd, progress: Progress) {
		const error = new RequestFailedError(request, result, { ...progress, reason });
		return hideSecret(error, this.connection.apiKey);
	}
}

/** Sends one request, once. It returns what the service or the network does and never throws for it. */
export async function attempt(
	context: ApiContext,
	{ baseUrl, hostname, apiKey, credential }: Connection,
	request: ApiRequest,
	timeoutMs: number,
): Promise<SendResult> {
	const { method, path, query, body } = request;
	// Built for every attempt, because n8n's helper changes them.
	const options: IHttpRequestOptions = {
		method,
		url: `${baseUrl}/v0${path}${writeQuery(query)}`,
		headers: { accept: 'application/json' },
		timeout: timeoutMs,
		// With these two, n8n returns every status with its headers, and sends a 401 only once.
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		// A redirect would carry the API key to whatever address it names.
		disableFollowRedirect: true,
		allowedDomains: hostname,
	};
	if (body !== undefined) {
		// As text, because the helper drops an empty object.
		options.body = JSON.stringify(body);
		options.headers = { ...options.headers, 'content-type': 'application/json' };
	}
	try {
		const response: unknown = await context.helpers.httpRequestWithAuthentication.call(
			context as IAllExecuteFunctions,
			credentialType,
			options,
			// Without it n8n reads the credential from its database and decrypts it anew for every request.
			{ credentialsDecrypted: { id: '', name: '', type: credentialType, data: credential } },
		);
		const { statusCode, headers, body: received } = response as IN8nHttpFullResponse;
		return { responded: true, status: statusCode, headers, body: received, request, apiKey };
	} catch (error) {
		return readLoss(error);
	}
}
