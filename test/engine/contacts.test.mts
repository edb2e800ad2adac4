import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { readLines } from '../truth/truth.mts';
import { setUpActionNode } from './actionNodeSetup.mts';
import { detectBy, onlyNewOrChanged } from '../groups.mts';

/*
 * What people, forms, CRMs and spreadsheets have in a contact, in each operation that takes it. How a cell is read is in
 * test/unit/cells/readings.test.mts, of the same table; blank ones, and words for nothing, are in nothing.
 */

const setup = setUpActionNode();

const person = {
	email: '={{ $json.email }}',
	linkedinProfileUrl: '={{ $json.linkedin }}',
	phoneNumber: '={{ $json.phone }}',
};
const log = {
	resource: 'personLog',
	operation: 'create',
	source: 'crm',
	options: detectBy('none'),
	person: { ...person, name: '={{ $json.name }}' },
};

describe('a log', () => {
	test('is not written for whoever has nothing but placeholders, which are named', async () => {
		const { bodies, told } = await setup.send(log, [
			{ phone: '+43', email: '' },
			{ phone: 'none', email: 'k.A.', linkedin: 'https://linkedin.com/in/undefined' },
			{ name: 'Ada', email: ' ' },
			{ phone: '+49 30 1234567' },
		]);
		expect(bodies).toMatchObject([{ phoneNumber: '+49301234567' }]);
		expect(told).toEqual([
			'Person has no usable email, phone number or LinkedIn URL: Phone Number is "+43", which says that there is none. To send it anyway, turn on Options > Send As Is [item 0]',
			'Person has no usable email, phone number or LinkedIn URL: Email is "k.A.", which says that there is none, LinkedIn Profile URL is "https://linkedin.com/in/undefined", which says that there is none, Phone Number is "none", which says that there is none. To send it anyway, turn on Options > Send As Is [item 1]',
			"Person needs an email, phone number, LinkedIn URL or person ID. Otherwise, the entry isn't linked to anyone [item 2]",
			undefined,
		]);
	});

	test('leaves out what cannot be read beside a value that identifies the person, and tells it once', async () => {
		const items = [
			{ email: 'ada@alpha.example', phone: 'asdf', linkedin: 'linkedin', name: 'x'.repeat(300) },
			{ email: 'not an address', phone: '+49 30 1234567' },
			{ email: 'bob@beta.example', phone: '1-800-FLOWERS' },
			{ phone: '12', email: 'ada@' },
		];
		const { json, hints } = await setup.send(log, items);
		expect(json.map(({ leftOut, error }) => leftOut ?? typeof error)).toEqual([
			['linkedinProfileUrl', 'name', 'phoneNumber'],
			['email'],
			['phoneNumber'],
			'string',
		]);
		expect(hints).toEqual(
			expect.arrayContaining([
				'Person > Email of 1 item was left out: must be an email address, but is "not an address" [item 1, counted from 0]',
				'Person > Phone Number of 2 items was left out: is "asdf", which says that there is none; must be one phone number that can be dialed, without other text, but is "1-800-FLOWERS" [items 0 and 2, counted from 0]',
			]),
		);
		const report = await setup.send({ ...log, options: { report: true } }, items);
		expect(report.json).toMatchObject([{ written: 3, failed: 1, leftOut: 3 }]);
	});

	test('of a sync has the key of what is sent, so that a later night skips it', async () => {
		// What is sent, not the whole contact with what was left out.
		const options = onlyNewOrChanged('={{ $json.id }}');
		const night = async (phone: string) => {
			const items = [
				{ id: '1', email: 'ada@alpha.example', phone },
				{ id: '2', email: 'bob@beta.example', phone: '+49 30 1234567' },
			];
			return (await setup.send({ ...log, person, payloadMode: 'json', options }, items)).bodies;
		};
		const first = await night('asdf');
		expect(first).toHaveLength(2);
		expect(first[0]).not.toHaveProperty('phoneNumber');
		expect(await night('call me')).toEqual([]);
		expect(await night('+49 30 7654321')).toMatchObject([
			{ email: 'ada@alpha.example', phoneNumber: '+49307654321' },
		]);
	});
});

const cell = '={{ $json.cell }}';
const create = { resource: 'person', operation: 'create' };
const createWith = (field: string) => ({
	...{ ...create, name: '=n{{ $itemIndex }}' },
	additionalFields: { [field]: cell },
});
/** Of somebody who is known by the ID. */
const logOf = (field: string) => ({
	...log,
	person: { personId: '={{ $json.personId }}', [field]: cell },
});

/** What becomes of a cell that says nothing, and of another one that cannot be used. */
type Fates = ['left out' | 'refused', 'left out' | 'refused'];
type Row = [kind: string, field: string, of: string, INodeParameters, ...Fates];
const identities = [
	['email', 'email'],
	['phone', 'phoneNumber'],
	['profile', 'linkedinProfileUrl'],
];

test.each<Row>([
	...identities.flatMap(([kind, field]): Row[] => [
		[kind, field, 'person', createWith(field), 'left out', 'refused'],
		[kind, field, 'log', logOf(field), 'left out', 'left out'],
	]),
	['name', 'name', 'person', { ...create, name: cell }, 'refused', 'refused'],
	['name', 'name', 'log', logOf('name'), 'left out', 'left out'],
	['company', 'domain', 'person', createWith('domain'), 'left out', 'left out'],
])('each cell with a %s goes out as %s of a %s, or is told', async (...row) => {
	const [kind, field, , parameters, ofNothing, ofOthers] = row;
	const cells = readLines('readings.tsv').filter(([of]) => of === kind);
	const { personId } = setup.sandbox.store.persons.all()[0];
	const items = cells.map(([, , text]) => ({ personId, cell: text }));
	const { told, json, bodies } = await setup.send(parameters, items);
	const found = told.map((error, item) => {
		if (error !== undefined) return 'refused';
		const sent = bodies.shift()?.[field];
		return json[item].leftOut === undefined ? sent : sent === undefined && 'left out';
	});
	const others = ['lostLetter', 'ofEveryone', 'several', 'unreadable'];
	const fates = new Map<string, unknown>(others.map((each) => [each, ofOthers]));
	fates.set('absent', ofNothing).set('blank', undefined);
	expect(found).toEqual(
		cells.map(([, result]) => (fates.has(result) ? fates.get(result) : result)),
	);
	expect(bodies).toEqual([]);
});

describe('Create or Get', () => {
	const ensure = { ...create, operation: 'createOrGet', name: 'Ada' };
	const byEmail = { ...ensure, matchOn: 'email', email: '=n{{ $itemIndex }}@x.example' };

	async function expectRefused(parameters: INodeParameters, kind: string, which: RegExp) {
		const cells = readLines('readings.tsv').filter(([of, why]) => of === kind && which.test(why));
		const items: IDataObject[] = cells.map(([, , text]) => ({ cell: text }));
		const { told } = await setup.send(parameters, items);
		expect(told).toEqual(cells.map(() => expect.any(String) as unknown));
		expect(setup.received).toEqual([]);
	}

	test.each(identities)('looks for nobody by a %s that cannot be used', async (kind, field) => {
		const given = { ...ensure, matchOn: field, [field]: cell };
		await expectRefused(given, kind, /^(?:absent|unreadable|several)$/);
	});

	test.each(identities.slice(1))('creates nobody with such a %s', async (kind, field) => {
		const given = { ...byEmail, additionalFields: { [field]: cell } };
		await expectRefused(given, kind, /^(?:unreadable|several)$/);
	});
});
