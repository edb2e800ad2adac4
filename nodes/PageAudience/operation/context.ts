import type { IDataObject } from 'n8n-workflow';
import type { WebhookAnswer } from '../../api/ownWebhooks';
import type { ApiRequest, ApiResponse } from '../../api/request';

/** One run of the node, as the operations with a `run` of their own see it. */
export interface RunContext<V = object> {
	all: readonly V[];
	zone: string;
	webhooks: OwnWebhooks;
	/** 0 sends every request once. */
	maxRetries: number;
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
	/** All records of a list that comes in pages by cursor. */
	readList: (request: ApiRequest, settings?: ListSettings) => Promise<IDataObject[]>;
	/** What `make` returns for the first item that asks for it. */
	once: <T>(name: string, make: () => T) => T;
	/** @throws the abort's reason when the execution is cancelled meanwhile */
	wait: (ms: number) => Promise<void>;
}

export interface ItemContext<V = object> extends RunContext<V> {
	/** What the operation's `request` returned for this item. */
	request: ApiRequest;
	/** The records that it changes, as `writes.changes` named them. */
	changes: readonly string[];
	json: IDataObject;
	/** An earlier attempt, of this run or the one before, may have done the same. */
	inDoubt: boolean;
	/** A person, who was asked to look in the service, chose Retry after that attempt. */
	isRetried: boolean;
	/** Tells the person beside the output. */
	hint: (message: string) => void;
}

export interface ListSettings {
	/** Records to ask for at once, where the service accepts that. */
	largest?: number;
	/** Receives the records of each page, in place of the result. So a long list needs no memory. */
	onRecords?: (records: IDataObject[]) => void;
}

export interface OwnWebhooks {
	/** Where they are, e.g. `https://n8n.example/`, if n8n says so. */
	findBase: () => string | undefined;
	/** What a delivery to an address below that would meet. undefined where it cannot be told. */
	ask: (href: string) => Promise<WebhookAnswer | undefined>;
}
