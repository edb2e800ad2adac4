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

test('have keys on one line', () => {
	expect(keysOf(' Your\r\n\tname ')).toEqual(['Your name']);
	expect(keysOf('__proto__', 'constructor')).toEqual(['__proto__', 'constructor']);
});

test.each([[undefined], [null], [''], [' \n']])('name what has the label %j', (label) =>
	expect(keysOf(label, 'Name', label)).toEqual(['No label', 'Name', 'No label (2)']),
);
