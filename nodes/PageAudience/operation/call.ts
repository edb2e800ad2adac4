import type { ApiClient } from '../../api/client';
import {
	type AcceptedLimit,
	cursor,
	ListReader,
	type ListRequest,
	startLimit,
} from '../../api/paginate';
import type { ApiRequest, ApiResponse, QueryValue } from '../../api/request';
import type { HintKind, Hints } from './hints';
import type { OwnWebhooks } from './ownWebhooks';
import type { Options } from './sharedParameters';

/** What all items of one call of the node share. */
export interface RunState {
	client: ApiClient;
	hints: Hints;
	/** Of the operation's own list. */
	accepted: AcceptedLimit;
	/** Of the lists that an operation of several requests reads, by path. */
	limits: Map<string, AcceptedLimit>;
	/** What the items work out once for all of them. */
	shared: Map<string, unknown>;
	/** The values of all valid items, in input order. */
	values: readonly object[];
	/** The workflow's time zone. */
	zone: string;
	webhooks: OwnWebhooks;
	/** n8n runs the execution again, after one that failed or was killed. */
	isRetry: boolean;
}

/** One call of the node, as one item of an operation of several requests sees it. */
export interface Call<V = object> extends Pick<RunState, 'zone' | 'webhooks' | 'isRetry'> {
	/** Of all valid items, in input order. */
	values: readonly V[];
	/** 0 sends every request once. */
	maxRetries: number;
	/** Nothing of this item is written. */
	isDryRun: boolean;
	/**
	 * @throws {RequestFailedError} when there is no success
	 * @throws the abort's reason when the execution was cancelled
	 */
	send: (request: ApiRequest) => Promise<ApiResponse>;
	/**
	 * Sends all requests, as many at once as Concurrency allows. The first that fails ends the rest.
	 * @throws as `send` does
	 */
	sendAll: (requests: ApiRequest[]) => Promise<ApiResponse[]>;
	/** A list that comes in pages by cursor, to read as far as needed. */
	openList: (request: ApiRequest, settings?: ListSettings) => ListReader;
	/** What `make` returns for the first item that asks for it. */
	once: <T>(name: string, make: () => T) => T;
	/** @throws the abort's reason when the execution is cancelled meanwhile */
	wait: (ms: number) => Promise<void>;
	hint: (kind: HintKind, message: string | undefined) => void;
}

export interface ListSettings extends Pick<ListRequest, 'onRecords'> {
	/** Records to ask for at once, where the service accepts that. */
	largest?: number;
}

export function openCall(run: RunState, options: Options, isDryRun = false): Call {
	const { timeout, maxRetries } = options;
	const { client, hints, limits, shared, values, zone, webhooks, isRetry } = run;
	const send = async (request: ApiRequest, isAbandoned?: () => boolean) =>
		await client.send(request, { timeoutMs: timeout, maxRetries, isAbandoned });
	return {
		values,
		zone,
		webhooks,
		isRetry,
		maxRetries,
		isDryRun,
		send,
		sendAll: async (requests) => await sendAll(requests, send),
		openList: (request, { largest, onRecords } = {}) => {
			const accepted = limits.get(request.path) ?? startLimit(largest);
			limits.set(request.path, accepted);
			const fetchPage = async (query: Record<string, QueryValue>, isAbandoned?: () => boolean) =>
				await send({ ...request, query: { ...request.query, ...query } }, isAbandoned);
			return new ListReader({ paging: cursor, wanted: Infinity, accepted, onRecords, fetchPage });
		},
		once: <T>(name: string, make: () => T): T => {
			if (!shared.has(name)) shared.set(name, make());
			return shared.get(name) as T;
		},
		wait: async (ms) => await client.traffic.wait(ms),
		hint: (kind, message) => hints.add(kind, message),
	};
}

async function sendAll(
	requests: ApiRequest[],
	send: (request: ApiRequest, isAbandoned: () => boolean) => Promise<ApiResponse>,
): Promise<ApiResponse[]> {
	let failure: { error: unknown } | undefined;
	const sending = requests.map(async (request) => {
		try {
			return await send(request, () => failure !== undefined);
		} catch (error) {
			failure ??= { error };
			throw failure.error;
		}
	});
	// All of them, so that none is left over beside the requests of the node's next run.
	await Promise.allSettled(sending);
	return await Promise.all(sending);
}
