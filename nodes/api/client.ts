import {
	type IAllExecuteFunctions,
	type IHttpRequestOptions,
	type IN8nHttpFullResponse,
	sleep,
} from 'n8n-workflow';
import { Slots } from '../runtime/runTasks';
import { type ApiContext, type Connection, credentialType, readConnection } from './connection';
import { RequestFailedError } from './errors';
import { hideSecret } from './redact';
import { type ApiRequest, type ApiResponse, isRepeatable, writeQuery } from './request';
import { judgeResult, readLoss, readRetryAfter, type SendResult } from './verdict';

export interface ClientSettings {
	concurrency: number;
	/** 0: no limit. */
	requestsPerSecond: number;
	signal?: AbortSignal;
}

export interface SendSettings {
	/** Idle time after which a connection counts as lost. */
	timeoutMs: number;
	/** 0 sends the request once, whatever the response. */
	maxRetries: number;
	/** An earlier run of the node may have done the same. */
	inDoubt?: boolean;
}

/** A run waits this long for the service to accept a request. */
const patienceMs = 5 * 60_000;

const firstWaitMs = 500;
const longestOwnWaitMs = 30_000;

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
	readonly identity: string;

	readonly baseUrl: string;

	private readonly context: ApiContext;
	private readonly connection: Connection;
	private readonly settings: ClientSettings;
	private readonly slots: Slots;
	private nextStart = 0;
	private pausedMs = 0;
	private pausedUntil = 0;
	private lastTaken = performance.now();
	private end?: RunEnd;

	constructor(context: ApiContext, connection: Connection, settings: ClientSettings) {
		this.context = context;
		this.connection = connection;
		this.settings = settings;
		this.slots = new Slots(settings.concurrency);
		this.baseUrl = connection.baseUrl;
		this.identity = connection.identity;
	}

	/** @throws {RangeError} when the credential's Base URL cannot be used */
	static async open(context: ApiContext, settings: ClientSettings): Promise<ApiClient> {
		return new ApiClient(context, await readConnection(context), settings);
	}

	/**
	 * Sends a request until it succeeds, or must not be resent because it might then be done twice. Once a rate limit was
	 * given up or the API key was rejected, the rest of the run fails with the same message and without a request.
	 * @throws {RequestFailedError} when there is no success
	 * @throws the abort's reason when the execution was cancelled
	 */
	async send(request: ApiRequest, settings: SendSettings): Promise<ApiResponse> {
		const { timeoutMs, maxRetries, inDoubt = false } = settings;
		const progress = { attempts: 0, retries: 0, pauses: 0, repeated: inDoubt };
		for (;;) {
			const next = await this.inTurn(async () => {
				if (this.end) throw this.fail(request, this.end, progress);
				progress.attempts++;
				const result = await attempt(this.context, this.connection, request, timeoutMs);
				// Before its place is free, so that no other request slips in.
				return this.follow(request, result, progress, maxRetries);
			});
			this.settings.signal?.throwIfAborted();
			if ('responded' in next) return next;
			if (next.waitMs > 0) await this.wait(next.waitMs);
		}
	}

	/** @throws the abort's reason when the execution is cancelled meanwhile */
	async wait(ms: number): Promise<void> {
		const { signal } = this.settings;
		await sleep(ms, signal);
		// n8n versions before 2 have a sleep that does not know signals.
		signal?.throwIfAborted();
	}

	/**
	 * What follows an attempt, for its request and for the whole run. A request that might then be done twice is never resent.
	 * @returns the response, or how long to wait before the next attempt
	 * @throws {RequestFailedError} when there is none
	 */
	private follow(
		request: ApiRequest,
		result: SendResult,
		progress: Progress,
		maxRetries: number,
	): ApiResponse | { waitMs: number } {
		const { status } = result.responded ? result : {};
		if (status !== undefined && status !== 429 && status !== 503)
			this.lastTaken = performance.now();
		const verdict = judgeResult(result);
		if (result.responded && verdict === 'done') return result;
		const isBusy = verdict === 'busy';
		// A redirect would come again.
		const isRedirect = status !== undefined && status < 400;
		const mayRepeat =
			verdict === 'in doubt'
				? isRepeatable(request) && !isRedirect
				: verdict === 'unsent' || isBusy;
		const isRetried = mayRepeat && (isBusy ? maxRetries > 0 : progress.retries < maxRetries);
		const waitMs = chooseWait(result, isBusy ? progress.pauses : progress.retries);
		const reason = isRetried ? this.refuseToWait(waitMs, isBusy) : undefined;
		if (!isRetried || reason !== undefined) {
			if (isBusy || status === 401) this.end ??= { result, reason };
			throw this.fail(request, { result, reason }, progress);
		}
		progress.repeated ||= verdict === 'in doubt';
		if (!isBusy) {
			progress.retries++;
			return { waitMs };
		}
		progress.pauses++;
		this.pause(waitMs);
		return { waitMs: 0 };
	}

	private refuseToWait(ms: number, isBusy: boolean): string | undefined {
		const waitedMs = isBusy ? performance.now() - this.lastTaken : 0;
		return waitedMs + ms > patienceMs
			? `The next attempt would be in ${Math.round(ms / 1000)} seconds. A run waits ${patienceMs / 60_000} minutes at most for the service to accept a request.`
			: undefined;
	}

	/** How long rate limits have held the run back, for the person who wonders where the time went. */
	get heldBackMs(): number {
		return this.pausedMs - Math.max(0, this.pausedUntil - performance.now());
	}

	private pause(ms: number): void {
		const now = performance.now();
		const from = Math.max(this.pausedUntil, now);
		this.pausedUntil = Math.max(from, now + ms);
		this.pausedMs += this.pausedUntil - from;
	}

	private fail(request: ApiRequest, { result, reason }: RunEnd, progress: Progress) {
		const error = new RequestFailedError(request, result, { ...progress, reason });
		return hideSecret(error, this.connection.apiKey);
	}

	/** First come, first served: a free place, then the end of a pause, then the next start. */
	private async inTurn<T>(send: () => Promise<T>): Promise<T> {
		const { requestsPerSecond, signal } = this.settings;
		await this.slots.take();
		try {
			for (;;) {
				signal?.throwIfAborted();
				const ms = Math.max(this.nextStart, this.pausedUntil) - performance.now();
				if (ms <= 0 || this.end) break;
				await this.wait(Math.ceil(ms));
			}
			this.nextStart = performance.now() + (requestsPerSecond > 0 ? 1000 / requestsPerSecond : 0);
			return await send();
		} finally {
			this.slots.give();
		}
	}
}

/** As long as the service asks, else longer each time with jitter: from half of the step to all of it. */
function chooseWait(result: SendResult, step: number): number {
	const askedMs = result.responded ? (readRetryAfter(result) ?? 0) : 0;
	const wholeMs = Math.min(firstWaitMs * 2 ** step, longestOwnWaitMs);
	// "At once", or a date that has passed, must not become a loop without a pause.
	return Math.ceil(askedMs >= firstWaitMs ? askedMs : wholeMs * (0.5 + Math.random() / 2));
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
