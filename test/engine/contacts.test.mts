import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Run } from './engine.mts';
import { openStage } from './stage.mts';

/*
 * What people, forms, CRMs and spreadsheets have in a contact, in each operation that takes it. All that each value can be
 * is in test/unit/resources/contact.test.mts.
 */

const stage = openStage();

const person = {
	email: '={{ $json.email }}',
	linkedinProfileUrl: '={{ $json.linkedin }}',
	phoneNumber: '={{ $json.phone }}',
};
const named: INodeParameters = { resource: 'person', name: '={{ $json.name ?? "Ada" }}' };

const log: INodeParameters = {
	resource: 'personLog',
	operation: 'create',
	source: 'crm',
	idempotency: 'none',
	person: { ...person, name: '={{ $json.name }}' },
};
const create: INodeParameters = { ...named, operation: 'create', additionalFields: person };
const byName: INodeParameters = { ...create, additionalFields: {}, name: '={{ $json.name }}' };
const byEmail: INodeParameters = {
	...named,
	operation: 'createOrGet',
	matchOn: 'email',
	email: '={{ $json.match }}',
	additionalFields: {
		linkedinProfileUrl: person.linkedinProfileUrl,
		phoneNumber: person.phoneNumber,
	},
};
const byPhone: INodeParameters = {
	...byEmail,
	matchOn: 'phoneNumber',
	phoneNumber: person.phoneNumber,
	additionalFields: {},
};
const byLinkedin: INodeParameters = {
	...byEmail,
	matchOn: 'linkedinProfileUrl',
	linkedinProfileUrl: person.linkedinProfileUrl,
	additionalFields: {},
};
const account: INodeParameters = {
	resource: 'account',
	operation: 'upsert',
	domain: '={{ $json.domain }}',
	name: '={{ $json.name }}',
};

/** What is written, without what is the same in all entries, and the messages of the items that fail. */
async function send(parameters: INodeParameters, items: IDataObject[], more: Partial<Run> = {}) {
	stage.sandbox.requests.length = 0;
	const given = { options: { concurrency: 1 }, ...parameters };
	const { output, errors } = await stage.run(given, items, {
		onError: 'continueErrorOutput',
		...more,
	});
	const written = stage.sandbox.requests.filter(({ method }) => method === 'POST');
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
	test.each(['n/a', '() Not provided.', '-', '[Unknown]', '0000000000', '+43'])(
		'is not written for whoever has nothing but the phone number %j',
		async (phone) => {
			const items = [{ phone }, { phone, email: '' }, { phone: '+49 30 1234567' }];
			const problem = `Person has no valid identifier: Phone Number "${phone}" is a placeholder`;
			expect(await send(log, items)).toMatchObject({
				sent: [{ phoneNumber: '+49 30 1234567' }],
				errors: [`${problem} [item 0]`, `${problem} [item 1]`],
			});
		},
	);

	test('names each placeholder where there is no other identifier', async () => {
		const items = [
			{ phone: 'none', email: 'k.A.', linkedin: 'https://linkedin.com/in/undefined' },
			{ email: 'ada@a.example' },
		];
		expect((await send(log, items)).errors).toEqual([
			'Person has no valid identifier: Email "k.A." is a placeholder, LinkedIn Profile URL "https://linkedin.com/in/undefined" is a placeholder, Phone Number "none" is a placeholder [item 0]',
		]);
	});

	test('leaves out placeholders and blank names beside a value that identifies the person', async () => {
		const items = [
			{ phone: 'none', email: 'ada@alpha.example', name: ' ' },
			{ phone: '+49 30 1234567', email: 'n/a', name: 'undefined undefined' },
			{ phone: '-', linkedin: 'linkedin.com/in/ada', email: null, name: 'Ada ' },
		];
		expect(await send(log, items)).toMatchObject({
			sent: [
				{ email: 'ada@alpha.example' },
				{ phoneNumber: '+49 30 1234567' },
				{ linkedinProfileUrl: 'linkedin.com/in/ada', name: 'Ada' },
			],
			errors: [],
		});
		const { sent } = await send(log, items);
		expect(sent.map((values) => Object.keys(values).length)).toEqual([1, 1, 2]);
	});

	test('has the address of an email that was copied with more than it', async () => {
		const items = [{ email: 'Ada Berg <ada@alpha.example>' }, { email: 'mailto:bob@beta.example' }];
		expect((await send(log, items)).sent).toEqual([
			{ email: 'ada@alpha.example' },
			{ email: 'bob@beta.example' },
		]);
	});
});

const rounded = 'which a spreadsheet has rounded. Format its column as text, and export it again';

