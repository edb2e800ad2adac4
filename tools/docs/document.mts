import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from '../root.mts';

export interface Schema {
	$ref?: string;
	type?: string | string[];
	properties?: Record<string, Schema>;
	required?: string[];
	items?: Schema;
	additionalProperties?: boolean;
	enum?: string[];
	minLength?: number;
	maxLength?: number;
	pattern?: string;
	format?: string;
	default?: unknown;
}

interface Parameter {
	$ref?: string;
	name: string;
	in: 'path' | 'query';
	schema: Schema;
}

interface Described {
	operationId: string;
	parameters?: Parameter[];
	requestBody?: { content: { 'application/json': { schema: Schema } } };
	responses: Record<string, { content?: { 'application/json': { schema: Schema } } }>;
}

interface OpenApiDocument {
	security: Array<Record<string, string[]>>;
	paths: Record<string, Record<string, Described>>;
	components: {
		parameters: Record<string, Parameter>;
		schemas: Record<string, Schema>;
		securitySchemes: Record<string, { type: string; in: string; name: string }>;
	};
}

const file = join(root, 'sandbox/openapi.yaml');
export const document = parse(readFileSync(file, 'utf8')) as OpenApiDocument;

/** One endpoint of the document, with every reference resolved. */
export interface Endpoint {
	operationId: string;
	method: string;
	/** With `{names}`, below `/v0`. */
	path: string;
	pathNames: string[];
	query: Record<string, Schema>;
	body?: Schema;
	/** The schema of a successful response. */
	answer: Schema;
}

function resolveSchema(schema: Schema): Schema {
	if (schema.$ref) return resolveSchema(resolve(document.components.schemas, schema.$ref));
	return {
		...schema,
		...(schema.items && { items: resolveSchema(schema.items) }),
		...(schema.properties && {
			properties: Object.fromEntries(
				Object.entries(schema.properties).map(([name, member]) => [name, resolveSchema(member)]),
			),
		}),
	};
}

const resolve = <T,>(parts: Record<string, T>, reference: string): T =>
	parts[reference.split('/').at(-1) ?? ''];

export const endpoints: Endpoint[] = Object.entries(document.paths).flatMap(([path, item]) =>
	Object.entries(item).map(([method, described]) => {
		const parameters = (described.parameters ?? []).map((parameter) =>
			parameter.$ref ? resolve(document.components.parameters, parameter.$ref) : parameter,
		);
		const at = (place: Parameter['in']) => parameters.filter((each) => each.in === place);
		const body = described.requestBody?.content['application/json'].schema;
		const success = Object.keys(described.responses).find((status) => status !== 'default') ?? '';
		const answer = described.responses[success].content?.['application/json'].schema;
		return {
			operationId: described.operationId,
			method: method.toUpperCase(),
			path: path.replace(/^\/v0/, ''),
			pathNames: at('path').map(({ name }) => name),
			query: Object.fromEntries(at('query').map(({ name, schema }) => [name, schema])),
			body: body && resolveSchema(body),
			answer: resolveSchema(answer ?? {}),
		};
	}),
);

export const typeOf = ({ type }: Schema): string =>
	[type].flat().find((each) => each !== 'null') ?? '';
