import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { underWay } from '../../nodes/PageAudience/ledger/processStore.ts';
import { entries, type Run } from './engine.mts';
import { setUpActionNode } from './actionNodeSetup.mts';
import { nightlySync } from './sync/nightlySync.mts';
import { detectBy, onlyNewOrChanged, requestLimits } from '../groups.mts';

/* Each item is right, and all of them together are wrong. */

const setup = setUpActionNode();
beforeEach(() => entries.empty());

const log = {
	resource: 'personLog',
	operation: 'create',
	source: 'form',
	payloadMode: 'inputItem',
	person: { email: '={{ $json.email }}' },
} as const;

const people = ['ada', 'bea', 'cleo'].map((name) => ({ email: `${name}@x.example` }));

describe('items with one custom idempotency key', () => {
	const custom = { ...log, options: detectBy('custom', '=form-{{ $json.submission }}') };
	const dora = { email: 'dora@x.example', submission: 's2' };
	const items = [...people, dora, dora];

	test('that differ are refused before anything is sent, and named', async () => {
		const { error } = await setup.run(custom, items);
		expect(setup.received).toEqual([]);
		// The run is over, and the process keeps nothing of it.
		expect(underWay.size).toBe(0);
		expect(error?.message).toBe(
			'The idempotency key "form-" is shared by items with different content. Use a value that differs for each item, such as the ID of the event [items 0, 1 and 2]',
		);
		// Where the run continues, they fail alone, and equal ones are sent.
		const { output } = await setup.run(custom, items, { onError: 'continueRegularOutput' });
		expect(setup.received).toHaveLength(2);
		expect(output.map(({ json }) => 'error' in json)).toEqual([true, true, true, false, false]);
	});

	const form = '=form-{{ $json.form }}';
	test.each<[label: string, parameters: INodeParameters]>([
		['Duplicate Detection > Event or Record ID', { ...log, options: detectBy('custom', form) }],
		[
			'Only New or Changed Records > Record ID',
			{ ...nightlySync, options: onlyNewOrChanged(form) },
		],
		[
			'Only New or Changed Records > Record Version',
			{ ...nightlySync, options: onlyNewOrChanged(1, { recordVersion: form }) },
		],
	])('made of an object are refused as %s', async (label, parameters) => {
		const items = people.map((person) => ({ ...person, id: 1, version: 2, form: { id: 3 } }));
		const { error } = await setup.run(parameters, items);
		expect(setup.received).toEqual([]);
		expect(error?.message).toMatch(/ contains \[object Object\].* \[all 3 items\]$/);
		expect(error?.message).toMatch(new RegExp(`^Options > ${label} contains`));
	});
});

test('items with one ID and version, but for two people, are refused', async () => {
	const people = [
		{ id: 1, email: 'ada@a.example', phone: '+49 30 111111' },
		{ id: 1, email: 'bea@a.example', phone: '+49 30 222222' },
		{ id: 2, email: 'cleo@a.example', phone: '' },
		{ id: 2, email: 'cleo@b.example', phone: '' },
		// The same person, by what the two items share, or as far as their identifiers tell.
		{ id: 3, email: 'dora@a.example', phone: '+49 30 333333' },
		{ id: 3, email: 'dora@b.example', phone: '+49 30 333333' },
		{ id: 4, email: 'eve@a.example', phone: '' },
		{ id: 4, email: '', phone: '+49 30 444444' },
	].map((row) => ({ ...row, version: 1 }));
	const person = { email: '={{ $json.email }}', phoneNumber: '={{ $json.phone }}' };
	const { output } = await setup.run({ ...nightlySync, person }, people, {
		onError: 'continueRegularOutput',
	});
	const refused = output.flatMap(({ json }, item) => (json.error ? [item] : []));
	expect(refused).toEqual([0, 1, 2, 3]);
	expect(output[0].json.error).toBe(
		'Options > Only New or Changed Records > Record ID "1" is shared by items with the same Record Version, but different people. Correct it in the source [item 0]',
	);
});

