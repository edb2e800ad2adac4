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

test.each([undefined, null, '', ' \n\t'])('leave out the response %j', (response) =>
	expect(collectAnswers([answer('Name', response), answer('City', 'Rome')])).toEqual({
		City: 'Rome',
	}),
);

test.each([[0], [4.5], [false], [['a', 'b']], ['0']])(
	'keep the response %j as the service sent it',
	(response) => expect(collectAnswers([answer('Name', response)])).toEqual({ Name: response }),
);

test('number a label that comes again', () => {
	expect(keysOf('Name', 'City', 'Name', 'Name')).toEqual(['Name', 'City', 'Name (2)', 'Name (3)']);
	// Without a response, it is no answer.
	expect(collectAnswers([answer('Name', ''), answer('Name', 'Ada')])).toEqual({ Name: 'Ada' });
});

test.each([
	[
		['Company', 'Company (2)', 'Company'],
		['Company', 'Company (2)', 'Company (3)'],
	],
	[
		['Company', 'Company', 'Company (2)'],
		['Company', 'Company (3)', 'Company (2)'],
	],
	[
		['', 'No label', 'No label (2)', 'No label'],
		['No label (3)', 'No label', 'No label (2)', 'No label (4)'],
	],
])('of the labels %j have the names %j', (labels, names) => {
	expect(keysOf(...labels)).toEqual(names);
});

test('have a name each, which is the label where that comes first', () => {
	const label = fc.constantFrom(
		'A',
		' A',
		'A (2)',
		'A (3)',
		'A (2) (2)',
		'No label',
		'No label (2)',
		'',
		' ',
		'2',
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

test('have keys on one line', () => {
	expect(keysOf(' Your\r\n\tname ')).toEqual(['Your name']);
	expect(keysOf('__proto__', 'constructor')).toEqual(['__proto__', 'constructor']);
});

test.each([[undefined], [null], [''], [' \n']])('name what has the label %j', (label) =>
	expect(keysOf(label, 'Name', label)).toEqual(['No label', 'Name', 'No label (2)']),
);
