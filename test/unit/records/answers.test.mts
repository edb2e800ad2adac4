import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { collectAnswers } from '../../../nodes/records/interactions.ts';

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
	expect(Object.entries(collectAnswers(interactions))).toEqual([
		['What is your name?', 'Ada'],
		['Budget', ' 10,000 € \n'],
		['Company', 'Analytical Engines'],
	]);
	expect(collectAnswers([])).toEqual({});
});

test.each([undefined, null, '', ' \n\t'])('leave out the response %j', (response) => {
	const both = [answer('City', response), answer('Name', 'Ada'), answer('City', 'Rome')];
	expect(Object.entries(collectAnswers(both))).toEqual([
		['Name', 'Ada'],
		['City', 'Rome'],
	]);
});

test.each([[0], [4.5], [false], [['a', 'b']], ['0']])(
	'keep the response %j as the service sent it',
	(response) => expect(collectAnswers([answer('Name', response)])).toEqual({ Name: response }),
);

const [second, none] = ['Company (2)', 'No label'];

test.each<[labels: unknown[], names: string[]]>([
	[
		['Name', 'City', 'Name', 'Name'],
		['Name', 'City', 'Name (2)', 'Name (3)'],
	],
	[
		['Company', second, 'Company'],
		['Company', second, 'Company (3)'],
	],
	[
		['Company', 'Company', second],
		['Company', 'Company (3)', second],
	],
	[
		['', none, 'No label (2)', none],
		['No label (3)', none, 'No label (2)', 'No label (4)'],
	],
	// Keys are on one line.
	[[' Your\r\n\tname '], ['Your name']],
	[
		['__proto__', 'constructor'],
		['__proto__', 'constructor'],
	],
	...[undefined, null, '', ' \n'].map((blank): [unknown[], string[]] => [
		[blank, 'Name', blank],
		[none, 'Name', 'No label (2)'],
	]),
])('of the labels %j have the names %j', (labels, names) => {
	expect(keysOf(...labels)).toEqual(names);
});

test('have a name each, which is the label where that comes first', () => {
	const label = fc.constantFrom(
		...['A', ' A', 'A (2)', 'A (3)', 'A (2) (2)', 'No label', 'No label (2)', '', ' ', '2'],
		'__proto__',
	);
	fc.assert(
		fc.property(fc.array(label, { maxLength: 12 }), (labels) => {
			const answers = collectAnswers(labels.map((each, n) => answer(each, `response ${n}`)));
			expect(Object.values(answers).sort()).toEqual(labels.map((_, n) => `response ${n}`).sort());
			const tidy = labels.map((each) => each.trim());
			for (const [n, each] of tidy.entries())
				if (each !== '' && tidy.indexOf(each) === n)
					expect(Object.entries(answers)).toContainEqual([each, `response ${n}`]);
		}),
		{ seed: 20_261_121 },
	);
});
