import type { OpenAPIV3 } from 'express-openapi-validator/dist/framework/types.js';
import { loadDocument } from '../../../sandbox/index.mts';
import type { Field, Fields } from './notation.mts';

/** OpenAPI 3.1, where a type may be a list; the validator's own types know 3.0 only. */
export interface Schema {
	$ref?: string;
	type?: string | string[];
	properties?: Record<string, Schema>;
	required?: string[];
	additionalProperties?: boolean;
	items?: Schema;
	enum?: string[];
	format?: string;
	minLength?: number;
	maxLength?: number;
	minimum?: number;
	maximum?: number;
	pattern?: string;
	default?: string;
	description?: string;
}

export const document = loadDocument();
export const schemas = document.components.schemas as Record<string, Schema>;

/** What the description calls the shapes that have a schema of their own. */
export const shapeNames: Record<string, string> = {
	Person: 'Person',
	PersonLog: 'Person log entry',
	Account: 'Account',
	AccountSearchItem: 'Account search item',
	AccountActivity: 'Account activity item',
	Page: 'Page',
	PageAction: 'Page action',
	PageActionInput: 'Page action',
	ActionCardWidget: 'Action card widget',
	ActionCardWidgetInput: 'Action card widget',
	FooterLinkGroup: 'Footer link group',
	FooterLinkGroupInput: 'Footer link group',
	Script: 'Script',
	ScriptInput: 'Script',
	Metadata: 'Metadata',
	MetadataInput: 'Metadata',
	Audience: 'Audience',
	AudienceVersion: 'Audience version',
	PageLink: 'Page link',
	AudienceSession: 'Audience session',
	SessionInteraction: 'Session interaction',
	PageAnalyticsSummary: 'Page analytics summary',
	WebhookSubscription: 'Webhook subscription',
	EventKind: 'event kind',
};

export const nameOf = ($ref: string): string => $ref.split('/').pop() ?? '';

export function resolve(schema: Schema): Schema {
	return schema.$ref ? resolve(schemas[nameOf(schema.$ref)]) : schema;
}

/** A schema in the description's words. */
export function spellSchema(schema: Schema): string {
	const shape = schema.$ref && shapeNames[nameOf(schema.$ref)];
	if (shape) return shape;
	const { type = '', items, properties, minimum, maximum, format, ...rest } = resolve(schema);
	if (rest.enum) return `enum ${rest.enum.join('|')}`;
	const types = [type].flat();
	const tail = types.includes('null') ? ' | null' : '';
	if (types[0] === 'array') return `[${spellSchema(items ?? {})}]${tail}`;
	if (properties) {
		const members = Object.entries(properties).map(([name, one]) => `${name}: ${spellSchema(one)}`);
		return `{${members.join(', ')}}${tail}`;
	}
	const range = minimum === undefined ? '' : ` ${minimum}..${maximum}`;
	return `${types[0]}${range}${format ? ` ${format}` : ''}${tail}`;
}

function describeField(schema: Schema, required: boolean): Field {
	const { minLength, maxLength, pattern, default: preset } = resolve(schema);
	return { type: spellSchema(schema), required, minLength, maxLength, pattern, default: preset };
}

export function describeFields(schemaName: string): Fields {
	const { properties = {}, required = [] } = schemas[schemaName];
	return Object.fromEntries(
		Object.entries(properties).map(([name, schema]) => [
			name,
			describeField(schema, required.includes(name)),
		]),
	);
}

export interface DocumentedOperation {
	id: string;
	method: string;
	path: string;
	summary: string;
	statuses: string[];
	query: Record<string, string>;
	pathParameters: string[];
	body: Schema | undefined;
	answer: Schema;
}

const methods = ['get', 'put', 'post', 'patch', 'delete'] as const;

function findParameter(
	parameter: OpenAPIV3.ReferenceObject | OpenAPIV3.ParameterObject,
): OpenAPIV3.ParameterObject {
	if (!('$ref' in parameter)) return parameter;
	const found = document.components.parameters?.[nameOf(parameter.$ref)];
	if (!found) throw new Error(`There is no ${parameter.$ref}`);
	return findParameter(found);
}

function describeOperation(
	path: string,
	method: string,
	operation: OpenAPIV3.OperationObject,
): DocumentedOperation {
	const {
		operationId = '',
		summary = '',
		parameters = [],
		requestBody,
		responses = {},
	} = operation;
	const found = parameters.map(findParameter);
	const statuses = Object.keys(responses).filter((status) => status !== 'default');
	const success = responses[statuses[0]];
	const content = '$ref' in success ? undefined : success.content?.['application/json'];
	const body = requestBody && 'content' in requestBody ? requestBody.content : undefined;
	return {
		id: operationId,
		method: method.toUpperCase(),
		path,
		summary,
		statuses,
		query: Object.fromEntries(
			found
				.filter((one) => one.in === 'query')
				.map(({ name, schema }) => [name, spellSchema(schema as Schema)]),
		),
		pathParameters: found.filter((one) => one.in === 'path').map(({ name }) => name),
		body: body?.['application/json'].schema as Schema | undefined,
		answer: content?.schema as Schema,
	};
}

export const operations: DocumentedOperation[] = Object.entries(document.paths ?? {}).flatMap(
	([path, item]) =>
		methods.flatMap((method) => {
			const operation = item[method];
			return operation ? [describeOperation(path, method, operation)] : [];
		}),
);
