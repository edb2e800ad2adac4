import fc from 'fast-check';
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

/** An expression and the item that it is read from. */
export interface Case {
	json: IDataObject;
	expression: string;
}

/** Names as people and systems write them, and as JavaScript and n8n use them for themselves. */
const oddNames = [
	...['email', 'First name', 'Größe', '名前', '😀', 'a', 'a.b', 'a-b', "it's", 'say "hi"', 'a\\b'],
	...[
		'',
		' ',
		'0',
		'1',
		'00',
		'01',
		'-1',
		'1.5',
		'1e3',
		'4294967295',
		'a\nb',
		'a\u2028b',
		'\ud800',
	],
	...['length', 'toString', 'valueOf', 'hasOwnProperty', '__proto__', '__a', '_a', 'isPrototypeOf'],
	...[
		'constructor',
		'constructorId',
		'my.constructor',
		'prototype',
		'caller',
		'arguments',
		'binding',
	],
	...['map', 'at', 'then', 'toJSON', 'name', 'class', 'default', 'new', 'isEmpty', 'x.isEmpty()'],
	...[
		'$',
		'$json',
		'$a',
		'json',
		'isProxy',
		'__isObject',
		'__sanitize',
		'___n8n_data',
		'process',
		'globalThis',
	],
	...['{', '}', '}}', '{{', '`', '${a}', '//', '/*', '*/', ')', '(', ']', '[', ';', ',', '='],
];
const name = fc.oneof(
	{ weight: 4, arbitrary: fc.constantFrom('a', 'b', 'email', 'First name', 'phone_2', '0') },
	{ weight: 3, arbitrary: fc.constantFrom(...oddNames) },
	{ weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 8 }) },
	{ weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 4 }) },
);

class Contact {
	email = 'class@crm.example';
}

const unusual: Array<fc.Arbitrary<unknown>> = [
	fc.constantFrom(NaN, Infinity, -Infinity, -0, 2 ** 53, 1e400, 12n, undefined),
	fc.constantFrom(() => 'function', Symbol('symbol'), new Date(0), new Date(NaN), /a/g),
	fc.constantFrom(new Contact(), DateTime.fromMillis(0), new Map([['a', 1]]), new Error('x')),
	fc.constantFrom(Object.create({ a: 'inherited' }), Object.create(null), new Array(3)),
];
const primitive = fc.oneof(
	fc.constantFrom('', ' ', '={{ 1 }}', '=', '{{ $json.a }}', 'null', '\ud800', 'é', 'e\u0301'),
	fc.string({ unit: 'grapheme' }),
	fc.double(),
	fc.integer(),
	fc.boolean(),
	fc.constant(null),
	fc.constant('x'.repeat(1_000)),
);

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
	value: fc.oneof(
		{ depthSize: 'small', withCrossShrink: true },
		{ weight: 6, arbitrary: primitive },
		{ weight: 1, arbitrary: fc.oneof(...unusual) },
		{ weight: 3, arbitrary: makeObject(tie('value')) },
		{ weight: 2, arbitrary: fc.array(tie('value'), { maxLength: 3 }) },
	),
}));

function makeObject(member: fc.Arbitrary<unknown>): fc.Arbitrary<object> {
	const members = fc.array(fc.tuple(name, member), { maxLength: 4 });
	return fc.oneof(
		{ weight: 6, arbitrary: members.map((each) => Object.fromEntries(each)) },
		// Own members beside inherited ones, and some that are computed when they are read.
		{
			weight: 1,
			arbitrary: members.map((each) =>
				Object.assign(Object.create({ a: 'inherited' }) as object, Object.fromEntries(each)),
			),
		},
		{
			weight: 1,
			arbitrary: members.map((each) =>
				Object.defineProperties(
					{},
					Object.fromEntries(
						each.map(([key, computed]) => [key, { get: () => computed, enumerable: true }]),
					),
				),
			),
		},
	);
}

/** A way through the value that mostly exists, with steps that do not. */
const way = (json: unknown): fc.Arbitrary<string[]> =>
	fc
		.tuple(fc.array(fc.nat(), { minLength: 1, maxLength: 5 }), fc.array(name, { maxLength: 2 }))
		.map(([choices, beyond]) => {
			const steps: string[] = [];
			let at: unknown = json;
			for (const choice of choices) {
				if (typeof at !== 'object' || at === null) break;
				const names = Object.keys(at);
				if (names.length === 0) break;
				const step = names[choice % names.length];
				steps.push(step);
				at = (at as Record<string, unknown>)[step];
			}
			return [...steps, ...(steps.length === 0 || beyond.length > 1 ? beyond : [])];
		});

