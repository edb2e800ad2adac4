import type { ApiRequest } from '../../../nodes/api/request.ts';
import type { Operation } from '../../../nodes/PageAudience/operation/operation.ts';
import { ItemRefusedError } from '../../../nodes/parameters/problem.ts';
import { makeRequest, type Parameters } from '../../../tools/docs/parameters.mts';

const collections = ['person', 'additionalFields', 'updateFields', 'filters'];

/** The parameters with one of them set to a value, or removed when the value is undefined. */
export function withParameter(parameters: Parameters, name: string, value: unknown): Parameters {
	const changed = structuredClone(parameters);
	const places = [changed, ...collections.map((each) => changed[each])].filter(
		(place): place is Parameters => typeof place === 'object' && place !== null && name in place,
	);
	if (places.length !== 1) throw new Error(`${name} stands in ${places.length} places`);
	if (value === undefined) delete places[0][name];
	else places[0][name] = value;
	return changed;
}

export const isParameter = (parameters: Parameters, name: string): boolean =>
	[parameters, ...collections.map((each) => parameters[each] as Parameters | undefined)].some(
		(place) => place !== undefined && name in place,
	);

/** The request, or why the parameters are refused. */
export function tryRequest(
	operation: Operation,
	parameters: Parameters,
): ApiRequest | ItemRefusedError {
	try {
		return makeRequest(operation, parameters);
	} catch (error) {
		if (error instanceof ItemRefusedError) return error;
		throw error;
	}
}

/** The body as sent, without undefined members. */
export const sentBody = ({ body }: ApiRequest): Record<string, unknown> =>
	JSON.parse(JSON.stringify(body ?? {})) as Record<string, unknown>;
