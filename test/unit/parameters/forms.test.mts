import fc from 'fast-check';
import { DateTime } from 'luxon';
import { readValues } from '../../../nodes/parameters/read.ts';
import { ItemRefusedError } from '../../../nodes/parameters/problem.ts';
import { operations, type Parameters } from '../../../tools/docs/parameters.mts';
import { generated, withinMs } from '../../generated.mts';

/*
 * What must hold: people, spreadsheets, webhooks and models write one value in many forms. All forms of a value send the
 * same request, and a value that cannot be understood sends none.
 */

const zone = 'Europe/Berlin';

/** What an item sends, or the messages of what is refused. */
function send(operationName: string, parameters: Parameters, json = {}): unknown {
	const { operation } = operations.find(({ name }) => name === operationName)!;
	try {
		const values = readValues(operation.properties, operation.checks ?? {}, {
			get: (name) => ({ limit: 50, ...parameters })[name] ?? null,
			zone,
			isTool: false,
		});
		const { path, query, body } = operation.request(values, { json, zone, makeKey: () => 'a-key' });
		return { path, query, values, body: body && (JSON.parse(JSON.stringify(body)) as unknown) };
	} catch (error) {
		if (error instanceof ItemRefusedError) return { refused: error.message };
		throw error;
	}
}

interface Kind<Value> {
	values: fc.Arbitrary<Value>;
	/** The value in each of its forms, by name. */
	forms: (value: Value) => Record<string, unknown>;
	/** What the request has of it. */
	sent: (form: unknown) => unknown;
	/** What must be in the request. */
	expected: (value: Value) => unknown;
	/** What is no value of the kind, and what the message says. */
	refused: fc.Arbitrary<unknown>;
	message: RegExp;
}

const kinds: Record<string, () => void> = {};

/** Declares the laws of one kind of value. */
function law<Value>(name: string, kind: Kind<Value>): void {
	kinds[name] = () => {
		const runs = generated(150);
		test(
			'does the same in all of its forms',
			() => {
				fc.assert(
					fc.property(kind.values, (value) => {
						const wanted = kind.expected(value);
						for (const [form, given] of Object.entries(kind.forms(value)))
							expect({ form, given, sent: kind.sent(given) }).toEqual({
								form,
								given,
								sent: wanted,
							});
					}),
					runs,
				);
			},
			withinMs(runs),
		);
		test(
			'is refused before anything is sent where it cannot be understood',
			() => {
				fc.assert(
					fc.property(kind.refused, (given) => {
						expect(kind.sent(given)).toEqual({
							refused: expect.stringMatching(kind.message) as unknown,
						});
					}),
					runs,
				);
			},
			withinMs(runs),
		);
	};
}

const pad = (text: string) =>
	fc.constantFrom('', ' ', '\n', '\t ').map((space) => space + text + space);
const digitsOf = (length: { minLength: number; maxLength: number }) =>
	fc.string({ unit: fc.constantFrom(...'0123456789'), ...length });

const list = 'audienceSession.getAll';
const page = { pageId: 'page_1' };

/** An edge of a period, as an instant or as the text that is sent. */
const readEdge =
	(edge: 'startDate' | 'endDate', read: (sent: string) => unknown) =>
	(form: unknown): unknown => {
		const sent = send(list, { ...page, filters: { [edge]: form } }) as {
			query: Record<string, string>;
			refused?: string;
		};
		return sent.refused === undefined ? read(sent.query[edge]) : sent;
	};

const firstMs = Date.UTC(2000, 0);
const lastMs = Date.UTC(2100, 0);
const isPlausible = (number: number) =>
	(number >= firstMs && number < lastMs) || (number >= firstMs / 1000 && number < lastMs / 1000);

/** Digits that are neither a year, nor a day, nor a moment that anybody means. */
const meaningless = fc
	.oneof(
		digitsOf({ minLength: 1, maxLength: 20 }),
		// A month, and a day with a time, without separators.
		fc.constantFrom('202601', '2026031', '202601310800', '20260131080000', '0', '46053'),
		fc.integer({ min: 0, max: 9e15 }).map(String),
	)
	.filter((text) => text.length !== 4 && text.length !== 8 && !isPlausible(Number(text)));
