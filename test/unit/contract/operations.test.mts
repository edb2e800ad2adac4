import { Refusal } from '../../../nodes/PageAudience/operation/problem.ts';
import { describeComparison, readDescription, readTable } from '../openapi/description.mts';
import { endpoints, listPlaces, listSent } from '../../../tools/docs/document.mts';
import { pairs } from '../../../tools/docs/pairs.mts';
import {
	expectRequest,
	makeRequest,
	sentBody,
	withParameter,
} from '../../../tools/docs/parameters.mts';

const toCamelCase = (name: string): string =>
	name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());

test('each of the 23 endpoints of the document has exactly one operation, and none has another', () => {
	expect(pairs.filter(({ found }) => found.length !== 1).map(({ name }) => name)).toEqual([]);
	const reached = pairs.flatMap(({ found }) => found.map(({ operationId }) => operationId));
	expect(reached.sort()).toEqual(endpoints.map(({ operationId }) => operationId).sort());
	expect(reached).toHaveLength(23);
});

describeComparison('the endpoint table of the description', () => {
	const rows = readTable(readDescription().get('Endpoints') ?? '');

	test('has 23 rows', () => expect(rows).toHaveLength(23));

	test.each(rows.map((row) => [row.Method, row.Path, row.Success]))(
		'%s %s has one operation',
		(method, path, success) => {
			const own = pairs.filter(({ found: [endpoint] }) => {
				return endpoint?.method === method && `/v0${endpoint?.path}` === path;
			});
			expect(own).toHaveLength(1);
			expect(own[0].found[0].success).toBe(success);
		},
	);
});

const matched = pairs.filter(({ found }) => found.length === 1);

describe.each(matched.map((pair) => [pair.name, pair] as const))('%s', (_, pair) => {
	const { operation, parameters, request } = pair;
	const [endpoint] = pair.found;
	const { body } = endpoint;

	test('puts each ID into its own place of the path', () => {
		const segments = request.path.split('/');
		const expected = endpoint.path.split('/').map((part) => {
			const name = toCamelCase(part.slice(1, -1));
			if (!part.startsWith('{')) return part;
			const given = parameters[name] as string | { value: string };
			return encodeURIComponent(typeof given === 'string' ? given : given.value);
		});
		expect(segments).toEqual(expected);
	});

	test('cannot do without an ID of its path', () => {
		for (const name of endpoint.pathNames.map(toCamelCase)) {
			expect(makeRequest(operation, withParameter(parameters, name, undefined))).toBeInstanceOf(
				Refusal,
			);
			for (const value of ['', ' ', '..']) {
				expect(makeAny(() => makeRequest(operation, { ...parameters, [name]: value }))).toBe(
					'refused',
				);
			}
		}
	});

	test('asks with the names of the document', () => {
		expect(Object.keys(request.query ?? {}).sort()).toEqual(Object.keys(endpoint.query).sort());
		for (const [name, schema] of Object.entries(endpoint.query)) {
			expect(typeof request.query?.[name]).toBe(name === 'cursor' ? 'number' : schema.type);
		}
	});

	test('leaves out of the query what was not given', () => {
		const own = Object.keys(endpoint.query).filter((name) => !/^(cursor|offset|limit)$/.test(name));
		for (const name of own) {
			const without = expectRequest(operation, withParameter(parameters, name, undefined));
			expect(without.query?.[name]).toBeUndefined();
			expect(Object.keys(without.query ?? {}).filter((each) => each !== name)).toEqual(
				Object.keys(request.query ?? {}).filter((each) => each !== name),
			);
		}
	});

	test('sends a body where one is documented, with every field of it and no other', () => {
		expect(request.body === undefined).toBe(body === undefined);
		if (!body) return;
		const free = Object.entries(body.properties ?? {})
			.filter(([, schema]) => schema.additionalProperties === true)
			.map(([name]) => name);
		const sent = [...new Set(listSent(sentBody(request), free))].sort();
		expect(sent).toEqual(listPlaces(body).sort());
	});

	test('cannot do without what is required, except where a value is documented for it', () => {
		for (const name of body?.required ?? []) {
			const changed =
				name === 'payload'
					? { ...parameters, payloadFields: {} }
					: withParameter(parameters, name, undefined);
			const made = makeRequest(operation, changed);
			if (made instanceof Refusal) continue;
			const usual = body?.properties?.[name].default ?? (name === 'payload' ? {} : []);
			expect({ [name]: sentBody(made)[name] }).toEqual({ [name]: usual });
			expect(['type', 'pageType', 'payload', 'actionCardWidgets', 'scripts']).toContain(name);
		}
	});

	test('sends the rest only where it was given', () => {
		const required = body?.required ?? [];
		const optional = Object.keys(body?.properties ?? {}).filter((name) => !required.includes(name));
		const whole = sentBody(request);
		for (const name of optional) {
			const changed =
				name === 'idempotencyKey'
					? { ...parameters, idempotency: 'none' }
					: withParameter(parameters, name, undefined);
			const { [name]: _left, ...rest } = whole;
			expect(sentBody(expectRequest(operation, changed))).toEqual(rest);
		}
	});
});

/** An unusable segment is refused in its own way. */
function makeAny(make: () => unknown): string {
	try {
		return make() instanceof Refusal ? 'refused' : 'sent';
	} catch (error) {
		return error instanceof Error && error.message.startsWith('cannot be used as an ID')
			? 'refused'
			: String(error);
	}
}
