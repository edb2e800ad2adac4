import { loadDocument } from './document.mts';
import { EndpointReply, type Call, type OperationId } from './endpoints/call.mts';
import { handlers } from './endpoints/index.mts';

export interface ServedOperation {
	operationId: OperationId;
	/** In upper case. */
	method: string;
	/** With `{names}`, as in the document. */
	path: string;
	/** Matches a raw, percent-encoded path. Its groups are the path's parameters. */
	pattern: RegExp;
	takesBody: boolean;
	successStatus: number;
}

const isOperationId = (id: string | undefined): id is OperationId =>
	id !== undefined && Object.hasOwn(handlers, id);

/** Every operation of the document. */
export function listOperations(): ServedOperation[] {
	return Object.entries(loadDocument().paths ?? {}).flatMap(([path, item]) =>
		(['get', 'post', 'patch', 'delete'] as const).flatMap((method) => {
			const operation = item[method];
			if (!operation) return [];
			const { operationId, requestBody, responses } = operation;
			if (!isOperationId(operationId))
				throw new Error(`No handler in sandbox/endpoints is named ${operationId}`);
			return {
				operationId,
				method: method.toUpperCase(),
				path,
				pattern: new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
				takesBody: requestBody !== undefined,
				successStatus: Number(
					Object.keys(responses ?? {}).find((status) => status.startsWith('2')),
				),
			};
		}),
	);
}

export const findOperation = (
	operations: readonly ServedOperation[],
	method: string,
	rawPath: string,
): ServedOperation | undefined =>
	operations.find((each) => each.method === method && each.pattern.test(rawPath));

/** A valid request. */
interface Work extends Pick<Call<OperationId>, 'store' | 'guesses'> {
	/** Percent-encoded, without the query. */
	rawPath: string;
	query: object;
	body: unknown;
}

/** Does the work of an endpoint. */
export function doWork(
	{ operationId, pattern, successStatus }: ServedOperation,
	{ rawPath, ...rest }: Work,
): EndpointReply {
	const groups = Object.entries(pattern.exec(rawPath)?.groups ?? {});
	const params = Object.fromEntries(groups.map(([name, text]) => [name, decodeURIComponent(text)]));
	const handle: (call: never) => object = handlers[operationId];
	const answer = handle({ ...rest, params } as never);
	return answer instanceof EndpointReply ? answer : new EndpointReply(successStatus, answer);
}
