import type { OperationId, Store } from '../../sandbox/index.mts';
import type { JsonObject } from '../../tools/n8n/execution.mts';

export type ExpectedRequest = {
	method: string;
	path: string;
	query?: Record<string, unknown>;
	body?: unknown;
};

/** The expected output of one item: the response to a direct GET, or a record with at least these fields. */
export type ExpectedOutput = { read: string; added?: JsonObject } | { record: JsonObject };

/** One endpoint, run for two input items that differ in every ID and value. */
export type EndpointCase = {
	endpoint: OperationId;
	/** The node's parameters; expressions read the input item. */
	parameters: JsonObject;
	items: [JsonObject, JsonObject];
	requests: ExpectedRequest[];
	outputs: [ExpectedOutput, ExpectedOutput];
};

export type CasesOf = (store: Store) => EndpointCase[];

/** A resource locator as the editor stores it, with an expression in its ID mode. */
export function locate(field: string): JsonObject {
	return { __rl: true, mode: 'id', value: `={{ $json.${field} }}` };
}
