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

/** Every operation with the request for filled-in parameters, and the endpoints that match it. */
export const pairs = operations.map(({ name, operation }) => {
	const parameters = makeParameters(operation);
	const request = expectRequest(operation, parameters);
	const found = endpoints.filter((endpoint) => leadsTo(endpoint, request));
	return { name, operation, parameters, request, found };
});
