import type { IAllExecuteFunctions, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';
import { readLoss } from '../runtime/loss';
import { judgeResult, type SendResult } from './causes';
import { type ApiContext, type Connection, credentialType } from './connection';
import { RequestFailedError } from './errors';
import { openPace, type PaceSettings, wait } from './pace';
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

export type ApiClient = ReturnType<typeof openClient>;

/** Speaks to the API for one run: every request of the nodes goes through `send`. */
export function openClient(context: ApiContext, connection: Connection, settings: PaceSettings) {
	const { signal } = settings;
	const pace = openPace(connection.identity, settings);
	let lastTaken = performance.now();
	/** Why nothing more is sent in this run. */
	let end: { result: SendResult; reason?: string } | undefined;
	/** Why the latest request waits to be sent again. */
	let hindrance: RequestFailedError | undefined;

	/**
	 * Sends a request until it succeeds, or must not be resent because it might then be done twice. Once a rate limit was
	 * given up or the API key was rejected, the rest of the run fails with the same message and without a request.
	 * @throws {RequestFailedError} when the request does not succeed
	 * @throws the abort's reason when the execution was cancelled
	 */
	const send = async (
		request: ApiRequest,
		{ timeoutMs, maxRetries, repeated = false }: SendSettings,
	): Promise<ApiResponse> => {
		/** `repeated`: an attempt before the last one may have done the work. */
		const progress = { attempts: 0, retries: 0, pauses: 0, repeated };
		const toFailure = (result: SendResult, reason?: string) => {
			const error = new RequestFailedError(request, result, { ...progress, reason });
			return hideSecret(error, connection.apiKey);
		};
		/**
		 * Does what an attempt leads to, for its request and for the whole run.
		 * @returns the response, or how long to wait before the next attempt
		 */
		const follow = (result: SendResult): ApiResponse | { waitMs: number } => {
			const verdict = judgeResult(result);
			const now = performance.now();
			if (result.responded && ![429, 503].includes(result.status)) lastTaken = now;
			hindrance = undefined;
			if (result.responded && verdict === 'done') return result;
			const attempts = { ...progress, maxRetries, refusedMs: now - lastTaken };
			const next = decideNext(request, result, { ...attempts, jitter: Math.random() });
			if ('waitMs' in next) hindrance = toFailure(result);
			switch (next.step) {
				case 'end':
					end ??= { result, reason: next.reason };
					pace.release();
					throw toFailure(result, next.reason);
				case 'fail':
					throw toFailure(result, next.reason);
				case 'pause':
					progress.pauses++;
					pace.pause(next.waitMs);
					return { waitMs: 0 };
				case 'retry':
					progress.retries++;
					progress.repeated ||= verdict === 'in doubt';
					return next;
			}
		};
		for (;;) {
			const next = await pace.inTurn(async () => {
				if (end) throw toFailure(end.result, end.reason);
				progress.attempts++;
				const result = await attempt(context, connection, request, timeoutMs);
				// Before its place is free, so that no other request slips in.
				return follow(result);
			});
			// A response that has arrived counts, even if the execution was cancelled before it did.
			if ('responded' in next) return next;
			signal?.throwIfAborted();
			if (next.waitMs > 0) await wait(next.waitMs, signal);
		}
	};

	return {
		connection,
		send,
		/** How long rate limits have held the run back, for the person who wonders where the time went. */
		heldBackMs: pace.heldBackMs,
		findHindrance: () => hindrance,
	};
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
