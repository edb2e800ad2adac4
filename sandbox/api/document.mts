import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenAPIV3 } from 'express-openapi-validator/dist/framework/types.js';
import { parse } from 'yaml';
import { handlers, type OperationId } from '../endpoints/index.mts';

export type OpenApiDocument = OpenAPIV3.DocumentV3_1;

export interface Operation {
	operationId: OperationId;
	/** In upper case. */
	method: string;
	/** With `{names}`, as in the document. */
	path: string;
	takesBody: boolean;
	successStatus: number;
}

export const documentPath = join(import.meta.dirname, '../openapi.yaml');

/** Each call returns a fresh copy, because the validator changes the document it gets. */
export const loadDocument = (): OpenApiDocument => parse(readFileSync(documentPath, 'utf8'));

/**
 * The validator rejects reserved characters (`:` in a date) and empty values in a query unless each parameter allows
 * them. RFC 3986 permits reserved characters in a query, and no documented rule forbids empty values.
 */
export function allowPlainQueries(document: OpenApiDocument): OpenApiDocument {
	const shared = Object.values(document.components.parameters ?? {});
	const own = Object.values(document.paths ?? {}).flatMap((item) => item.get?.parameters ?? []);
	for (const parameter of [...shared, ...own]) {
		if ('$ref' in parameter || parameter.in !== 'query') continue;
		parameter.allowReserved = true;
		parameter.allowEmptyValue = true;
	}
	return document;
}

/**
 * For the guesses that contradict the document: a null `nextCursor` where it is optional, and 200 for a person that
 * exists. They can be switched at any time, but the validator reads the document only once.
 */
export function allowGuesses(document: OpenApiDocument): void {
	const { responses = {} } = document.paths?.['/v0/persons']?.post ?? {};
	responses['200'] = responses['201'];
	for (const name of ['AudienceList', 'AudienceVersionList']) {
		const schema = document.components.schemas?.[name];
		if (schema && 'properties' in schema)
			Object.assign(schema.properties ?? {}, { nextCursor: {} });
	}
}

const methods = ['get', 'post', 'patch', 'delete'] as const;

const isOperationId = (id: string | undefined): id is OperationId =>
	id !== undefined && Object.hasOwn(handlers, id);

export function listOperations(document: OpenApiDocument): Operation[] {
	return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
		methods.flatMap((method) => {
			const operation = item[method];
			if (!operation) return [];
			const { operationId, requestBody, responses } = operation;
			if (!isOperationId(operationId))
				throw new Error(`No endpoint implements the operation ${operationId}`);
			const success = Object.keys(responses ?? {}).find((status) => status.startsWith('2'));
			return {
				operationId,
				method: method.toUpperCase(),
				path,
				takesBody: requestBody !== undefined,
				successStatus: Number(success),
			};
		}),
	);
}

/** Finds the operation for a raw, percent-encoded path. A fixed segment wins over a named one. */
export function findOperation(
	operations: readonly Operation[],
	method: string,
	rawPath: string,
): Operation | undefined {
	const segments = rawPath.split('/');
	const matches = ({ path }: Operation) => {
		const wanted = path.split('/');
		return (
			wanted.length === segments.length &&
			wanted.every((part, index) =>
				part.startsWith('{') ? segments[index] !== '' : part === segments[index],
			)
		);
	};
	const found = operations.filter((operation) => operation.method === method && matches(operation));
	return found.find(({ path }) => path === rawPath) ?? found[0];
}
