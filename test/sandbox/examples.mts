import { loadDocument } from '../../sandbox/index.mts';
import type { Sent } from './calling.mts';

/** The request that openapi.yaml gives as an example of an operation. */
export interface Example extends Sent {
	operationId: string;
	method: string;
	/** With `{names}`. */
	template: string;
	path: string;
	/** Of a success. */
	status: number;
}

interface Parameter {
	$ref?: string;
	in: string;
	name: string;
	example?: unknown;
}

interface Described {
	operationId: string;
	parameters?: Parameter[];
	requestBody?: { content: { 'application/json': { example: unknown } } };
	responses: object;
}

interface Document {
	paths: Record<string, Record<string, Described>>;
	components: { parameters: Record<string, Parameter> };
}

const { paths, components } = loadDocument() as object as Document;

const resolve = (parameter: Parameter): Parameter =>
	parameter.$ref ? components.parameters[parameter.$ref.split('/')[3]] : parameter;

export const examples: Example[] = Object.entries(paths).flatMap(([template, methods]) =>
	Object.entries(methods).map(([method, { operationId, parameters, requestBody, responses }]) => {
		const given = (parameters ?? []).map(resolve).filter(({ example }) => example !== undefined);
		const valuesIn = (place: string) =>
			given.filter((each) => each.in === place).map(({ name, example }) => [name, example]);
		const values = new Map(valuesIn('path') as Array<[string, string]>);
		return {
			operationId,
			method: method.toUpperCase(),
			template,
			path: template.replace(/\{(\w+)\}/g, (_, name: string) => String(values.get(name))),
			status: Number(Object.keys(responses)[0]),
			query: Object.fromEntries(valuesIn('query')) as Record<string, unknown>,
			body: requestBody?.content['application/json'].example,
		};
	}),
);
