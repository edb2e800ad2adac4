import { hashContent } from './canonical';
import { type ApiContext, attempt, type Connection, readConnection } from './connection';
import { describeFailure, RequestFailedError } from './failure';
import { readAllowance } from './rateLimit';
import {
	type ApiRequest,
	type ApiResponse,
	isRepeatable,
	isSuccess,
	type Outcome,
} from './request';
import { decideRetry } from './retry';
import { patienceMs, Traffic, type TrafficSettings } from './traffic';
import { judge } from './verdict';

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

/** Why nothing more is sent in this run. */
interface RunEnd {
	outcome: Outcome;
	reason?: string;
}

/** Speaks to the API for one run: every request of the nodes goes through `send`. */
export class ApiClient {
	readonly traffic: Traffic;

	/** The same for the same service and account, and of no use to who reads it. */
	readonly identity: string;

	private readonly context: ApiContext;

	private readonly connection: Connection;

	private readonly signal?: AbortSignal;

	private end?: RunEnd;

	private constructor(context: ApiContext, connection: Connection, settings: TrafficSettings) {
		this.context = context;
		this.connection = connection;
		this.signal = settings.signal;
		this.traffic = new Traffic(settings);
		this.identity = hashContent([connection.baseUrl, connection.apiKey]);
	}

	/** @throws {RangeError} when the credential's Base URL is no http(s) URL */
	static async open(context: ApiContext, settings: TrafficSettings): Promise<ApiClient> {
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
			const { origin, apiKey } = this.connection;
			const failed = { request, outcome, attempts, repeated, reason };
			return new RequestFailedError(describeFailure(failed, { origin, apiKey }));
		};
		for (;;) {
			if (this.end) throw fail(this.end);
			if (isAbandoned?.()) throw new DOMException('Nobody needs this page', 'AbortError');
			const outcome = await this.traffic.pass(async () => {
				// The run may have ended while this request waited for its turn.
				if (this.end) return undefined;
				attempts++;
				return await attempt(this.context, this.connection, request, timeoutMs);
			});
			this.signal?.throwIfAborted();
			if (!outcome) continue;
			this.noteOutcome(outcome);
			if (outcome.responded && isSuccess(outcome)) return outcome;

			const verdict = judge(outcome);
			const decision = decideRetry({
				outcome,
				repeatable: isRepeatable(request),
				retries,
				holdBacks,
				maxRetries,
				now: new Date(),
				chance: Math.random(),
			});
			if (decision.kind === 'give up') {
				const end = { outcome, reason: decision.reason };
				const isKeyRejected = outcome.responded && outcome.status === 401;
				if (verdict === 'busy' || isKeyRejected) this.end ??= end;
				throw fail(end);
			}
			if (decision.kind === 'retry') {
				retries++;
				repeated ||= verdict === 'in doubt';
				await this.traffic.wait(decision.waitMs);
			} else {
				holdBacks++;
				if (!this.traffic.holdBack(decision.waitMs)) {
					const reason = `The service has taken nothing for ${patienceMs / 60_000} minutes.`;
					this.end ??= { outcome, reason };
					throw fail({ outcome, reason });
				}
			}
		}
	}

	private noteOutcome(outcome: Outcome): void {
		if (!outcome.responded) return;
		const allowance = readAllowance(outcome.headers, new Date());
		if (allowance) this.traffic.noteAllowance(allowance);
		if (outcome.status !== 429 && outcome.status !== 503) this.traffic.noteTaken();
	}
}
