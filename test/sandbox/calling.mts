import { Agent } from 'node:http';
import axios, { type AxiosResponse } from 'axios';
import { loadDocument, type Sandbox } from '../../sandbox/index.mts';

interface Sent {
	query?: Record<string, unknown>;
	/** Sent as JSON. A string is sent unchanged. */
	body?: unknown;
	headers?: Record<string, string | undefined>;
}

/** The server runs in the test's process: while a test works, it cannot see that it must close an idle connection. */
const httpAgent = new Agent({ keepAlive: false });

/** Sends one real request with the right key, and returns any response. */
export function call(
	{ url, apiKey }: Sandbox,
	method: string,
	path: string,
	{ query, body, headers }: Sent = {},
): Promise<AxiosResponse> {
	return axios.request({
		method,
		url: url + path,
		params: query,
		data: typeof body === 'object' ? JSON.stringify(body) : body,
		headers: {
			'x-api-key': apiKey,
			'content-type': body === undefined ? undefined : 'application/json',
			...headers,
		},
		// axios would quote a text with a JSON content type that is not JSON.
		transformRequest: (data) => data,
		validateStatus: () => true,
		proxy: false,
		httpAgent,
	});
}

/** The request that openapi.yaml gives as an example of an operation. */
interface Example extends Sent {
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
