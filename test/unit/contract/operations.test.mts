import type { INodeProperties } from 'n8n-workflow';
import type { Operation } from '../../../nodes/PageAudience/operation/operation.ts';
import { PageAudienceApi } from '../../../credentials/PageAudienceApi.credentials.ts';
import { nextFields } from '../../../nodes/api/paginate.ts';
import { ItemRefusedError } from '../../../nodes/parameters/problem.ts';
import { document, endpoints, type Schema, typeOf } from '../../../tools/docs/document.mts';
import { pairs } from '../../../tools/docs/pairs.mts';
import { makeRequest, type Parameters } from '../../../tools/docs/parameters.mts';
import { explain, respond } from '../api/responding.mts';
import { isParameter, sentBody, tryRequest, withParameter } from './changed.mts';
import { detectBy } from '../../groups.mts';

const toCamelCase = (name: string): string =>
	name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());

/** Operations that are one endpoint. The others need several requests. */
const direct = pairs.filter(({ operation }) => operation.uses === undefined);

test('every endpoint has exactly one operation of its own', () => {
	expect(pairs.filter(({ found }) => found.length !== 1).map(({ name }) => name)).toEqual([]);
	const reached = direct.flatMap(({ found }) => found.map(({ operationId }) => operationId));
	expect(reached.sort()).toEqual(endpoints.map(({ operationId }) => operationId).sort());
});

test('an operation of several requests uses the endpoint that its output comes from', () => {
	const composed = pairs.filter(({ operation }) => operation.uses !== undefined);
	expect(composed.filter(({ found, used }) => !used.includes(found[0]))).toEqual([]);
	for (const { operation } of composed) {
		expect(operation.run).toBeDefined();
	}
});

const listOptions = ({ properties }: Operation): string[] =>
	properties
		.filter(({ name }) => name === 'options')
		.flatMap(({ options = [] }) => options.map(({ name }) => name));

test('exactly the operations that write offer Dry Run', () => {
	for (const { name, operation, request, used } of pairs) {
		const writes = operation.uses
			? used.some(({ method }) => method !== 'GET')
			: request.method !== 'GET';
		expect([name, listOptions(operation).includes('dryRun')]).toEqual([name, writes]);
	}
});

test('a failed write says what it may have done, and those to one record go out one by one', () => {
	for (const { name, operation, request, found } of direct) {
		if (request.method === 'GET') continue;
		const outcome = respond({ status: 500 });
		const { description } = explain({ request, outcome, attempts: 1, repeated: false });
		expect([name, description]).toEqual([
			name,
			expect.stringMatching(/The (?!record )[a-z ]+ may have been/),
		]);
		if (found[0].pathNames.length > 0)
			expect([name, operation.writes?.changes]).toEqual([name, expect.any(Function)]);
	}
});

test('the credential sends the key in the documented header', async () => {
	const [[scheme, where]] = Object.entries(document.components.securitySchemes);
	expect(where).toMatchObject({ type: 'apiKey', in: 'header' });
	expect(document.security).toEqual([{ [scheme]: [] }]);
	const baseUrl = 'https://api.example.com';
	const request = { url: `${baseUrl}/v0/persons`, headers: { accept: 'application/json' } };
	const sent = await new PageAudienceApi().authenticate({ apiKey: 'a-key', baseUrl }, request);
	expect(sent).toMatchObject({ url: request.url });
	expect(sent.headers).toEqual({ ...request.headers, [where.name.toLowerCase()]: 'a-key' });
	for (const apiKey of ['', ' ', undefined])
		await expect(
			new PageAudienceApi().authenticate({ apiKey, baseUrl } as never, request),
		).rejects.toThrow('The API Key is empty');
});

const matched = direct.filter(({ found }) => found.length === 1);