const stepForms: Array<(step: string) => string> = [
	(step) => (/^[A-Za-z_$][\w$]*$/.test(step) ? `.${step}` : `['${step}']`),
	(step) => `['${step}']`,
	(step) => `["${step}"]`,
	(step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`),
	(step) => `[${JSON.stringify(step)}]`,
];
const nearlyPlainForms: Array<(step: string) => string> = [
	(step) => `?.${step}`,
	(step) => `?.[${JSON.stringify(step)}]`,
	(step) => `[\`${step}\`]`,
	(step) => `[ ${JSON.stringify(step)} ]`,
	(step) => ` . ${step}`,
	(step) => `['${[...step].map((sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`).join('')}']`,
	(step) => `/* ${step} */.a`,
	(step) => `.${step}()`,
	(step) => `.${step}.length`,
];
const plainWraps: Array<(path: string) => string> = [
	(path) => `={{ ${path} }}`,
	(path) => `={{${path}}}`,
	(path) => `={{   ${path} }}`,
];
const nearlyPlainWraps: Array<(path: string) => string> = [
	(path) => `={{\n${path}\t}}`,
	(path) => `={{ ${path} }} `,
	(path) => `= {{ ${path} }}`,
	(path) => `={{ ${path} }}{{ ${path} }}`,
	(path) => `=a {{ ${path} }}`,
	(path) => `={{ (${path}) }}`,
	(path) => `={{ ${path} /* a */ }}`,
	(path) => `={{ ${path} // a\n }}`,
	(path) => `={{ ${path}; }}`,
	(path) => `={{ ${path} ?? 'none' }}`,
	(path) => `={{ [${path}] }}`,
	(path) => `={{ ${path} + 1 }}`,
	(path) => `=${path}`,
	(path) => `{{ ${path} }}`,
];

const rarely = <T,>(usual: T[], odd: T[]): fc.Arbitrary<T> =>
	fc.oneof(
		{ weight: 9, arbitrary: fc.constantFrom(...usual) },
		{ weight: 1, arbitrary: fc.constantFrom(...odd) },
	);

export const cases: fc.Arbitrary<Case> = makeObject(value).chain((json) =>
	way(json).chain((steps) =>
		fc
			.tuple(
				fc.array(rarely(stepForms, nearlyPlainForms), {
					minLength: steps.length,
					maxLength: steps.length,
				}),
				rarely(plainWraps, nearlyPlainWraps),
				rarely(['$json'], ['$data', '$input.item.json', '$json', ' $json', '$JSON']),
			)
			.map(([forms, wrap, root]) => ({
				json: json as IDataObject,
				expression: wrap(root + steps.map((step, i) => forms[i](step)).join('')),
			})),
	),
);

/** What the panel saves for a parameter: text, numbers, expressions, and collections of them. */
export const parameters: fc.Arbitrary<{ json: IDataObject; saved: unknown }> = fc
	.array(cases, { minLength: 1, maxLength: 4 })
	.chain((some) => {
		// n8n itself changes dates in an item that it gives out whole, so items are what JSON can hold.
		const json = toJson(Object.fromEntries(some.flatMap((each) => Object.entries(each.json))));
		const leaf = fc.oneof(
			fc.constantFrom(...some.map(({ expression }) => expression)),
			fc.constantFrom<unknown>('text', '', 5, true, null, '={{ $now }}', '={{ $json }}'),
			fc.constantFrom<unknown>(
				'={{ $parameter.value.a }}',
				'={{ $parameter["&name"] }}',
				'={{ $rawParameter["&email"] }}',
				'={{ $node["Node"].parameter["&email"] }}',
				'={{ $\\u0070arameter["&email"] }}',
			),
		);
		const saved = fc.oneof(
			leaf,
			fc.dictionary(fc.constantFrom('email', 'name', 'phoneNumber'), leaf),
			// JSON that is saved as an object has any names.
			fc.dictionary(name, fc.oneof(leaf, fc.dictionary(name, leaf)), { maxKeys: 4 }),
			fc.record({
				assignments: fc.array(fc.record({ id: leaf, name: leaf, value: leaf, type: leaf })),
			}),
			fc.record({ row: fc.array(fc.dictionary(fc.constantFrom('name', 'url'), leaf)) }),
			fc.array(leaf),
		);
		return saved.map((each) => ({ json, saved: each }));
	});

/** Some objects cannot be JSON, such as one that inherits from a date. */
function toJson(value: unknown): IDataObject {
	try {
		const text = JSON.stringify(value, (_, member: unknown) =>
			typeof member === 'bigint' ? String(member) : member,
		);
		return JSON.parse(text) as IDataObject;
	} catch {
		return {};
	}
}
