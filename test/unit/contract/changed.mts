import type { ApiRequest } from '../../../nodes/api/request.ts';
import type { Operation } from '../../../nodes/PageAudience/operation/operation.ts';
import { ItemRefusedError } from '../../../nodes/parameters/problem.ts';
import { makeRequest, type Parameters } from '../../../tools/docs/parameters.mts';

const collections = ['person', 'additionalFields', 'updateFields', 'filters', 'options'];

/** Where a field of the API is among the parameters, under its name there. */
function findPlaces(parameters: Parameters, field: string): Array<[Parameters, name: string]> {
	const { idempotency } = (parameters.options ?? {}) as { idempotency?: { value: Parameters } };
	if (field === 'idempotencyKey') return idempotency ? [[idempotency.value, 'key']] : [];
	return [parameters, ...collections.map((each) => parameters[each])]
		.filter(
			(place): place is Parameters => typeof place === 'object' && place !== null && field in place,
		)
		.map((place) => [place, field]);
}

/** The parameters with one of them set to a value, or removed when the value is undefined. */
export function withParameter(parameters: Parameters, name: string, value: unknown): Parameters {
	const changed = structuredClone(parameters);
	const places = findPlaces(changed, name);
	if (places.length !== 1) throw new Error(`${name} stands in ${places.length} places`);
	const [[place, own]] = places;
	if (value === undefined) delete place[own];
	else place[own] = value;
	return changed;
}

export const isParameter = (parameters: Parameters, name: string): boolean =>
	findPlaces(parameters, name).length > 0;

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
