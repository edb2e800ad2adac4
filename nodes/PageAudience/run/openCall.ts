import type { ApiClient } from '../../api/client';
import { type AcceptedLimit, ListReader, startLimit } from '../../api/paginate';
import type { ApiRequest, ApiResponse, QueryValue } from '../../api/request';
import type { Call, ListSettings } from '../operation/call';
import type { Options } from '../operation/sharedParameters';
import type { HintTaker } from './hints';
import type { Memory } from './memory';
import { previewRequest } from './preview';

/** What all items of one call of the node share. */
export interface SharedState extends Pick<Call, 'values' | 'zone' | 'webhooks' | 'isRetry'> {
	client: ApiClient;
	memory: Memory;
	hints: HintTaker;
	/** Of the operation's own list. */
	accepted: AcceptedLimit;
	/** Of the lists that an operation of several requests reads, by path. */
	limits: Map<string, AcceptedLimit>;
	/** What the items work out once for all of them. */
	shared: Map<string, unknown>;
	/** Fires when the execution is cancelled. */
	signal?: AbortSignal;
}

export function openCall(state: SharedState, options: Options, isDryRun = false): Call {
	const { timeout, maxRetries } = options;
	const { client, hints, limits, shared, values, zone, webhooks, isRetry } = state;
	const send = async (request: ApiRequest, signal?: AbortSignal) =>
		await client.send(request, { timeoutMs: timeout, maxRetries, signal });
	return {
		values,
		zone,
		webhooks,
		isRetry,
		maxRetries,
		isDryRun,
		preview: previewRequest,
		send,
		sendAll: async (requests) => await sendAll(requests, send, state.signal),
		openList: (request, { largest, onRecords }: ListSettings = {}) => {
			const accepted = limits.get(request.path) ?? startLimit(largest);
			limits.set(request.path, accepted);
			const fetchPage = async (query: Record<string, QueryValue>) =>
				await send({ ...request, query: { ...request.query, ...query } });
			return new ListReader({ paging: 'cursor', wanted: Infinity, accepted, onRecords, fetchPage });
		},
		once: <T>(what: string, make: () => T): T => {
			// What a dry run remembers as written is not there for the items that write.
			const name = isDryRun ? `dry run, ${what}` : what;
			if (!shared.has(name)) shared.set(name, make());
			return shared.get(name) as T;
		},
		wait: async (ms) => await client.wait(ms),
		hint: (kind, message) => hints.add(kind, message),
	};
}

async function sendAll(
	requests: ApiRequest[],
	send: (request: ApiRequest, signal: AbortSignal) => Promise<ApiResponse>,
	cancelled?: AbortSignal,
): Promise<ApiResponse[]> {
	const failed = new AbortController();
	const signal = cancelled ? AbortSignal.any([cancelled, failed.signal]) : failed.signal;
	const sending = requests.map(async (request) => {
		try {
			return await send(request, signal);
		} catch (error) {
			failed.abort(error);
			throw signal.reason;
		}
	});
	// All of them, so that none is left over beside the requests of the node's next run.
	await Promise.allSettled(sending);
	return await Promise.all(sending);
}
