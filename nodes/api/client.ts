import { hashContent } from '../runtime/canonical';
import { type ApiContext, attempt, type Connection, isExposed, readConnection } from './connection';
import { describeFailure, RequestFailedError } from './failure';
import {
	type ApiRequest,
	type ApiResponse,
	isRepeatable,
	isSuccess,
	type RequestOutcome,
} from './request';
import { decideRetry, type RetryDecision, type RetrySituation } from './retry';
import { patienceMs, Traffic, type TrafficSettings } from './traffic';
import { judgeOutcome } from './verdict';

export interface SendSettings {
	/** Idle time after which a connection counts as lost. */
	timeoutMs: number;
	/** 0 sends the request once. */
	maxRetries: number;
	/** An earlier run of the node may have done the same. */
	mayBeDone?: boolean;
	/** Asked before every attempt; true ends the request as if the execution had been cancelled. */
	isAbandoned?: () => boolean;
}

export interface ClientSettings extends TrafficSettings {
	/**
	 * Called after every attempt to send a request.
	 * @param heldBackMs how long rate limits have held the run back
	 */
	onAttempt?: (heldBackMs: number) => void;
}

/** Why nothing more is sent in this run. */
interface RunEnd {
	outcome: RequestOutcome;
	reason?: string;
}

/** Where a run writes to. */
export interface Account {
	/** The same for the same service and API key, and of no use to who reads it. */
	identity: string;
	/** Without `/v0`. */
	baseUrl: string;
}

/**
 * Where a run writes to, before a request needs a client.
 * @throws {RangeError} when the credential's Base URL cannot be used
 */
export async function readAccount(context: ApiContext): Promise<Account> {
	const connection = await readConnection(context);
	return { identity: identify(connection), baseUrl: connection.baseUrl };
}

function identify({ baseUrl, apiKey }: Connection): string {
	return hashContent([baseUrl, apiKey]);
}

/** Speaks to the API for one run: every request of the nodes goes through `send`. */
export class ApiClient implements Account {
	readonly traffic: Traffic;

	readonly identity: string;

	readonly baseUrl: string;

	/** Where the API key travels readable through the internet. */
	readonly exposedAt?: string;

	private readonly context: ApiContext;

	private readonly connection: Connection;

	private readonly settings: ClientSettings;

	private end?: RunEnd;

	private constructor(context: ApiContext, connection: Connection, settings: ClientSettings) {
		this.context = context;
		this.connection = connection;
		this.settings = settings;
		this.traffic = new Traffic(settings);
		this.baseUrl = connection.baseUrl;
		if (isExposed(connection)) this.exposedAt = connection.origin;
		this.identity = identify(connection);
	}

	/** @throws {RangeError} when the credential's Base URL cannot be used */
	static async open(context: ApiContext, settings: ClientSettings): Promise<ApiClient> {
		return new ApiClient(context, await readConnection(context), settings);
	}

	/**
	 * Sends a request until it succeeds or `decideRetry` says that it must not be resent. Once a rate limit was given
	 * up or the API key was rejected, the rest of the run fails with the same message and without a request.
	 * @throws {RequestFailedError} when there is no success
	 * @throws the abort's reason when the execution was cancelled
	 */
	async send(request: ApiRequest, settings: SendSettings): Promise<ApiResponse> {
		const { timeoutMs, maxRetries, mayBeDone = false, isAbandoned } = settings;
		let attempts = 0;
		let retries = 0;
		let holdBacks = 0;
		let repeated = mayBeDone;
		const fail = ({ outcome, reason }: RunEnd) => {
			const failed = { request, outcome, attempts, repeated, reason };
			return new RequestFailedError(describeFailure(failed, this.connection.origin));
		};
		for (;;) {
			if (this.end) throw fail(this.end);
			if (isAbandoned?.()) throw new DOMException('Nobody needs this page', 'AbortError');
			// The run may end, and a page may become useless, while the request waits for its turn.
			const isNeeded = () => !this.end && !isAbandoned?.();
			const step = await this.traffic.pass(async () => {
				attempts++;
				const outcome = await attempt(this.context, this.connection, request, timeoutMs);
				// Decided before its place is free, so that no other request slips in.
				return {
					outcome,
					decision: this.decide(request, outcome, { retries, holdBacks, maxRetries }),
				};
			}, isNeeded);
			this.settings.signal?.throwIfAborted();
			this.settings.onAttempt?.(this.traffic.heldBackMs);
			if (!step) continue;
			const { outcome, decision } = step;
			if (outcome.responded && isSuccess(outcome)) return outcome;
			if (decision.kind === 'give up') throw fail({ outcome, reason: decision.reason });
			if (decision.kind === 'hold back') {
				holdBacks++;
				continue;
			}
			retries++;
			repeated ||= judgeOutcome(outcome) === 'in doubt';
			await this.traffic.wait(decision.waitMs);
		}
	}

	/** What follows an attempt, for its request and for the whole run. */
	private decide(
		request: ApiRequest,
		outcome: RequestOutcome,
		counts: Pick<RetrySituation, 'retries' | 'holdBacks' | 'maxRetries'>,
	): RetryDecision {
		this.noteOutcome(outcome);
		const now = new Date();
		const repeatable = isRepeatable(request);
		let decision = decideRetry({ outcome, repeatable, ...counts, now, chance: Math.random() });
		if (decision.kind === 'hold back' && !this.traffic.holdBack(decision.waitMs)) {
			const minutes = patienceMs / 60_000;
			decision = {
				kind: 'give up',
				reason: `The service has accepted no request for ${minutes} minutes.`,
			};
		}
		const isKeyRejected = outcome.responded && outcome.status === 401;
		if (decision.kind === 'give up' && (isKeyRejected || judgeOutcome(outcome) === 'busy'))
			this.end ??= { outcome, reason: decision.reason };
		return decision;
	}

	private noteOutcome(outcome: RequestOutcome): void {
		if (outcome.responded && outcome.status !== 429 && outcome.status !== 503)
			this.traffic.noteTaken();
	}
}
