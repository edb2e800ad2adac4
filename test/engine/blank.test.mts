import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { readTruth } from '../truth/truth.mts';
import { setUpActionNode } from './actionNodeSetup.mts';
import { entries } from './engine.mts';
import { nightlySync } from './sync/nightlySync.mts';
import { detectBy, onlyNewOrChanged } from '../groups.mts';

/* What is blank, or says nothing, for some items only. Every parameter is in nothing. */

const setup = setUpActionNode();
beforeEach(() => entries.empty());

const matching = (text: RegExp): unknown => expect.stringMatching(text);

describe('Query', () => {
	const search = (query: string, resource = 'person'): INodeParameters => ({
		...{ resource, operation: 'search', query },
	});
	const byItem = '={{ $json.query }}';
	const byPart = '=  {{ $json.query ? $json.query + "a" : "" }}';
	const itemsOf = (values: unknown[]) => values.map((query) => ({ query })) as IDataObject[];
	const some = ['a', '', null, ' \u200b', 'e'];
	const blank = matching(/^Query is blank, which would find everything/);
	const nothings = ['*', '%', '@', '-', 'null', '{{email}}'];
	const none = matching(/^Query is ".*", which says that there is none/);
	const honest = ['$100', 'Null', 'C++'];

	test.each<[how: string, query: string, values: unknown[], outcomes: unknown[]]>([
		['blank by expression is refused', byItem, some, ['a', blank, blank, blank, 'e']],
		['blank by a part of the expression is refused', byPart, ['', 'a'], [blank, '  aa']],
		['without letters and digits is refused', byItem, nothings, nothings.map(() => none)],
		['may be a price, a name or a mark', byItem, honest, honest],
		['that is empty in the panel lists all', '', ['1', '2'], ['', '']],
	])('%s', async (_, query, values, outcomes) => {
		const { told } = await setup.send(search(query), itemsOf(values));
		const asked = setup.sandbox.requests.map((request) => request.query.query ?? '');
		expect(told.map((error) => error ?? asked.shift())).toEqual(outcomes);
		expect(asked).toEqual([]);
	});

	test.each<[resource: string, asTool: boolean, message: RegExp]>([
		[
			'person',
			false,
			/^Query is blank, which would find everything: remove such items with a Filter node before this one, or clear the field to list all \[items 1, 2 and 3\]$/,
		],
		['person', true, /^Query is blank: enter .*, or use Person > Get Many to list all people/],
		['account', true, /^Query is blank: enter the name or domain of an account/],
		['page', true, /^Query is blank: enter a text that the page contains/],
	])('of a %s says what to do (to a model: %p)', async (resource, asTool, message) => {
		const { error } = await setup.run(search(byItem, resource), itemsOf(some), { asTool });
		expect(error?.message).toMatch(message);
		expect(setup.received).toEqual([]);
	});
});

describe('a filter that is blank', () => {
	const days = ['2026-01-31', '', null].map((day) => ({ day, end: day && '2026-02-01' }));
	const startDate = '={{ $json.day }}';
	const both = 'Start Date and End Date are blank, so these filters were not applied';

	test.each<[how: string, filters: INodeParameters, hint: string, sent: boolean[]]>([
		[
			'by expression',
			{ startDate },
			'Start Date is blank, so this filter was not applied [items 1 and 2, counted from 0].',
			[true, false, false],
		],
		[
			'like another one',
			{ startDate, endDate: '={{ $json.end }}' },
			`${both} [items 1 and 2, counted from 0].`,
			[true, false, false],
		],
		// Because it was added there.
		['in the panel', { startDate: '', endDate: '' }, `${both}.`, [false, false, false]],
	])('%s is told, and not sent', async (_, filters, hint, sent) => {
		const { pageId } = setup.sandbox.store.pages.all()[0];
		const list = { resource: 'audienceSession', operation: 'getAll', pageId, filters };
		const { told, hints } = await setup.send(list, days);
		expect(told).toEqual(days.map(() => undefined));
		expect(hints.filter((each) => each.includes('blank'))).toEqual([hint]);
		expect(setup.sandbox.requests.map(({ query }) => 'startDate' in query)).toEqual(sent);
	});
});

describe('what tells records apart', () => {
	const options = detectBy('custom', '={{ $json.id }}');
	/** What becomes of each value, in a sync or, as a key, in logs. The other value of an item is its number. */
	const send = async (name: string, values: unknown[], more: INodeParameters = {}) => {
		const [own, other] = name === 'recordVersion' ? ['version', 'id'] : ['id', 'version'];
		const items = values.map((value, n) => ({ [own]: value, [other]: n }) as IDataObject);
		return await setup.send({ ...nightlySync, ...(name === 'key' && { options }), ...more }, items);
	};
	const names = [
		['recordId', 'Options > Only New or Changed Records > Record ID'],
		['recordVersion', 'Options > Only New or Changed Records > Record Version'],
		['key', 'Options > Duplicate Detection > Event or Record ID'],
	] as const;

	const nothings = [
		...['Invalid DateTime', 'Invalid date', 'NaN', 'NaT', ' null', 'undefined', '#N/A', '#WERT!'],
		...['{{id}}', '{id}', 'contact-undefined', 'keine Angabe', 'unknown', '-'],
		...['0000-00-00 00:00:00', '0001-01-01T00:00:00', '1899-12-30', '1970-01-01T00:00:00.000Z'],
	];

	// The whole table is in test/unit/cells/truth.test.mts.
	const honest = readTruth('records').flatMap(({ value }, n) => (n % 20 === 0 ? [value] : []));

	test.each(names)('is sent as %s, and refused where it says nothing', async (name, label) => {
		const object = 'form-[object Object]';
		const { told, bodies } = await send(name, [...nothings, object, ...honest]);
		const quoted = nothings.map((text) => text.trim().replace(/[{}]/g, '\\$&'));
		expect(told).toEqual([
			...quoted.map((text, i) => matching(new RegExp(`^${label} is "${text}", which.*item ${i}`))),
			matching(new RegExp(`^${label} contains \\[object Object\\]`)),
			...honest.map(() => undefined),
		]);
		expect(bodies).toHaveLength(honest.length);
	});

	test.each(['={{ DateTime.fromISO($json.version) }}', '={{ new Date($json.version) }}'])(
		'is refused as the invalid date of %s',
		async (recordVersion) => {
			const { told, bodies } = await send('recordVersion', ['2026-01-31', 'soon', 'never'], {
				options: onlyNewOrChanged('={{ $json.id }}', { recordVersion }),
			});
			const label = 'Options > Only New or Changed Records > Record Version';
			expect(told).toEqual([
				undefined,
				`${label} must be text, but is an invalid date [item 1]`,
				`${label} must be text, but is an invalid date [item 2]`,
			]);
			expect(bodies).toHaveLength(1);
		},
	);
});
