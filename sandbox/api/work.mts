import { Reply, type Call, type Handler } from '../endpoints/call.mts';
import { handlers } from '../endpoints/index.mts';
import type { Operation } from './document.mts';

export interface Work extends Pick<Call, 'store' | 'guesses' | 'query' | 'body'> {
	operation: Operation;
	/** Percent-encoded, without the query. */
	rawPath: string;
}

/** Does the work of an endpoint for a request that is valid. */
export function doWork({ operation, rawPath, body, ...rest }: Work): Reply {
	const params = readParams(operation.path, rawPath);
	const handle: Handler = handlers[operation.operationId];
	const answer = handle({ ...rest, params, body: body as never });
	return answer instanceof Reply ? answer : new Reply(operation.successStatus, answer);
}

function readParams(path: string, rawPath: string): Record<string, string> {
	const segments = rawPath.split('/');
	return Object.fromEntries(
		path
			.split('/')
			.flatMap((part, index) =>
				part.startsWith('{') ? [[part.slice(1, -1), decodeURIComponent(segments[index])]] : [],
			),
	);
}