const notDates = fc.oneof(
	meaningless,
	meaningless.map(Number).filter((number) => !/^(\d{4}|\d{8})$/.test(String(number))),
	meaningless.map((text) => `-${text}`),
	fc.constantFrom('01/31/2026', '31-01-2026', '1.76805E+12', '1,768,046,400', 'tomorrow', '08:30'),
	fc.constantFrom(NaN, Infinity, true, {}, [], ['2026-01-31'], new Date(NaN)),
);

for (const edge of ['startDate', 'endDate'] as const) {
	law(`a moment as ${edge}`, {
		values: fc.integer({ min: firstMs, max: lastMs - 1 }).chain((ms) =>
			fc.record({
				ms: fc.constantFrom(ms, ms - (ms % 1000)),
				zone: fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kolkata', 'America/New_York'),
				space: pad(''),
			}),
		),
		forms: ({ ms, zone: own, space }) => {
			const date = DateTime.fromMillis(ms, { zone: own });
			const iso = date.toISO();
			return {
				milliseconds: ms,
				'milliseconds in text': `${space}${ms}${space}`,
				'milliseconds as a spreadsheet or a data frame writes them': `${ms}.0`,
				seconds: ms / 1000,
				'seconds in text': String(ms / 1000),
				'ISO 8601': `${space}${iso}`,
				'basic ISO 8601': date.toISO({ format: 'basic' }),
				SQL: date.toSQL(),
				'a JavaScript date': new Date(ms),
				'a date of Luxon': date,
				'a date of Luxon, as an expression yields it within an object': { ...date },
			};
		},
		sent: readEdge(edge, Date.parse),
		expected: ({ ms }) => ms,
		refused: notDates,
		message: /^Filters > (Start|End) Date must be a date such as "2026-01-31"/,
	});

	law(`a day as ${edge}`, {
		values: fc
			.integer({ min: firstMs, max: lastMs - 1 })
			.map((ms) => DateTime.fromMillis(ms, { zone }).startOf('day')),
		forms: (day) => ({
			'ISO 8601': day.toISODate(),
			'basic ISO 8601': day.toFormat('yyyyMMdd'),
			'a number': Number(day.toFormat('yyyyMMdd')),
			'what a data frame writes': `${day.toFormat('yyyyMMdd')}.0`,
			'the day of the year': day.toFormat('yyyy-ooo'),
			'the day of the week': day.toISOWeekDate(),
			'the date picker': day.toFormat("yyyy-MM-dd'T'00:00:00"),
			SQL: day.toFormat('yyyy-MM-dd 00:00:00'),
			'with dots': day.toFormat('d.M.yyyy'),
			$today: day,
			'$today within an object': day.toISO(),
			'with spaces': ` ${day.toISODate()}\n`,
		}),
		sent: readEdge(edge, (text) => text),
		expected: (day) =>
			(edge === 'startDate' ? day : day.endOf('day')).toISO({ suppressMilliseconds: true }),
		refused: notDates,
		message: /must be a date such as/,
	});
}

law('a number', {
	values: fc.integer({ min: 1, max: 1000 }),
	forms: (number) => ({
		number,
		text: String(number),
		'text with spaces': ` ${number}\n`,
		'with a sign': `+${number}`,
		'what a data frame writes': `${number}.0`,
		'with an exponent': number.toExponential(),
	}),
	sent: (form) => {
		const sent = send('person.getAll', { returnAll: false, limit: form }) as {
			values?: { limit: unknown };
		};
		return sent.values ? sent.values.limit : sent;
	},
	expected: (number) => number,
	refused: fc.oneof(
		fc.constantFrom('seven', '7 items', '1,000', '1.5', '1e400', NaN, Infinity, true, {}, [7], 1.5),
		fc.integer({ max: 0 }),
		fc.bigInt({ min: 2n ** 53n, max: 2n ** 90n }).map(String),
	),
	message: /^Limit must be /,
});

const name = fc.string({ unit: fc.constantFrom(...'abz019'), minLength: 26, maxLength: 26 });
const readPath = (operation: string, parameter: string) => (form: unknown) => {
	const sent = send(operation, { [parameter]: form }) as { path?: string };
	return sent.path ?? sent;
};
const notTexts = fc.constantFrom<unknown>(NaN, {}, [], ['a'], { value: [] }, 2 ** 53, {
	value: 1e300,
});

