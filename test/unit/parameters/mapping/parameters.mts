import fc from 'fast-check';
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

/** A parameter as a workflow stores it, and the item that it is read from. */
interface MappingCase {
	json: IDataObject;
	saved: unknown;
}

/** Names as people and systems write them, and as JavaScript and n8n use them for themselves. */
const oddNames = [
	...['Größe', '名前', '😀', 'a.b', 'a-b', "it's", 'say "hi"', 'a\\b', '', ' ', 'a\nb', 'a\u2028b'],
	...['0', '00', '01', '-1', '1.5', '1e3', '4294967295', '\ud800', '__a', '_a', '$', '$json', '$a'],
	...['length', 'toString', 'valueOf', '__proto__', 'constructor', 'my.constructor', 'prototype'],
	...['caller', 'map', 'at', 'then', 'toJSON', 'isEmpty', 'class', 'new', 'process', 'globalThis'],
	...['isProxy', '__isObject', '__sanitize', '___n8n_data', '{', '}}', '{{', '`', '${a}', '//'],
	...['/*', ')', ']', ';', '='],
];
const name = fc.oneof(
	{ weight: 4, arbitrary: fc.constantFrom('a', 'b', 'email', 'First name', 'phone_2', '0') },
	{ weight: 3, arbitrary: fc.constantFrom(...oddNames) },
	{ weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 8 }) },
	{ weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 4 }) },
);

class CrmContact {
	email = 'class@crm.example';
}

/** Texts that look like more, and what an item may have that is no JSON. */
const unusual = fc.constantFrom<unknown>(
	...['', ' ', '={{ 1 }}', '{{ $json.a }}', '\ud800', 'e\u0301', 'x'.repeat(1_000)],
	...[NaN, Infinity, -0, 2 ** 53, 12n, undefined, () => 'function', Symbol('symbol'), /a/g],
	...[new Date(0), new Date(NaN), DateTime.fromMillis(0), new Map([['a', 1]]), new Error('x')],
	...[new CrmContact(), Object.create({ a: 'inherited' }), Object.create(null), new Array(3)],
);
const json = fc.jsonValue({ maxDepth: 1 });
const anything = fc.oneof({ weight: 6, arbitrary: json }, { weight: 1, arbitrary: unusual });

/** In each form, `…` is what it holds, and `‥` the same as JSON. */
const fill = (form: string, text: string): string =>
	form.replace(/[…‥]/g, (sign) => (sign === '…' ? text : JSON.stringify(text)));

const steps = ['.…', "['…']", '["…"]', '[‥]'];
const nearlyPlainSteps = ['[…]', '?.…', '[`…`]', '[ ‥ ]', ' . …', '/* … */.a', '.…()', '.….length'];
const wraps = ['={{ … }}', '={{…}}', '={{   … }}'];
const nearlyPlainWraps = [
	...['={{\n…\t}}', '={{ … }} ', '= {{ … }}', '={{ … }}{{ … }}', '=a {{ … }}', '={{ (…) }}'],
	...['={{ … // a\n }}', '={{ …; }}', '={{ … + 1 }}', '=…', '{{ … }}'],
];
const rarely = (usual: string[], odd: string[]) =>
	fc.oneof(
		{ weight: 9, arbitrary: fc.constantFrom(...usual) },
		{ weight: 1, arbitrary: fc.constantFrom(...odd) },
	);
const forms = fc.record({
	root: rarely(['$json'], ['$data', '$input.item.json', ' $json', '$JSON']),
	step: rarely(steps, nearlyPlainSteps),
	wrap: rarely(wraps, nearlyPlainWraps),
});

/** Expressions of a field of the item, or of one that it lacks, as the editor writes them, and some that are nearly so. */
const expressionsOf = (value: fc.Arbitrary<unknown>) =>
	fc.dictionary(name, value, { maxKeys: 4, noNullPrototype: true }).chain((item) => {
		const names = Object.keys(item);
		const field = names.length > 0 ? fc.constantFrom(...names) : name;
		const read = fc.oneof({ weight: 4, arbitrary: field }, { weight: 1, arbitrary: name });
		return fc.tuple(read, forms).map(([each, { root, step, wrap }]) => ({
			json: item as IDataObject,
			saved: fill(wrap, root + fill(step, each)),
		}));
	});

/** What n8n knows only as a whole, and members of all types. */
const members = fc.constantFrom<unknown>(
	...['text', '', 5, true, null, '={{ $now }}', '={{ $json }}', '={{ DateTime.fromMillis(0) }}'],
	...['={{ $parameter.value.a }}', '={{ $parameter["&name"] }}', '={{ $rawParameter["&email"] }}'],
	...['={{ $node["Node"].parameter["&email"] }}', '={{ $\\u0070arameter["&email"] }}'],
);

/** Collections, rows and lists of expressions. n8n itself changes dates in an item that it outputs whole. */
const collections = fc.array(expressionsOf(json), { minLength: 1, maxLength: 4 }).chain((some) => {
	const item = Object.fromEntries(some.flatMap((each) => Object.entries(each.json)));
	const leaf = fc.oneof(fc.constantFrom(...some.map(({ saved }) => saved)), members);
	const saved = fc.oneof(
		fc.dictionary(fc.constantFrom('email', 'name', 'phoneNumber'), leaf),
		// JSON that is saved as an object has any names.
		fc.dictionary(name, fc.oneof(leaf, fc.dictionary(name, leaf)), { maxKeys: 4 }),
		fc.record({ assignments: fc.array(fc.record({ id: leaf, name: leaf, value: leaf })) }),
		fc.array(leaf),
	);
	return saved.map((each) => ({ json: item, saved: each }));
});

export const cases: fc.Arbitrary<MappingCase> = fc.oneof(
	{ weight: 3, arbitrary: expressionsOf(anything) },
	{ weight: 1, arbitrary: collections },
);
