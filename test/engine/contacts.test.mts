import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Run } from './engine.mts';
import { setUpActionNode } from './actionNodeSetup.mts';
import { detectBy, onlyNewOrChanged, requestLimits } from '../groups.mts';

/*
 * What people, forms, CRMs and spreadsheets have in a contact, in each operation that takes it. All that each value can be
 * is in test/unit/cells/readings.test.mts.
 */

const setup = setUpActionNode();

const person = {
	email: '={{ $json.email }}',
	linkedinProfileUrl: '={{ $json.linkedin }}',
	phoneNumber: '={{ $json.phone }}',
};
const { email, ...others } = person;
const named = { resource: 'person', name: '={{ $json.name ?? "Ada" }}' };
const create = { ...named, operation: 'create', additionalFields: person };
const createOrGet = { ...named, ...person, operation: 'createOrGet' };
const byEmail = { ...createOrGet, email: '={{ $json.match }}', additionalFields: others };
const byPhone = { ...createOrGet, matchOn: 'phoneNumber' };
const byLinkedin = { ...createOrGet, matchOn: 'linkedinProfileUrl' };
const log = {
	resource: 'personLog',
	operation: 'create',
	source: 'crm',
	options: detectBy('none'),
	person: { ...person, name: '={{ $json.name }}' },
};

/** What is written, without what is the same in all entries, and the messages of the items that fail. */
async function send(parameters: INodeParameters, items: IDataObject[], more: Partial<Run> = {}) {
	setup.sandbox.requests.length = 0;
	const own = parameters.options as INodeParameters | undefined;
	const given = { ...parameters, options: { ...requestLimits({ concurrency: 1 }), ...own } };
	const run: Partial<Run> = { onError: 'continueErrorOutput', ...more };
	const { output, errors } = await setup.run(given, items, run);
	const written = setup.sandbox.requests.filter(({ method }) => method === 'POST');
	return {
		sent: written.map(({ body }) => {
			const { source, type, payload, ...values } = body as IDataObject;
			return values;
		}),
		outcomes: output.map(({ json }) => json.outcome),
		errors: errors.map(({ json }) => String(json.error)),
	};
}

describe('a log', () => {
	test('is not written for whoever has nothing but placeholders, which are named', async () => {
		const items = [
			{ phone: '+43', email: '' },
			{ phone: 'none', email: 'k.A.', linkedin: 'https://linkedin.com/in/undefined' },
			{ name: 'Ada', email: ' ' },
			{ phone: '+49 30 1234567' },
		];
		const { sent, errors } = await send(log, items);
		expect(sent).toEqual([{ phoneNumber: '+49301234567' }]);
		expect(errors).toEqual([
			'Person has no usable email, phone number or LinkedIn URL: Phone Number is "+43", which says that there is none. To send it anyway, turn on Options > Send As Is [item 0]',
			'Person has no usable email, phone number or LinkedIn URL: Email is "k.A.", which says that there is none, LinkedIn Profile URL is "https://linkedin.com/in/undefined", which says that there is none, Phone Number is "none", which says that there is none. To send it anyway, turn on Options > Send As Is [item 1]',
			"Person needs an email, phone number, LinkedIn URL or person ID. Otherwise, the entry isn't linked to anyone [item 2]",
		]);
	});

	test('leaves out placeholders and blank names beside a value that identifies the person', async () => {
		const items = [
			{ phone: 'none', email: 'Ada Berg <ada@alpha.example>', name: ' ' },
			{ phone: '+49 30 1234567', email: 'n/a', name: 'undefined undefined' },
			{ phone: '-', linkedin: 'linkedin.com/in/ada', email: null, name: 'Ada ' },
		];
		const { sent, errors } = await send(log, items);
		expect(errors).toEqual([]);
		expect(sent).toEqual([
			{ email: 'ada@alpha.example' },
			{ phoneNumber: '+49301234567' },
			{ linkedinProfileUrl: 'https://www.linkedin.com/in/ada', name: 'Ada' },
		]);
	});

	test('leaves out what cannot be read beside a value that identifies the person, and tells it once', async () => {
		const items = [
			{ email: 'ada@alpha.example', phone: 'asdf', linkedin: 'linkedin', name: 'x'.repeat(300) },
			{ email: 'not an address', phone: '+49 30 1234567' },
			{ email: 'bob@beta.example', phone: '1-800-FLOWERS' },
			{ phone: '12', email: 'ada@' },
		];
		const { output, errors, hints } = await setup.run(log, items, {
			onError: 'continueErrorOutput',
		});
		expect(output.map(({ json }) => json.leftOut)).toEqual([
			['linkedinProfileUrl', 'name', 'phoneNumber'],
			['email'],
			['phoneNumber'],
		]);
		expect(errors).toHaveLength(1);
		expect(hints).toEqual(
			expect.arrayContaining([
				'Person > Email of 1 item was left out: must be an email address, but is "not an address" [item 1, counted from 0]',
				'Person > Phone Number of 2 items was left out: is "asdf", which says that there is none; must be one phone number that can be dialed, without other text, but is "1-800-FLOWERS" [items 0 and 2, counted from 0]',
			]),
		);
		const report = await setup.run({ ...log, options: { report: true } }, items, {
			onError: 'continueErrorOutput',
		});
		expect(report.output[0]?.json).toMatchObject({ written: 3, failed: 1, leftOut: 3 });
	});

	test('of a sync has the key of what is sent, so that a later night skips it', async () => {
		const sync = {
			...log,
			person: { ...person },
			// What is sent, not the whole contact with what was left out.
			payloadMode: 'json',
			options: onlyNewOrChanged('={{ $json.id }}'),
		};
		const night = (phone: string) => [
			{ id: '1', email: 'ada@alpha.example', phone },
			{ id: '2', email: 'bob@beta.example', phone: '+49 30 1234567' },
		];
		const first = await send(sync, night('asdf'));
		expect(first.sent).toHaveLength(2);
		expect(first.sent[0]).not.toHaveProperty('phoneNumber');
		expect((await send(sync, night('call me'))).sent).toEqual([]);
		expect((await send(sync, night('+49 30 7654321'))).sent).toMatchObject([
			{ email: 'ada@alpha.example', phoneNumber: '+49307654321' },
		]);
	});
});