/** A value that no operation takes. */
test.each([
	['phone', '4.93012E+11', rounded],
	['phone', '4,93E+11', rounded],
	['phone', '+49 30 1234567 ::: +49 170 7654321', 'must be one phone number, but has several'],
	['phone', '030 1234567 / 0170 7654321', 'must be one phone number, but has several'],
	['phone', '+1 415 555 0100, +1 415 555 0101', 'must be one phone number, but has several'],
	['phone', '1-800-123-ABCD', 'must be a phone number without other text'],
	['linkedin', 'https://www.linkedin.com/company/acme', 'must be the URL of a LinkedIn profile'],
	['email', 'ada@a.example; bob@b.example', 'must be one email address, but has several'],
])('the %s %j is refused by every operation', async (field, value, problem) => {
	const good = {
		email: 'ada@alpha.example',
		phone: '+49 30 1234567',
		linkedin: 'linkedin.com/in/ada',
	};
	const operations =
		{
			phone: [create, log, byEmail, byPhone],
			linkedin: [create, log, byEmail, byLinkedin],
			email: [create, log],
		}[field] ?? [];
	for (const each of operations) {
		const items = [
			{ [field]: value, match: 'bob@beta.example' },
			{ ...good, match: good.email },
		];
		stage.sandbox.reset();
		const { sent, errors } = await send(each, items);
		expect(errors).toEqual([expect.stringContaining(problem)]);
		expect(sent).toHaveLength(1);
	}
	expect(operations.length).toBeGreaterThan(1);
});

test.each([
	'N/A',
	'-',
	'unknown',
	'TBD',
	'string',
	'null',
	'keine Angabe',
	'sin datos',
	'non renseigné',
])('nobody is created for good with %j', async (value) => {
	const fields = ['phone', 'linkedin'];
	const items = [
		...fields.map((field) => ({ [field]: value, match: 'bob@beta.example' })),
		{ match: 'ada@alpha.example', email: '', phone: null },
	];
	const refusals = ['Phone Number', 'LinkedIn Profile URL'].map(
		(label, item) => `Additional Fields > ${label} "${value}" is a placeholder [item ${item}]`,
	);
	for (const asTool of [false, true]) {
		stage.sandbox.reset();
		const created = await send(create, items, { asTool });
		expect(created).toMatchObject({ sent: [{ name: 'Ada' }], errors: refusals });
		const { sent, errors } = await send(byEmail, items, { asTool });
		expect({ sent, errors }).toEqual({
			sent: [{ name: 'Ada', email: 'ada@alpha.example' }],
			errors: refusals,
		});
	}
});

test.each(['string', 'null', 'undefined undefined', 'null null', 'Ada undefined'])(
	'nobody is created with the name %j',
	async (name) => {
		const { sent, errors } = await send(byName, [{ name }, { name: ' Ada  Null ' }]);
		expect(errors).toEqual([`Name "${name}" is a placeholder [item 0]`]);
		expect(sent).toEqual([{ name: 'Ada  Null' }]);
	},
);

test('one person has one profile, however its URL is written', async () => {
	const handles = [
		'in/ada-berg',
		'in/Ada-Berg/de',
		'comm/in/ada-berg?trk=x',
		'mwlite/in/ada-berg',
		'm/in/ada-berg/',
	];
	const pages = [
		'in/ada-berg/overlay/contact-info/',
		'in/ada-berg/recent-activity/all/',
		'in/ada-berg/details/experience/',
	];
	const leads = [
		'sales/lead/ACwAAA1,NAME_SEARCH,ab12',
		'sales/lead/ACwAAA1,NAME_SEARCH,zz99',
		'sales/lead/ACwAAa1,NAME_SEARCH,ab12',
	];
	const items = [...handles, ...pages, ...leads].map((path) => ({
		linkedin: `https://www.linkedin.com/${path}`,
	}));
	const { outcomes, sent } = await send(byLinkedin, items);
	expect(sent).toHaveLength(3);
	expect(outcomes).toEqual([
		'created',
		...Array<string>(7).fill('found'),
		'created',
		'found',
		'created',
	]);
	// The next night, in other spellings.
	expect((await send(byLinkedin, items.reverse())).outcomes).toEqual(
		Array(items.length).fill('found'),
	);
});

test('an account is not the mail provider of its people', async () => {
	const items = [
		{ domain: 'ada@gmail.com', name: 'Berg Consulting' },
		{ domain: 'https://www.GMX.de', name: 'Bob Ltd' },
		{ domain: 'Ada@Alpha.example', name: 'Alpha ' },
	];
	const create = { ...account, operation: 'create', additionalFields: { name: account.name } };
	for (const each of [account, create]) {
		const { sent, errors } = await send(each, items);
		expect(errors).toEqual([
			`Domain is "gmail.com", where everyone can have a mailbox. Enter the company's own domain [item 0]`,
			`Domain is "gmx.de", where everyone can have a mailbox. Enter the company's own domain [item 1]`,
		]);
		expect(sent).toEqual([{ domain: 'alpha.example', name: 'Alpha' }]);
		stage.sandbox.reset();
	}
});
