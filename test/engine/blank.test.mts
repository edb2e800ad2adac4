import type { INodeParameters } from 'n8n-workflow';
import { setUpActionNode } from './actionNodeSetup.mts';

/* What an expression leaves blank for some items only. A value that is missing for all of them is in acrossItems. */

const setup = setUpActionNode();

const searches = [
	['person', 'or use Person > Get Many to list all people'],
	['account', 'enter the name or domain of an account'],
	['page', 'enter a text that the page contains'],
] as const;

const search = (resource: string, query: string): INodeParameters => ({
	resource,
	operation: 'search',
	query,
});

const queries = ['a', '', null, ' \u200b', 'e'].map((query) => ({ query }));

describe.each(searches)('a blank Query of %s', (resource, advice) => {
	test('by expression is refused, and nobody is read', async () => {
		const { error } = await setup.run(search(resource, '={{ $json.query }}'), queries);
		expect(setup.received).toEqual([]);
		expect(error?.message).toBe(
			'Query is blank, which would find everything: remove such items with a Filter node before this one, or clear the field to list all [items 1, 2 and 3]',
		);
	});

	test('by a part of the expression is refused, and costs the other items nothing', async () => {
		const parameters = search(resource, '=  {{ $json.query ? $json.query + "a" : "" }}');
		const { output } = await setup.run(parameters, [{ query: '' }, { query: 'a' }], {
			onError: 'continueRegularOutput',
		});
		expect(setup.sandbox.requests).toMatchObject([{ query: { query: '  aa' } }]);
		expect(output[0].json.error).toContain('Query is blank');
	});

	test('that is empty in the panel lists all', async () => {
		const { error } = await setup.run(search(resource, ''), [{ n: 1 }, { n: 2 }]);
		expect(error).toBeUndefined();
		expect(setup.received).toHaveLength(2);
	});

	test('tells a model what to do', async () => {
		const parameters = search(resource, '={{ $json.query }}');
		const { error } = await setup.run(parameters, [{ query: '' }], { asTool: true });
		expect(setup.received).toEqual([]);
		expect(error?.message).toMatch(/^Query is blank: enter /);
		expect(error?.message).toContain(advice);
	});
});

describe('a filter that is blank', () => {
	const days = ['2026-01-31', '', null].map((day) => ({ day, end: day && '2026-02-01' }));
	const sessions = (filters: INodeParameters): INodeParameters => ({
		resource: 'audienceSession',
		operation: 'getAll',
		pageId: setup.sandbox.store.pages.all()[0].pageId,
		filters,
	});
	const start = '={{ $json.day }}';

	test.each<[how: string, filters: INodeParameters, hints: string[]]>([
		[
			'by expression is told',
			{ startDate: start },
			['Start Date is blank, so this filter was not applied [items 1 and 2, counted from 0].'],
		],
		[
			'like another one is told with it',
			{ startDate: start, endDate: '={{ $json.end }}' },
			[
				'Start Date and End Date are blank, so these filters were not applied [items 1 and 2, counted from 0].',
			],
		],
		['in the panel is not told', { startDate: '', endDate: '' }, []],
	])('%s', async (_, filters, hints) => {
		const result = await setup.run(sessions(filters), days);
		expect(result.error).toBeUndefined();
		const told = result.hints.filter((hint) => hint.includes('blank'));
		expect(told).toEqual(hints);
	});

	test('is not sent, and the others are', async () => {
		await setup.run(sessions({ startDate: start }), days);
		const sent = setup.sandbox.requests.map(({ query }) => 'startDate' in query);
		expect(sent).toEqual([true, false, false]);
	});
});
