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
			// The samples hold the name of their parameter, or are of its documented form.
			part.startsWith('{') ? /sample|_0123456789/.test(segments[i]) : part === segments[i],
		)
	);
};

/** Every operation with the request that it makes of filled-in parameters, and the endpoints that this leads to. */
export const pairs = operations.map(({ name, operation }) => {
	const parameters = makeParameters(operation);
	const request = expectRequest(operation, parameters);
	const found = endpoints.filter((endpoint) => leadsTo(endpoint, request));
	return { name, operation, parameters, request, found };
});
