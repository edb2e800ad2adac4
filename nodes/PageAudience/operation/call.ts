import type { IDataObject } from 'n8n-workflow';
import type { ListReader, ListRequest } from '../../api/paginate';
import type { ApiRequest, ApiResponse } from '../../api/request';

/** One call of the node, as one item of an operation of several requests sees it. */
export interface Call<V = object> {
	/** Of all valid items, in input order. */
	values: readonly V[];
	/** The workflow's time zone. */
	zone: string;
	webhooks: OwnWebhooks;
	/** n8n runs the execution again, after one that failed or was killed. */
	isRetry: boolean;
	/** 0 sends every request once. */
	maxRetries: number;
	/** Nothing of this item is written. */
	isDryRun: boolean;
	/** What a dry run outputs in place of sending a request. undefined where nothing would be sent. */
	preview: (request: ApiRequest | undefined) => IDataObject;
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

/** The webhooks of the n8n that runs the node. */
export interface OwnWebhooks {
	/** Where they are, e.g. `https://n8n.example/`, if n8n says so. */
	findBase: () => string | undefined;
	/** Whether there is one at an address below that. undefined where it cannot be told. */
	has: (href: string) => Promise<boolean | undefined>;
}

/** Of each, n8n shows a few. */
export type HintKind = 'summary' | 'found' | 'list' | 'waiting' | 'remembering' | 'repetition';
