import { ItemRefusedError } from '../../../nodes/parameters/problem.ts';
import type { Schema } from '../../../tools/docs/document.mts';
import { pairs } from '../../../tools/docs/pairs.mts';
import { isParameter, sentBody, tryRequest, withParameter } from './changed.mts';
import { typeOf } from '../../../tools/docs/document.mts';

interface Field {
	title: string;
	isRequired: boolean;
	schema: Schema;
	/** What is sent of a value: nothing where it is left out, `refused` where it is rejected. */
	send: (value: unknown) => unknown;
}

const refused = 'refused';

/** Every text field of every body and query. */
const fields = pairs.flatMap(
	({ name: operationName, operation, parameters, found: [endpoint] }) => {
		const { query, body } = endpoint;
		return Object.entries({ ...query, ...body?.properties })
			.filter(([name, schema]) => isParameter(parameters, name) && typeOf(schema) === 'string')
			.map(
				([name, schema]): Field => ({
					title: `${operationName} ${name}`,
					isRequired: body?.required?.includes(name) ?? false,
					schema,
					send: (value) => {
						const made = tryRequest(operation, withParameter(parameters, name, value));
						return made instanceof ItemRefusedError
							? refused
							: { ...sentBody(made), ...made.query }[name];
					},
				}),
			);
	},
);

const emoji = '😀';

/** Nobody can correct what they create, so what identifies no one is refused. */
const strict =
	/^account\.\w+ domain$|^person(Log)?\.\w+ (domain|email|linkedinProfileUrl|phoneNumber)$/;

/** A value, and what is sent of it. */
type Sample = [value: string, sent?: string];

const pass = (...values: string[]): Sample[] => values.map((value) => [value, value]);
const refuse = (...values: string[]): Sample[] => values.map((value) => [value, refused]);

function listSamples({ title, schema }: Field): Sample[] {
	const { maxLength, pattern = '', format } = schema;
	const most = maxLength ?? 0;
	const samples: Sample[] = [];
	if (maxLength) samples.push(...pass('a', 'a'.repeat(most)), ...refuse('a'.repeat(most + 1)));
	if (maxLength && !pattern)
		samples.push(...pass(emoji.repeat(most)), ...refuse(emoji.repeat(most + 1)));
	if (pattern.includes('(-')) samples.push([' a1-2b-c ', 'a1-2b-c'], ...refuse('a_b'));
	if (pattern.includes('{26}')) {
		const id = `${/\^([a-z]+_)/.exec(pattern)?.[1]}${'a1'.repeat(13)}`;
		samples.push(...pass(id), ...refuse(id.slice(0, -1)));
	}
	for (const value of schema.enum ?? []) samples.push([value, value], [` ${value} `, value]);
	if (schema.enum) samples.push(...refuse('other', schema.enum[0].toUpperCase(), '__proto__'));
	if (format === 'uri')
		samples.push(...pass('https://example.com/a?b=c'), ...refuse('example.com'));
	const time = title.endsWith('endDate') ? '23:59:59.999' : '00:00:00';
	if (format === 'date-time')
		samples.push(['2026-01-31', `2026-01-31T${time}Z`], ...refuse('soon'));
	if (samples.length > 0) return samples;
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
	expect(samples.map(([value]) => [value, field.send(value)])).toEqual(samples);
});

test.each(fields.filter(({ schema }) => schema.minLength === 1))(
	'$title is never sent empty',
	({ send, isRequired, schema }) => {
		const outcome = send('');
		if (schema.default !== undefined) expect(outcome).toBe(schema.default);
		else expect([refused, ...(isRequired ? [] : [undefined])]).toContain(outcome);
	},
);
