import type { INodeProperties } from 'n8n-workflow';
import { nextFields } from '../../../nodes/api/paginate.ts';
import { ItemRefusedError } from '../../../nodes/parameters/problem.ts';
import { endpoints, type Schema, typeOf } from '../../../tools/docs/document.mts';
import { pairs } from '../../../tools/docs/pairs.mts';
import { makeRequest, type Parameters } from '../../../tools/docs/parameters.mts';
import { explain, respond } from '../api/responding.mts';
import { isParameter, sentBody, tryRequest, withParameter } from './changed.mts';
import { detectBy } from '../../groups.mts';

/* Each operation, made of the API's document. What goes out for two items is in test/engine/everyOperation.test.mts. */

/** Operations that are one endpoint. The others need several requests. */
const direct = pairs.filter(({ operation }) => operation.uses === undefined);
const composed = pairs.filter(({ operation }) => operation.uses !== undefined);

test('every endpoint has exactly one operation of its own', () => {
	expect(pairs.filter(({ found }) => found.length !== 1).map(({ name }) => name)).toEqual([]);
	const reached = direct.flatMap(({ found }) => found.map(({ operationId }) => operationId));
	expect(reached.sort()).toEqual(endpoints.map(({ operationId }) => operationId).sort());
	// The output of the others comes from one of theirs.
	expect(composed.filter(({ found, used }) => !used.includes(found[0]))).toEqual([]);
});

test('exactly the operations that write offer Dry Run', () => {
	for (const { name, operation, used } of pairs) {
		const options = operation.properties
			.filter((each) => each.name === 'options')
			.flatMap((each) => (each.options ?? []).map((option) => option.name));
		const writes = used.some(({ method }) => method !== 'GET');
		expect([name, options.includes('dryRun')]).toEqual([name, writes]);
	}
});

test('a failed write says what it may have done', () => {
	for (const { name, request } of direct.filter(({ request: { method } }) => method !== 'GET')) {
		const outcome = respond({ status: 500 });
		const { description } = explain({ request, outcome, attempts: 1, repeated: false });
		const told = expect.stringMatching(/The (?!record )[a-z ]+ may have been/) as string;
		expect([name, description]).toEqual([name, told]);
	}
});

describe.each(direct)('$name', ({ operation, parameters, request, found: [endpoint] }) => {
	const { body = {}, query } = endpoint;
	const { properties = {}, required = [] } = body;

	test('offers exactly the documented fields', () => {
		expect(Object.keys(request.query ?? {}).sort()).toEqual(Object.keys(query).sort());
		for (const [name, schema] of Object.entries(query))
			expect(typeof request.query?.[name]).toBe(name === 'cursor' ? 'number' : schema.type);
		expect(request.body === undefined).toBe(endpoint.body === undefined);
		const free = Object.keys(properties).filter((name) => properties[name].additionalProperties);
		const sent = new Set(listSent(sentBody(request), free));
		expect([...sent].sort()).toEqual(listPlaces(body).sort());
	});

	test('sends an optional field only where it is set, and no item without a required one', () => {
		const own = Object.keys(query).filter((name) => !/^(cursor|offset|limit)$/.test(name));
		for (const name of own) {
			const { [name]: _left, ...rest } = request.query ?? {};
			const sent = makeRequest(operation, withParameter(parameters, name, undefined)).query;
			expect(JSON.parse(JSON.stringify(sent))).toEqual(rest);
		}
		for (const name of Object.keys(properties)) {
			const { [name]: _left, ...rest } = sentBody(request);
			const made = tryRequest(operation, withoutField(parameters, name));
			if (!required.includes(name)) expect(sentBody(made as typeof request)).toEqual(rest);
			else if (!(made instanceof ItemRefusedError)) {
				const usual = properties[name].default ?? (name === 'payload' ? {} : []);
				expect({ [name]: sentBody(made)[name] }).toEqual({ [name]: usual });
				expect(['type', 'pageType', 'payload', 'actionCardWidgets', 'scripts']).toContain(name);
			}
		}
	});

	test('reads a list page by page where the API does', () => {
		const { paging } = operation;
		expect(paging !== undefined).toBe('cursor' in query || 'offset' in query);
		if (!paging) return;
		expect(Object.keys(query)).toContain(paging);
		expect(Object.keys(endpoint.answer.properties ?? {})).toContain(nextFields[paging]);
	});

	test('shows only documented fields with Simplify', () => {
		const { items, ...record } = endpoint.answer.properties ?? {};
		const fields = items?.items?.properties ?? record;
		const shown = operation.output?.shape?.simplified ?? [];
		const undocumented = shown.filter((field) => !(field in fields));
		expect(undocumented.filter((field) => field !== 'publishedVersionNumber')).toEqual([]);
		if (undocumented.length > 0)
			expect(fields.publishedVersion.properties).toHaveProperty('versionNumber');
	});

	test('clears each field with a value that the API accepts', () => {
		const updated = operation.properties.find(({ name }) => name === 'updateFields');
		const members = (updated?.options ?? []) as INodeProperties[];
		const { options = [] } = members.find(({ name }) => name === 'fieldsToClear') ?? {};
		const fields = options.flatMap((option) => ('value' in option ? [String(option.value)] : []));
		for (const field of fields) {
			const changed = withParameter(withoutField(parameters, field), 'fieldsToClear', [field]);
			const { [field]: cleared } = sentBody(makeRequest(operation, changed));
			const { type, minLength = 0 } = properties[field];
			const kind = cleared === null ? 'null' : Array.isArray(cleared) ? 'array' : typeof cleared;
			expect([type].flat()).toContain(kind);
			if (cleared === '') expect(minLength).toBe(0);
			else expect([null, [], {}]).toContainEqual(cleared);
		}
	});
});

function withoutField(parameters: Parameters, name: string): Parameters {
	if (name === 'payload') return { ...parameters, payloadFields: {} };
	if (name === 'idempotencyKey') return { ...parameters, options: detectBy('none') };
	return isParameter(parameters, name) ? withParameter(parameters, name, undefined) : parameters;
}

/** The place and type of every value in a body, e.g. `actions[].url string`. */
function listPlaces(schema: Schema, place = ''): string[] {
	const type = typeOf(schema);
	if (type === 'array') return listPlaces(schema.items ?? {}, `${place}[]`);
	if (type !== 'object' || schema.additionalProperties === true)
		return type ? [`${place} ${type}`] : [];
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