law('an ID of a documented form', {
	values: name.map((text) => `account_${text}`),
	forms: (id) => ({
		text: id,
		'text with spaces': ` ${id}\n`,
		'a locator, by ID': { __rl: true, mode: 'id', value: id },
		'a locator, from a list': { __rl: true, mode: 'list', value: id, cachedResultName: 'A name' },
		'a link': `https://app.example.com/accounts/${id}?tab=activity`,
		'a sentence': `The account ${id}.`,
	}),
	sent: readPath('account.getActivity', 'accountId'),
	expected: (id) => `/accounts/${id}/activity`,
	refused: fc.oneof(
		notTexts,
		name,
		fc.tuple(name, name).map(([a, b]) => `account_${a} account_z${b.slice(1)}`),
	),
	message: /^Account (must be |is required)/,
});

law('an ID of no documented form', {
	values: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
	forms: (id) => ({
		number: id,
		text: String(id),
		'text with spaces': `\t${id} `,
		'text with what nobody sees': `\ufeff${id}\u200b\u00a0`,
		'a locator, by ID': { __rl: true, mode: 'id', value: id },
		'a locator, from a list': { __rl: true, mode: 'list', value: String(id) },
	}),
	sent: readPath('audience.getAll', 'pageId'),
	expected: (id) => `/pages/${id}/audiences`,
	refused: fc.oneof(
		notTexts,
		fc.webUrl({ validSchemes: ['http', 'https'] }),
		fc.bigInt({ min: 2n ** 53n }).map(Number),
	),
	message: /^Page (must be |is required)/,
});

const exact = fc.oneof(
	fc.maxSafeInteger(),
	fc.double({ noNaN: true, noDefaultInfinity: true, max: 1e15, min: -1e15 }),
);
/** JSON, in which a number in quotes is a text. */
const json = fc.letrec((tie) => ({
	value: fc.oneof(
		{ maxDepth: 3 },
		exact.map((number) => (number === 0 ? 0 : number)),
		fc.string({ unit: 'binary' }),
		fc.constantFrom(null, true, '23851234567890123', '"1e400', '\\'),
		fc.array(tie('value'), { maxLength: 3 }),
		tie('object'),
	),
	object: fc.dictionary(fc.string({ unit: fc.constantFrom(...'ab"\\1e9_') }), tie('value'), {
		maxKeys: 4,
	}),
})).object as fc.Arbitrary<Record<string, unknown>>;

