import { loadDocument } from '../../sandbox/document.mts';

export interface Schema {
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

interface Content {
	content?: { 'application/json': { schema: Schema } };
}

interface Described {
	operationId: string;
	parameters?: Array<{ name: string; in: 'path' | 'query'; schema: Schema }>;
	requestBody?: Content;
	responses: Record<string, Content>;
}

interface OpenApiDocument {
	paths: Record<string, Record<string, Described>>;
	components: { schemas: Record<string, Schema> };
}

const source: unknown = loadDocument();
export const document = source as OpenApiDocument;

/** The same with what it refers to in place of each reference. */
function resolve(node: unknown): unknown {
	if (typeof node !== 'object' || node === null) return node;
	if (Array.isArray(node)) return node.map(resolve);
	if ('$ref' in node) return resolve(follow(String(node.$ref)));
	return Object.fromEntries(Object.entries(node).map(([name, member]) => [name, resolve(member)]));
}

/** What a reference such as `#/components/schemas/Page` refers to. */
const follow = (reference: string): unknown =>
	reference
		.split('/')
		.slice(1)
		.reduce((node: unknown, name) => (node as Record<string, unknown>)[name], source);

/** One endpoint of the document, with every reference resolved. */
export interface Endpoint {
	operationId: string;
	method: string;
	/** With `{names}`, below `/v0`. */
	path: string;
	query: Record<string, Schema>;
	body?: Schema;
	/** The schema of a successful response. */
	answer: Schema;
}

const paths = resolve(document.paths) as OpenApiDocument['paths'];
export const endpoints: Endpoint[] = Object.entries(paths).flatMap(([path, item]) =>
	Object.entries(item).map(([method, { operationId, parameters = [], ...described }]) => {
		const success = Object.keys(described.responses).find((status) => status !== 'default') ?? '';
		const inQuery = parameters.filter((each) => each.in === 'query');
		return {
			operationId,
			method: method.toUpperCase(),
			path: path.replace(/^\/v0/, ''),
			query: Object.fromEntries(inQuery.map(({ name, schema }) => [name, schema])),
			body: described.requestBody?.content?.['application/json'].schema,
			answer: described.responses[success].content?.['application/json'].schema ?? {},
		};
	}),
);

/** The name of a schema in the document, in words. */
export function nameSchema(schema: Schema): string {
	const text = JSON.stringify(schema);
	const all = Object.entries(document.components.schemas);
	const found = all.find(([, each]) => JSON.stringify(resolve(each)) === text)?.[0] ?? '';
	return found.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

export const typeOf = ({ type }: Schema): string =>
	[type].flat().find((each) => each !== 'null') ?? '';