describe('updates of one record in several items', () => {
	const page = { resource: 'page', operation: 'update', pageId: '={{ $json.id }}' };
	const byJson = { ...page, specifyBody: 'json', jsonBody: '={{ $json.change }}' };
	const actions = { action: [{ buttonTitle: 'Go', url: '={{ $json.change }}' }] };
	const byRows = { ...page, updateFields: { actions, metadata: { title: 'T' } } };
	const ofAudience = (updateFields: INodeParameters) => ({
		...{ resource: 'audience', operation: 'update', pageId: 'page_1' },
		...{ audienceId: '={{ $json.id }}', updateFields },
	});
	const byName = ofAudience({ customName: '={{ $json.change }}' });
	const byOverride = ofAudience({ metadataOverride: { title: '={{ $json.change }}' } });
	type Change = IDataObject | string;
	/** The last item changes another record. */
	const itemsOf = (changes: Change[]): IDataObject[] => [
		...changes.map((change) => ({ id: 'r_1', change })),
		{ id: 'r_2', change: changes[0] },
	];

	const [a, b] = ['/a', '/b'].map((url) => ({ actions: [{ url }] }));
	const [seo, empty] = [{ metadata: { title: 'T' } }, { actions: [] }];
	const [first, reordered] = [
		{ actions: [{ url: '/a', buttonTitle: 'A' }] },
		{ actions: [{ buttonTitle: 'A', url: '/a' }] },
	];

	test.each<[what: string, parameters: INodeParameters, changes: Change[], refused: number[]]>([
		['different lists', byJson, [a, b], [0, 1]],
		['a list, and an empty one', byJson, [a, empty], [0, 1]],
		['a list twice, and another one', byJson, [a, b, a], [0, 1, 2]],
		['different metadata', byJson, [seo, { metadata: { title: 'U' } }], [0, 1]],
		['different rows', byRows, ['/a', '/b'], [0, 1]],
		['different metadata of an audience', byOverride, ['a', 'b'], [0, 1]],
		['equal lists', byJson, [a, a], []],
		['equal lists in another order of fields', byJson, [first, reordered], []],
		['different fields', byJson, [a, seo, { name: 'N' }], []],
		['different values', byName, ['A', 'B'], []],
	])('%s', async (_, parameters, changes, refused) => {
		const options = requestLimits({ concurrency: 1, maxRetries: 0 });
		const onError = 'continueRegularOutput';
		const given = { ...parameters, options };
		const { output } = await setup.run(given, itemsOf(changes), { onError });
		const told = output.map(({ json }) => String(json.error));
		expect(told.flatMap((error, item) => (error.includes('into one item') ? [item] : []))).toEqual(
			refused,
		);
		expect(setup.received).toHaveLength(changes.length + 1 - refused.length);
	});

	test('are refused before anything is sent, with every field and the items', async () => {
		const items = [{ ...a, ...seo }, { ...b, metadata: { title: 'U' } }, a];
		const { error } = await setup.run(byJson, itemsOf(items));
		expect(setup.received).toEqual([]);
		expect(error?.message).toBe(
			'Actions differs between items that change page r_1, and each would undo what the others write. Put all changes into one item [items 0, 1 and 2]; Metadata differs between items that change page r_1, and each would undo what the others write. Put all changes into one item [items 0 and 1]',
		);
	});
});

describe('a credential that depends on the item', () => {
	async function run(apiKey: string, keys: string[], more: Partial<Run>) {
		const items = keys.map((key) => ({ key, email: `${key}@x.example` }));
		const credential = { ...setup.credential, apiKey };
		return await setup.run(log, items, { credential, ...more });
	}

	test.each(['stopWorkflow', 'continueRegularOutput'] as const)(
		'sends nothing where items have another key (%s)',
		async (onError) => {
			const { apiKey } = setup.credential;
			const result = await run('={{ $json.key }}', [apiKey, apiKey, 'other'], { onError });
			expect(setup.received).toEqual([]);
			const { error, output } = result;
			const messages = error ? [error.message] : output.map(({ json }) => json.error);
			expect(messages).toHaveLength(error ? 1 : 3);
			for (const message of messages)
				expect(message).toContain(
					'The credential has another Base URL or API key for item 2 than for item 0',
				);
			expect(error?.description ?? 'Nothing was sent').toContain('Nothing was sent');
		},
	);

	test('is read for each item only where it depends on them', async () => {
		const { apiKey } = setup.credential;
		let reads = 0;
		const handOver: Run['handOver'] = (context) => {
			const read = context.getCredentials.bind(context);
			const getCredentials = async (...args: Parameters<typeof read>) => {
				reads++;
				return await read(...args);
			};
			Object.assign(context, { getCredentials });
		};
		const many = Array<string>(20).fill(apiKey);
		await run(`={{ '${apiKey}' }}`, many, { handOver });
		expect([reads, setup.received.length]).toEqual([2, 20]);
		await run('={{ $json.key }}', many, { handOver });
		expect([reads, setup.received.length]).toEqual([2 + 21, 40]);
	});
});

test('searches without a match are told with their items', async () => {
	const search = { resource: 'person', operation: 'search', query: '={{ $json.q }}' };
	const found = setup.sandbox.store.persons.all()[0].name;
	const items = [{ q: 'nobody is called this' }, { q: found }, { q: 'nor this' }];
	const { hints } = await setup.run({ ...search, returnAll: true }, items);
	expect(hints).toEqual(['The search found nothing [items 0 and 2, counted from 0].']);
});
