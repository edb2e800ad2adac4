import type { Operation } from '../../nodes/PageAudience/operation/operation.ts';
import { type Endpoint, endpoints, nameSchema, type Schema } from './document.mts';
import { makeParameters, makeRequest, operations } from './parameters.mts';

/** Every operation with its endpoint. */
export const pairs = operations.map(({ name, operation }) => {
	const parameters = makeParameters(operation);
	/** The request for filled-in parameters. */
	const request = makeRequest(operation, parameters);
	/** The endpoints that match it: one. */
	const found = endpoints.filter((endpoint) => leadsTo(endpoint, request));
	/** All endpoints of the operation: others, too, if it needs several requests. */
	const used = operation.uses?.map(findEndpoint) ?? found;
	const record = findRecord(operation, found[0]);
	return { name, operation, parameters, request, found, used, ...record };
});

export type Pair = (typeof pairs)[number];

/** A sample in a path holds the name of its parameter or matches its documented pattern. */
function leadsTo({ method, path }: Endpoint, request: { method: string; path: string }): boolean {
	const pattern = path.replace(/\{\w+\}/g, '[^/]*(sample|_0123456789)[^/]*');
	return method === request.method && new RegExp(`^${pattern}$`).test(request.path);
}

function findEndpoint(text: string): Endpoint {
	const found = endpoints.find(({ method, path }) => `${method} /v0${path}` === text);
	if (!found) throw new Error(`The API has no endpoint ${text}`);
	return found;
}

/** The schema of one record of the output: of an entry when the response holds a list. */
function findRecord({ output, uses }: Operation, { answer }: Endpoint) {
	if (output?.isOwn)
		return { record: { properties: output.adds } as Schema, recordName: '', isList: false };
	const { items, interactions } = answer.properties ?? {};
	const entry = answer.items ?? items?.items ?? interactions?.items;
	const record = entry ?? answer;
	const isList = entry !== undefined && uses === undefined;
	return { record, recordName: nameSchema(record), isList };
}
