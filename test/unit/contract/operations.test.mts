import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import type { ApiRequest } from '../../../nodes/api/request.ts';
import { ItemRefusedError } from '../../../nodes/parameters/problem.ts';
import { endpoints, type Schema, typeOf } from '../../../tools/docs/document.mts';
import { type Pair, pairs } from '../../../tools/docs/pairs.mts';
import { makeRequest, type Parameters } from '../../../tools/docs/parameters.mts';
import { detectBy } from '../../groups.mts';

/* Each operation, made of the API's document. What goes out for two items is in test/engine/everyOperation.test.mts. */

const collections = ['person', 'additionalFields', 'updateFields', 'filters', 'options'];

/** Where a field of the API is among the parameters, under its name there. */
function findPlaces(parameters: Parameters, field: string): Array<[Parameters, name: string]> {
	const { idempotency } = (parameters.options ?? {}) as { idempotency?: { value: Parameters } };
	if (field === 'idempotencyKey') return idempotency ? [[idempotency.value, 'key']] : [];
	const places = [parameters, ...collections.map((each) => parameters[each] ?? {})];
	return (places as Parameters[]).filter((place) => field in place).map((place) => [place, field]);
}

/** The parameters with another value of a field. */
function change(parameters: Parameters, field: string, value: unknown): Parameters {
	const changed = structuredClone(parameters);
	const places = findPlaces(changed, field);
	expect([field, places.length]).toEqual([field, 1]);
	for (const [place, name] of places) place[name] = value;
	return changed;
}

/** The parameters without a field that has one of its own. */
function leaveOut(parameters: Parameters, field: string): Parameters {
	if (field === 'payload') return { ...parameters, payloadFields: {} };
	if (field === 'idempotencyKey') return { ...parameters, options: detectBy('none') };
	return findPlaces(parameters, field).length ? change(parameters, field, undefined) : parameters;
}

const refused = 'refused';

/** The query and the body of a request, or that the parameters are refused. */
function send({ operation }: Pair, parameters: Parameters) {
	try {
		return listValues(makeRequest(operation, parameters));
	} catch (error) {
		if (error instanceof ItemRefusedError) return refused;
		throw error;
	}
}

/** What a request sends beside its path, without undefined members. */
const listValues = ({ query, body }: ApiRequest) =>
	JSON.parse(JSON.stringify({ ...query, ...body })) as Record<string, unknown>;

/** Operations that are one endpoint. The others need several requests. */
const direct = pairs.filter(({ operation }) => operation.uses === undefined);

test('every endpoint has exactly one operation of its own', () => {
	expect(pairs.filter(({ found }) => found.length !== 1).map(({ name }) => name)).toEqual([]);
	const reached = direct.flatMap(({ found }) => found.map(({ operationId }) => operationId));
	expect(reached.sort()).toEqual(endpoints.map(({ operationId }) => operationId).sort());
	// The output of the others comes from one of theirs.
	expect(pairs.filter(({ found, used }) => !used.includes(found[0]))).toEqual([]);
});

test('exactly the operations that write offer Dry Run', () => {
	const offersIt = ({ name, options = [] }: INodeProperties) =>
		name === 'options' && options.some((option) => option.name === 'dryRun');
	const offering = pairs.filter(({ operation }) => operation.properties.some(offersIt));
	const writing = pairs.filter(({ used }) => used.some(({ method }) => method !== 'GET'));
	expect(offering.map(({ name }) => name)).toEqual(writing.map(({ name }) => name));
});

describe.each(direct)('$name', (pair) => {
	const { operation, parameters, request, found } = pair;
	const [{ body = {}, query }] = found;
	const { properties = {}, required = [] } = body;

	test('offers exactly the documented fields', () => {
		expect(Object.keys(request.query ?? {}).sort()).toEqual(Object.keys(query).sort());
		for (const [name, schema] of Object.entries(query))
			expect(typeof request.query?.[name]).toBe(name === 'cursor' ? 'number' : schema.type);
		expect(request.body === undefined).toBe(found[0].body === undefined);
		const free = Object.keys(properties).filter((name) => properties[name].additionalProperties);
		const sent = new Set(listSent(listValues({ ...request, query: {} }), free));
		expect([...sent].sort()).toEqual(listPlaces(body).sort());
	});

	test('sends an optional field only where it is set, and no item without a required one', () => {
		const fields = Object.keys({ ...query, ...properties });
		for (const name of fields.filter((each) => !/^(cursor|offset|limit)$/.test(each))) {
			const { [name]: _left, ...rest } = listValues(request);
			const sent = send(pair, leaveOut(parameters, name));
			if (!required.includes(name)) expect(sent).toEqual(rest);
			else if (sent !== refused) {
				const usual = properties[name].default ?? (name === 'payload' ? {} : []);
				expect([name, sent[name]]).toEqual([name, usual]);
				expect(['type', 'pageType', 'payload', 'actionCardWidgets', 'scripts']).toContain(name);
			}
		}
	});

	test('shows only documented fields with Simplify', () => {
		const fields = pair.record.properties ?? {};
		const { versionNumber } = fields.publishedVersion?.properties ?? {};
		const documented = [...Object.keys(fields), versionNumber && 'publishedVersionNumber'];
		const { simplified = [] } = operation.output?.shape ?? {};
		expect(simplified.filter((field) => !documented.includes(field))).toEqual([]);
	});

	test('clears each field with a value that the API accepts', () => {
		const updates = operation.properties.find(({ name }) => name === 'updateFields');
		const members = (updates?.options ?? []) as INodeProperties[];
		const { options = [] } = members.find(({ name }) => name === 'fieldsToClear') ?? {};
		for (const option of options as INodePropertyOptions[]) {
			const field = String(option.value);
			const changed = change(leaveOut(parameters, field), 'fieldsToClear', [field]);
			const { [field]: cleared } = send(pair, changed) as Record<string, unknown>;
			const { type, minLength } = properties[field];
			const kind = cleared === null ? 'null' : Array.isArray(cleared) ? 'array' : typeof cleared;
			expect([type].flat()).toContain(kind);
			expect([null, [], {}, ...(minLength ? [] : [''])]).toContainEqual(cleared);
		}
	});
});

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
	if (free.includes(place)) return [`${place} object`];
	if (Array.isArray(value)) return value.flatMap((each) => listSent(each, free, `${place}[]`));
	if (typeof value !== 'object' || value === null) return [`${place} ${typeof value}`];
	return Object.entries(value).flatMap(([name, each]) =>
		listSent(each, free, place ? `${place}.${name}` : name),
	);
}

