import { type ApiContext, attempt, type Connection, readConnection } from './connection';
import { describeFailure, isUncertain, RequestFailedError } from './failure';
import { type ApiResponse, type ApiRequest, isRepeatable, isSuccess } from './request';
import { decideRetry } from './retry';
import { patienceMs, Traffic, type TrafficSettings } from './traffic';

export interface SendSettings {
	/** Idle time after which a connection counts as lost. */
	timeoutMs: number;
	/** 0 sends the request once. */
	maxRetries: number;
}

/** Speaks to the API for one run: every request of both nodes goes through `send`. */
export class ApiClient {
	readonly traffic: Traffic;

	private readonly context: ApiContext;

	private readonly connection: Connection;

	private readonly signal?: AbortSignal;

	private constructor(context: ApiContext, connection: Connection, settings: TrafficSettings) {
		this.context = context;
		this.connection = connection;
		this.signal = settings.signal;
		this.traffic = new Traffic(settings);
	}

	/** @throws {RangeError} when the credential's Base URL is no http(s) URL */
	static async open(context: ApiContext, settings: TrafficSettings): Promise<ApiClient> {
		return new ApiClient(context, await readConnection(context), settings);
	}

	/**
	 * Sends a request until it succeeds or `decideRetry` says that it must not be sent again.
	 * @throws {RequestFailedError} when there is no success
	 * @throws the abort's reason when the execution was cancelled
	 */
	async send(request: ApiRequest, { timeoutMs, maxRetries }: SendSettings): Promise<ApiResponse> {
		let retries = 0;
		let holdBacks = 0;
		let repeated = false;
		for (;;) {
			const outcome = await this.traffic.pass(
				async () => await attempt(this.context, this.connection, request, timeoutMs),
			);
			this.signal?.throwIfAborted();
			if (isSuccess(outcome)) {
				this.traffic.noteSuccess();
				return outcome;
			}
			const decision = decideRetry({
				outcome,
				repeatable: isRepeatable(request),
				retries,
				holdBacks,
				maxRetries,
				now: new Date(),
				chance: Math.random(),
			});
			const fail = (reason?: string) => {
				const story = { request, outcome, attempts: 1 + retries + holdBacks, repeated, reason };
				return new RequestFailedError(describeFailure(story, this.connection.apiKey));
			};
			if (decision.kind === 'give up') throw fail(decision.reason);
			if (decision.kind === 'retry') {
				retries++;
				await this.traffic.wait(decision.waitMs);
			} else {
				holdBacks++;
				if (!this.traffic.holdBack(decision.waitMs)) {
					throw fail(`The service has taken nothing for ${patienceMs / 60_000} minutes.`);
				}
			}
			repeated ||= isUncertain(outcome);
		}
	}
}
