import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { collectAnswers } from '../../../nodes/records/interactions.ts';
import { generated } from '../../generated.mts';
import { expectLinear } from '../growth.mts';

const answer = (label: unknown, responseText: unknown): IDataObject =>
	({ label, responseText }) as IDataObject;
/** The keys of answers to these labels, in their order. */
const keysOf = (...labels: unknown[]) =>
	Object.keys(collectAnswers(labels.map((label, n) => answer(label, `response ${n}`))));

test('are the responses by their labels, in the order of the interactions', () => {
	const interactions = [
		answer('What is your name?', 'Ada'),
		{ label: 'Start', componentId: 'button_1', timestamp: 1 },
		answer('Budget', ' 10,000 € \n'),
		answer('Company', 'Analytical Engines'),
	];
	const answers = collectAnswers(interactions);
	expect(Object.entries(answers)).toEqual([
		['What is your name?', 'Ada'],
		['Budget', ' 10,000 € \n'],
		['Company', 'Analytical Engines'],
	]);
	expect(collectAnswers([])).toEqual({});
});

test.each([undefined, null, '', ' \n\t', []])('leave out the response %j', (response) =>
	expect(collectAnswers([answer('Name', response), answer('City', 'Rome')])).toEqual({
		City: 'Rome',
	}),
);

test.each([[0], [4.5], [false], [['a', 'b']], [{ toString: 1 }], ['0']])(
	'keep the response %j as the service sent it',
	(response) => expect(collectAnswers([answer('Name', response)])).toEqual({ Name: response }),
);

test('number a label that comes again, and no key of another label is lost', () => {
	expect(keysOf('Name', 'City', 'Name', 'Name')).toEqual(['Name', 'City', 'Name (2)', 'Name (3)']);
	expect(keysOf('Name', 'Name', 'Name (2)')).toEqual(['Name', 'Name (2)', 'Name (2) (2)']);
	expect(keysOf('Name (2)', 'Name', 'Name')).toEqual(['Name (2)', 'Name', 'Name (3)']);
	// Without a response, it is no answer.
	expect(collectAnswers([answer('Name', ''), answer('Name', 'Ada')])).toEqual({ Name: 'Ada' });
});

test.each<[label: unknown, key: string]>([
	[' Your\r\n\tname \0', 'Your name'],
	['Line\u2028separator\u0085', 'Line separator'],
	['It\'s "fine" [0] .x ?', 'It\'s "fine" [0] .x ?'],
	['👩‍💻 Größe', '👩‍💻 Größe'],
	['half \ud83d', 'half \ufffd'],
	['C:\\temp', 'C:/temp'],
	['Hello {{{first_name}}}, {one}', 'Hello {first_name}, {one}'],
	['new Date().constructor', 'new Date().Constructor'],
])('turn the label %j into a key on one line', (label, key) =>
	expect(keysOf(label)).toEqual([key]),
);

test('shorten labels of more than 200 characters, and number those that are equal then', () => {
	const shortened = `${'😀'.repeat(200)}…`;
	expect(keysOf('x'.repeat(200))).toEqual(['x'.repeat(200)]);
	expect(keysOf(`${'😀'.repeat(201)} 1`, `${'😀'.repeat(10_000)} 2`)).toEqual([
		shortened,
		`${shortened} (2)`,
	]);
});

test.each([[undefined], [null], [''], [' \n'], ['\u200b\u0000'], [{}], [['a']], [true]])(
	'name what has the label %j',
	(label) => expect(keysOf(label, 'Name', label)).toEqual(['No label', 'Name', 'No label (2)']),
);

test.each([
	'2024',
	7,
	'007',
	'__proto__',
	'constructor',
	'constructorName',
	'prototype',
	'toString',
	'globalThis',
	'arguments',
	'__x',
])('number the label %j at once, because it cannot stand alone', (label) =>
	expect(keysOf('First', label, label, 'Last')).toEqual([
		'First',
		`${label} (1)`,
		`${label} (2)`,
		'Last',
	]),
);

const label = fc.oneof(
	fc.string({ unit: 'binary', maxLength: 20 }),
	fc.constantFrom('Name', 'Name (2)', 'Name (1)', '1', '1 (2)', '__proto__', 'toString', ' Name '),
	fc.anything(),
);
const response = fc.oneof(fc.string(), fc.anything());

test('keep every response once, in order, under keys of their own, whatever the labels are', () => {
	fc.assert(
		fc.property(fc.array(fc.tuple(label, response), { maxLength: 30 }), (given) => {
			const interactions = given.map(([one, other]) => answer(one, other));
			const answers = collectAnswers(interactions);
			const kept = given
				.map(([, each]) => each)
				.filter(
					(each) =>
						(each ?? null) !== null &&
						!(typeof each === 'string' && each.trim() === '') &&
						!(Array.isArray(each) && each.length === 0),
				);
			expect(Object.values(answers)).toEqual(kept);
			for (const key of Object.keys(answers)) {
				expect(key.isWellFormed()).toBe(true);
				expect(key).not.toMatch(/[\p{Cc}\u2028\u2029\\]|\{\{|\}\}/u);
				expect([...key].length).toBeLessThan(220);
				expect(key.trim()).toBe(key);
			}
		}),
		generated(1_000),
	);
});

test('take time in proportion to their number, whatever labels come again', () => {
	const many = (count: number) =>
		Array.from({ length: count }, (_, n) => answer(n % 2 ? 'Name' : `Name (${n})`, 'x'));
	expect(Object.keys(collectAnswers(many(20_000)))).toHaveLength(20_000);
	expectLinear((count) => {
		const interactions = many(count);
		return () => void collectAnswers(interactions);
	}, 5_000);
});
