import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { underWay } from '../../nodes/PageAudience/ledger/processStore.ts';
import { entries, type Run } from './engine.mts';
import { setUpActionNode } from './actionNodeSetup.mts';
import { nightlySync } from './sync/nightlySync.mts';
import { detectBy } from '../groups.mts';

/* Each item is right, and all of them together are wrong. */

const setup = setUpActionNode();
beforeEach(() => entries.empty());

/** The places of the items that are told so. */
const toldOf = (told: unknown[], text: string) =>
	told.flatMap((error, item) => (String(error).includes(text) ? [item] : []));

const log = {
	...{ resource: 'personLog', operation: 'create', source: 'form', payloadMode: 'inputItem' },
	person: { email: '={{ $json.email }}' },
};

test('items with one custom key and different content are refused before anything is sent', async () => {
	const custom = { ...log, options: detectBy('custom', '=form-{{ $json.submission }}') };
	const people = ['ada', 'bea', 'cleo'].map((name) => ({ email: `${name}@x.example` }));
	const dora = { email: 'dora@x.example', submission: 's2' };
	const items = [...people, dora, dora];
	const { error } = await setup.run(custom, items);
	expect(setup.received).toEqual([]);
	// The run is over, and the process keeps nothing of it.
	expect(underWay.size).toBe(0);
	expect(error?.message).toBe(
		'The idempotency key "form-" is shared by items with different content. Use a value that differs for each item, such as the ID of the event [items 0, 1 and 2]',
	);
	// Where the run continues, they fail alone, and equal ones are sent.
	const { told, bodies } = await setup.send(custom, items);
	expect(bodies).toHaveLength(2);
	expect(toldOf(told, 'is shared by')).toEqual([0, 1, 2]);
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
	const { told } = await setup.send({ ...nightlySync, person }, people);
	expect(told.flatMap((error, item) => (error ? [item] : []))).toEqual([0, 1, 2, 3]);
	expect(told[0]).toBe(
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
	const [seo, other] = ['T', 'U'].map((title) => ({ metadata: { title } }));
	const ordered = { actions: [{ url: '/a', buttonTitle: 'A' }] };
	const reordered = { actions: [{ buttonTitle: 'A', url: '/a' }] };

	test.each<[what: string, parameters: INodeParameters, changes: Change[], refused: number[]]>([
		['different lists', byJson, [a, b], [0, 1]],
		['a list, and an empty one', byJson, [a, { actions: [] }], [0, 1]],
		['a list twice, and another one', byJson, [a, b, a], [0, 1, 2]],
		['different metadata', byJson, [seo, other], [0, 1]],
		['different rows', byRows, ['/a', '/b'], [0, 1]],
		['different metadata of an audience', byOverride, ['a', 'b'], [0, 1]],
		['equal lists', byJson, [a, a], []],
		['equal lists in another order of fields', byJson, [ordered, reordered], []],
		['different fields', byJson, [a, seo, { name: 'N' }], []],
		['different values', byName, ['A', 'B'], []],
	])('%s', async (_, parameters, changes, refused) => {
		const { told, bodies } = await setup.send(parameters, itemsOf(changes));
		expect(toldOf(told, 'into one item')).toEqual(refused);
		expect(bodies).toHaveLength(changes.length + 1 - refused.length);
	});

	test('are refused before anything is sent, with every field and the items', async () => {
		const { error } = await setup.run(byJson, itemsOf([{ ...a, ...seo }, { ...b, ...other }, a]));
		expect(setup.received).toEqual([]);
		const advice =
			'differs between items that change page r_1, and each would undo what the others write. Put all changes into one item';
		expect(error?.message).toBe(
			`Actions ${advice} [items 0, 1 and 2]; Metadata ${advice} [items 0 and 1]`,
		);
	});
});

describe('a credential that depends on the item', () => {
	const run = async (apiKey: string, keys: string[], more: Partial<Run> = {}) =>
		await setup.run(
			log,
			keys.map((key, i) => ({ key, email: `${i}@x.example` })),
			{ credential: { ...setup.credential, apiKey }, ...more },
		);

	test('sends nothing where items have another key', async () => {
		const { apiKey } = setup.credential;
		const keys = [apiKey, apiKey, 'other'];
		const stopped = await run('={{ $json.key }}', keys);
		const { json } = await run('={{ $json.key }}', keys, { onError: 'continueRegularOutput' });
		expect(setup.received).toEqual([]);
		const told = 'The credential has another Base URL or API key for item 2 than for item 0';
		expect(stopped.error?.message).toContain(told);
		expect(stopped.error?.description).toContain('Nothing was sent');
		const error = expect.stringContaining(told) as string;
		expect(json).toMatchObject([{ error }, { error }, { error }]);
	});

	test('is read for each item only where it depends on them', async () => {
		const { apiKey } = setup.credential;
		const countReads = async (key: string) => {
			const reads: unknown[][] = [];
			const handOver: Run['handOver'] = (context) =>
				reads.push(jest.spyOn(context, 'getCredentials').mock.calls);
			await run(key, Array<string>(20).fill(apiKey), { handOver });
			return reads[0].length;
		};
		expect(await countReads(`={{ '${apiKey}' }}`)).toBe(2);
		expect(await countReads('={{ $json.key }}')).toBe(21);
		expect(setup.received).toHaveLength(40);
	});
});