/** Every text field of every body and query. */
const fields = pairs.flatMap((pair) => {
	const { query, body } = pair.found[0];
	return Object.entries({ ...query, ...body?.properties })
		.filter(([name]) => findPlaces(pair.parameters, name).length > 0)
		.filter(([, schema]) => typeOf(schema) === 'string')
		.map(([name, schema]) => ({
			title: `${pair.name} ${name}`,
			schema,
			isRequired: body?.required?.includes(name) ?? false,
			/** What is sent of a value: nothing where it is left out. */
			sendOf: (value: unknown) => {
				const sent = send(pair, change(pair.parameters, name, value));
				return sent === refused ? refused : sent[name];
			},
		}));
});
type Field = (typeof fields)[number];

const emoji = '😀';

/** Nobody can correct what they create, so what identifies no one is refused. */
const strict =
	/^account\.\w+ domain$|^person(Log)?\.\w+ (domain|email|linkedinProfileUrl|phoneNumber)$/;

/** A value, and what is sent of it. */
type Sample = [value: string, sent: string];

const pass = (...values: string[]): Sample[] => values.map((value) => [value, value]);
const refuse = (...values: string[]): Sample[] => values.map((value) => [value, refused]);

function listSamples({ title, schema }: Field): Sample[] {
	const { maxLength = 0, pattern = '', format, enum: choices = [] } = schema;
	const id = `${/\^([a-z]+_)/.exec(pattern)?.[1]}${'a1'.repeat(13)}`;
	const time = title.endsWith('endDate') ? '23:59:59.999' : '00:00:00';
	const samples: Sample[][] = [];
	if (maxLength) samples.push(pass('a', 'a'.repeat(maxLength)), refuse('a'.repeat(maxLength + 1)));
	if (maxLength && !pattern)
		samples.push(pass(emoji.repeat(maxLength)), refuse(emoji.repeat(maxLength + 1)));
	if (pattern.includes('(-')) samples.push([[' a1-2b-c ', 'a1-2b-c']], refuse('a_b'));
	if (pattern.includes('{26}')) samples.push(pass(id), refuse(id.slice(0, -1)));
	for (const value of choices) samples.push(pass(value), [[` ${value} `, value]]);
	if (choices[0]) samples.push(refuse('other', choices[0].toUpperCase(), '__proto__'));
	if (format === 'uri') samples.push(pass('https://example.com/a?b=c'), refuse('example.com'));
	if (format === 'date-time') samples.push([['2026-01-31', `2026-01-31T${time}Z`]], refuse('soon'));
	if (samples.length > 0) return samples.flat();
	return strict.test(title)
		? refuse('a')
		: pass('a', 'x'.repeat(100_000), emoji.repeat(300), 'a"b\\c\n<d>');
}

test('the document limits the fields known to have limits', () => {
	const having = (has: (schema: Schema) => unknown) =>
		fields.filter(({ schema }) => has(schema)).map(({ title }) => title);
	expect(having(({ maxLength }) => maxLength)).toEqual([
		...['account.create name', 'account.upsert name', 'account.update name'],
		...['person.create name', 'person.createOrGet name'],
		...['source', 'type', 'idempotencyKey', 'name'].map((name) => `personLog.create ${name}`),
	]);
	expect(having(({ pattern }) => pattern)).toHaveLength(3);
	expect(having(({ format }) => format === 'date-time')).toHaveLength(4);
});

test.each(fields)('$title is what the document allows, and nothing else', (field) => {
	const samples = listSamples(field);
	expect(samples.map(([value]) => [value, field.sendOf(value)])).toEqual(samples);
});

test.each(fields.filter(({ schema }) => schema.minLength === 1))(
	'$title is never sent empty',
	({ sendOf, isRequired, schema }) => {
		const usual = isRequired ? [refused] : [refused, undefined];
		expect(schema.default === undefined ? usual : [schema.default]).toContain(sendOf(''));
	},
);