test.each<[field: string, value: string, problem: string, operations: INodeParameters[]]>([
	['phone', '4.93012E+11', 'which a spreadsheet has rounded', [create, log, byEmail, byPhone]],
	['linkedin', 'linkedin.com/company/acme', 'must be the URL', [create, log, byEmail, byLinkedin]],
	['email', 'ada@a.example; bob@b.example', 'but has several', [create, log]],
])('the %s %j is refused by every operation', async (field, value, problem, operations) => {
	for (const [index, each] of operations.entries()) {
		setup.sandbox.reset();
		// Nobody whom the operation before has just created.
		const good = {
			email: `ada.${field}${index}@alpha.example`,
			phone: `+49 30 12345${field.length}${index}`,
			linkedin: `linkedin.com/in/ada-${field}-${index}`,
		};
		const items = [
			{ [field]: value, match: 'bob@beta.example' },
			{ ...good, match: good.email },
		];
		const { sent, errors } = await send(each, items);
		expect(errors).toEqual([expect.stringContaining(problem)]);
		expect(sent).toHaveLength(1);
	}
});

test.each([false, true])(
	'a person is created without what says nothing, but not without a name (in a tool: %p)',
	async (asTool) => {
		const items = [
			{ phone: 'N/A', match: `bob.${asTool}@beta.example` },
			{ linkedin: 'keine Angabe', match: `eve.${asTool}@beta.example` },
			{ name: 'undefined undefined', match: 'zoe@beta.example' },
			{ match: `ada.${asTool}@alpha.example`, email: '', phone: null },
		];
		const wayOut = asTool ? '' : '. To send it anyway, turn on Options > Send As Is';
		const errors = [
			`Name is "undefined undefined", which says that there is none${wayOut} [item 2]`,
		];
		const created = await send(create, items, { asTool });
		expect(created).toMatchObject({ sent: items.slice(1).map(() => ({ name: 'Ada' })), errors });
		expect(JSON.stringify(created.sent)).not.toMatch(/phone|linkedin/i);
		const ensured = await send(byEmail, items, { asTool });
		const sent = [items[0], items[1], items[3]].map(({ match }) => ({ name: 'Ada', email: match }));
		expect(ensured).toMatchObject({ sent, errors });
	},
);

test('one person has one profile, however its URL is written', async () => {
	const items = [
		'in/ada-berg',
		'comm/in/Ada-Berg?trk=x',
		'sales/lead/ACwAAA1,NAME_SEARCH,ab12',
		'sales/lead/ACwAAA1,NAME_SEARCH,zz99',
		'sales/lead/ACwAAa1,NAME_SEARCH,ab12',
	].map((path) => ({ linkedin: `https://www.linkedin.com/${path}` }));
	const { outcomes } = await send(byLinkedin, items);
	expect(outcomes).toEqual(['created', 'found', 'created', 'found', 'created']);
	// The next night, in other spellings.
	const again = await send(byLinkedin, items.reverse());
	expect(again.outcomes).toEqual(items.map(() => 'found'));
});

test('an account is not the mail provider of its people', async () => {
	const items = [
		{ domain: 'ada@gmail.com', name: 'Berg Consulting' },
		{ domain: 'Ada@Alpha.example', name: 'Alpha ' },
	];
	const account = { resource: 'account', domain: '={{ $json.domain }}' };
	const name = '={{ $json.name }}';
	for (const each of [
		{ ...account, operation: 'upsert', name },
		{ ...account, operation: 'create', additionalFields: { name } },
	]) {
		setup.sandbox.reset();
		const { sent, errors } = await send(each, items);
		expect(errors).toEqual([
			`Domain is "ada@gmail.com", where everyone can have a mailbox. Enter the company's own domain. To send it anyway, turn on Options > Send As Is [item 0]`,
		]);
		expect(sent).toEqual([{ domain: 'alpha.example', name: 'Alpha' }]);
	}
});