/** JSON as systems write it that escape all that is not ASCII. */
const toAscii = (value: unknown) =>
	JSON.stringify(value).replace(
		/[^\0-~]/g,
		(sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
	);

const log = { source: 'crm', idempotency: 'none' };
const readPayload = (given: Parameters, item = {}) => {
	const sent = send('personLog.create', { ...log, ...given }, item) as {
		body?: { payload: unknown };
	};
	return sent.body ? sent.body.payload : sent;
};
const readJson = (form: unknown) => readPayload({ payloadMode: 'json', payload: form });
const readField = (value: unknown, type: string) => {
	const assignments = [{ id: '1', name: 'field', value, type }];
	return readPayload({ payloadMode: 'fields', payloadFields: { assignments } });
};

law('JSON', {
	values: json,
	forms: (value) => ({
		object: value,
		text: JSON.stringify(value),
		'text of several lines': `\n${JSON.stringify(value, null, '\t')} `,
		'text in ASCII': toAscii(value),
	}),
	sent: readJson,
	expected: (value) => JSON.parse(JSON.stringify(value)) as unknown,
	refused: fc.oneof(
		fc.constantFrom<unknown>('{', '[]', 'null', '{"a":NaN}', '{"a":01}', '{"a":+1}', 7, true, []),
		json.map((value) => [value]),
		json.map((value) => `${JSON.stringify(value)}}`),
	),
	message: /^Payload JSON must be /,
});

/** Integers that JSON.parse rounds, and numbers of which it makes Infinity, as written. */
const inexact = fc.oneof(
	fc.bigInt({ min: 2n ** 53n, max: 10n ** 30n }).map(String),
	fc.bigInt({ min: 2n ** 53n, max: 10n ** 30n }).map((number) => `-${number}.0`),
	fc.integer({ min: 309, max: 1e9 }).map((exponent) => `1e${exponent}`),
);

test(
	'a number that JSON would change is refused in every place, and sent in quotes',
	() => {
		fc.assert(
			fc.property(inexact, json, (number, beside) => {
				const before = JSON.stringify(beside);
				const refused = {
					refused: expect.stringContaining('write it as text, in quotes') as unknown,
				};
				const text = `{"beside":${before},"list":[0,{"lead":${number}}]}`;
				expect(readJson(text)).toEqual(refused);
				expect(readJson(text.replace(/\[0/g, '[\n0'))).toEqual(refused);
				expect(readField(number, 'number')).toEqual(refused);
				expect(readField(` +${number.replace('-', '')} `, 'number')).toEqual(refused);
				expect(readField(`[${number}]`, 'array')).toEqual(refused);
				expect(readField(text, 'object')).toEqual(refused);
				expect(readField(number, 'string')).toEqual({ field: number });
				expect(readJson(`{"lead":"${number}"}`)).toEqual({ lead: number });
				const field = { name: 'Page', brandId: 'b', pageContext: 'c', actions: [{}] };
				expect(
					send('page.create', {
						specifyBody: 'json',
						jsonBody: JSON.stringify(field).replace('{}', `{"width":${number}}`),
					}),
				).toEqual(refused);
				// n8n has parsed an item before: what came out of it may be another number.
				const parsed = Number(number);
				const item = { a: [{ lead: parsed }] };
				expect(readPayload({ payloadMode: 'inputItem' }, item)).toEqual(refused);
				expect(readJson(item)).toEqual(refused);
				expect(readField(item, 'object')).toEqual(refused);
				expect(readField(item, 'string')).toEqual(refused);
				expect(readField(parsed, 'string')).toEqual(refused);
				expect(readField(parsed, 'number')).toEqual(refused);
			}),
			generated(150),
		);
	},
	withinMs(generated(150)),
);

test(
	'a number that JSON keeps is sent, however it is written',
	() => {
		const forms = exact.chain((number) => {
			const shortest = number.toExponential();
			const [mantissa, exponent] = shortest.split('e');
			const long = `${mantissa}${mantissa.includes('.') ? '' : '.'}000000000000000000000E${exponent}`;
			return fc.constantFrom(String(number), shortest, long).map((text) => ({ number, text }));
		});
		fc.assert(
			fc.property(forms, ({ number, text }) => {
				expect(readJson(`{"a":${text}}`)).toEqual({ a: number + 0 });
				expect(readField(text, 'number')).toEqual({ field: number + 0 });
			}),
			generated(150),
		);
	},
	withinMs(generated(150)),
);

const keyword = fc
	.string({ unit: fc.constantFrom(...'ab ,ü😀"{0'), minLength: 1 })
	.map((text) => text.trim())
	.filter(Boolean);

law('a list', {
	values: fc.array(keyword, { minLength: 1, maxLength: 4 }),
	forms: (texts) => ({
		'a list from an expression in a row': [texts],
		'an expression in a row': [texts],
		'rows with spaces': [texts.map((text) => ` ${text}\n`)],
		'JSON text': JSON.stringify(texts),
		'JSON text in a row': [JSON.stringify(texts)],
		'JSON text of several lines': JSON.stringify(texts, null, 2),
		'JSON text in ASCII': toAscii(texts),
		...(texts.some((text) => text.includes(','))
			? {}
			: { text: texts.join(','), 'text with spaces': ` ${texts.join(' , ')},` }),
	}),
	sent: (form) => {
		const sent = send('audience.update', {
			...page,
			audienceId: 'audience_1',
			metadataOverride: { keywords: form },
		}) as { body?: { metadataOverride: { keywords: unknown } } };
		return sent.body ? sent.body.metadataOverride.keywords : sent;
	},
	expected: (texts) => texts,
	refused: fc.oneof(
		fc.constantFrom<unknown>({}, [{}], ['a', {}], NaN, [NaN], 2 ** 53, ['a', 2 ** 60], '[1e400]'),
		inexact.map((number) => `[${number}]`),
	),
	message: /^Metadata Override > Keywords (must be text|contains a number)/,
});

describe.each(Object.entries(kinds))('%s', (_, declare) => declare());