describe.each(matched.map((pair) => [pair.name, pair] as const))('%s', (_, pair) => {
	const { operation, parameters, request } = pair;
	const [endpoint] = pair.found;
	const { body } = endpoint;

	test('rejects an item without an ID for the path', () => {
		for (const name of endpoint.pathNames.map(toCamelCase)) {
			expect(tryRequest(operation, withParameter(parameters, name, undefined))).toBeInstanceOf(
				ItemRefusedError,
			);
			for (const value of ['', ' ', '..']) {
				expect(makeAny(() => tryRequest(operation, { ...parameters, [name]: value }))).toBe(
					'refused',
				);
			}
		}
	});

	test('uses exactly the documented query parameters', () => {
		expect(Object.keys(request.query ?? {}).sort()).toEqual(Object.keys(endpoint.query).sort());
		for (const [name, schema] of Object.entries(endpoint.query)) {
			expect(typeof request.query?.[name]).toBe(name === 'cursor' ? 'number' : schema.type);
		}
	});

	test('reads a list page by page where the API does', () => {
		const { paging } = operation;
		const isPaged = 'cursor' in endpoint.query || 'offset' in endpoint.query;
		expect(paging !== undefined).toBe(isPaged);
		if (!paging) return;
		expect(Object.keys(endpoint.query)).toContain(paging);
		expect(Object.keys(endpoint.answer.properties ?? {})).toContain(nextFields[paging]);
	});

	test('shows only documented fields with Simplify', () => {
		const { items, ...record } = endpoint.answer.properties ?? {};
		const fields = items?.items?.properties ?? record;
		for (const field of operation.output?.shape?.simplified ?? []) {
			if (field === 'publishedVersionNumber') {
				const { properties = {} } = fields.publishedVersion;
				expect(Object.keys(properties)).toContain('versionNumber');
			} else expect(Object.keys(fields)).toContain(field);
		}
	});

	test('clears each field with a value that the API accepts', () => {
		const updated = operation.properties.find(({ name }) => name === 'updateFields');
		const members = (updated?.options ?? []) as INodeProperties[];
		const { options = [] } = members.find(({ name }) => name === 'fieldsToClear') ?? {};
		const fields = options.flatMap((option) => ('value' in option ? [String(option.value)] : []));
		for (const field of fields) {
			const changed = withParameter(withoutField(parameters, field), 'fieldsToClear', [field]);
			const { [field]: cleared } = sentBody(makeRequest(operation, changed));
			const { type, minLength = 0 } = body?.properties?.[field] ?? {};
			expect([type].flat()).toContain(
				cleared === null ? 'null' : Array.isArray(cleared) ? 'array' : typeof cleared,
			);
			if (cleared === '') expect(minLength).toBe(0);
			else expect([null, [], {}]).toContainEqual(cleared);
		}
	});

	test('leaves empty parameters out of the query', () => {
		const own = Object.keys(endpoint.query).filter((name) => !/^(cursor|offset|limit)$/.test(name));
		for (const name of own) {
			const without = makeRequest(operation, withParameter(parameters, name, undefined));
			expect(without.query?.[name]).toBeUndefined();
			expect(Object.keys(without.query ?? {}).filter((each) => each !== name)).toEqual(
				Object.keys(request.query ?? {}).filter((each) => each !== name),
			);
		}
	});

	test('sends exactly the documented body fields', () => {
		expect(request.body === undefined).toBe(body === undefined);
		if (!body) return;
		const free = Object.entries(body.properties ?? {})
			.filter(([, schema]) => schema.additionalProperties === true)
			.map(([name]) => name);
		const sent = [...new Set(listSent(sentBody(request), free))].sort();
		expect(sent).toEqual(listPlaces(body).sort());
	});

	test('rejects an item without a required field, or sends its default', () => {
		for (const name of body?.required ?? []) {
			const changed =
				name === 'payload'
					? { ...parameters, payloadFields: {} }
					: withParameter(parameters, name, undefined);
			const made = tryRequest(operation, changed);
			if (made instanceof ItemRefusedError) continue;
			const usual = body?.properties?.[name].default ?? (name === 'payload' ? {} : []);
			expect({ [name]: sentBody(made)[name] }).toEqual({ [name]: usual });
			expect(['type', 'pageType', 'payload', 'actionCardWidgets', 'scripts']).toContain(name);
		}
	});

	test('sends optional fields only when they are set', () => {
		const required = body?.required ?? [];
		const optional = Object.keys(body?.properties ?? {}).filter((name) => !required.includes(name));
		const whole = sentBody(request);
		for (const name of optional) {
			const changed =
				name === 'idempotencyKey'
					? { ...parameters, options: detectBy('none') }
					: withParameter(parameters, name, undefined);
			const { [name]: _left, ...rest } = whole;
			expect(sentBody(makeRequest(operation, changed))).toEqual(rest);
		}
	});
});

const withoutField = (parameters: Parameters, name: string): Parameters =>
	isParameter(parameters, name) ? withParameter(parameters, name, undefined) : parameters;

/** A path rejects an unusable segment with an error of its own. */
function makeAny(make: () => unknown): string {
	try {
		return make() instanceof ItemRefusedError ? 'refused' : 'sent';
	} catch (error) {
		return error instanceof Error && error.message.startsWith('cannot be used as an ID')
			? 'refused'
			: String(error);
	}
}

/** The place and type of every value in a body, e.g. `actions[].url string`. */
function listPlaces(schema: Schema, place = ''): string[] {
	const type = typeOf(schema);
	if (type === 'array') return listPlaces(schema.items ?? {}, `${place}[]`);
	if (type !== 'object' || schema.additionalProperties === true) return [`${place} ${type}`];
	return Object.entries(schema.properties ?? {}).flatMap(([name, member]) =>
		listPlaces(member, place ? `${place}.${name}` : name),
	);
}

/** The places and types in a sent body. The content of the places in `free` is up to the user. */
function listSent(value: unknown, free: string[], place = ''): string[] {
	if (value === undefined) return [];
	if (free.includes(place)) return [`${place} object`];
	if (Array.isArray(value)) return value.flatMap((each) => listSent(each, free, `${place}[]`));
	if (typeof value !== 'object' || value === null) return [`${place} ${typeof value}`];
	return Object.entries(value).flatMap(([name, each]) =>
		listSent(each, free, place ? `${place}.${name}` : name),
	);
}
