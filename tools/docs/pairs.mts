import { type Endpoint, endpoints } from './document.mts';
import { expectRequest, makeParameters, operations } from './parameters.mts';

const leadsTo = (
	{ method, path }: Endpoint,
	request: { method: string; path: string },
): boolean => {
	const parts = path.split('/');
	const segments = request.path.split('/');
	return (
		method === request.method &&
		parts.length === segments.length &&
		parts.every((part, i) =>
			// A sample holds the name of its parameter or matches its documented pattern.
			part.startsWith('{') ? /sample|_0123456789/.test(segments[i]) : part === segments[i],
		)
	);
};

/**
 * Every operation with the request for filled-in parameters, the endpoints that match it, and those that it uses: one,
 * unless it needs several requests.
 */
export const pairs = operations.map(({ name, operation }) => {
	const parameters = makeParameters(operation);
	const request = expectRequest(operation, parameters);
	const found = endpoints.filter((endpoint) => leadsTo(endpoint, request));
	const used = operation.uses?.map(findEndpoint) ?? found;
	return { name, operation, parameters, request, found, used };
});

function findEndpoint(text: string): Endpoint {
	const found = endpoints.find(({ method, path }) => `${method} /v0${path}` === text);
	if (!found) throw new Error(`The API has no endpoint ${text}`);
	return found;
}
