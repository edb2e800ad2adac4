import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { setUpActionNode } from './actionNodeSetup.mts';
import { detectBy, onlyNewOrChanged, requestLimits } from '../groups.mts';

/*
 * What people, forms, CRMs and spreadsheets have in a contact, in each operation that takes it. All that each value can be
 * is in test/unit/cells/readings.test.mts; blank ones, and words for nothing, are in nothing.
 */

const setup = setUpActionNode();
const onError = 'continueErrorOutput';

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
async function send(parameters: INodeParameters, items: IDataObject[]) {
	setup.sandbox.requests.length = 0;
	const own = parameters.options as INodeParameters | undefined;
	const given = { ...parameters, options: { ...requestLimits({ concurrency: 1 }), ...own } };
	const { errors } = await setup.run(given, items, { onError });
	const written = setup.sandbox.requests.filter(({ method }) => method === 'POST');
	return {
		sent: written.map(({ body }) => {
			const { source, type, payload, ...values } = body as IDataObject;
			return values;
		}),
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

	test('leaves out what cannot be read beside a value that identifies the person, and tells it once', async () => {
		const items = [
			{ email: 'ada@alpha.example', phone: 'asdf', linkedin: 'linkedin', name: 'x'.repeat(300) },
			{ email: 'not an address', phone: '+49 30 1234567' },
			{ email: 'bob@beta.example', phone: '1-800-FLOWERS' },
			{ phone: '12', email: 'ada@' },
		];
		const { output, errors, hints } = await setup.run(log, items, { onError });
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
		const report = await setup.run({ ...log, options: { report: true } }, items, { onError });
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

/* An export of 200 contacts as five tools write it, of which a third has dirt. */

interface Contact {
	name: string;
	email: string;
	phone: string;
	linkedin: string;
	domain: string;
}

const first = 'Ada, Zoë, Jürgen, María José, Łukasz, Иван, Nada, Ng, Jennifer, 伟'.split(', ');
const last = "O'Brien, Müller, Null, de Vries, Kowalczyk, Берг, Ünal, Li, Test, 王".split(', ');
const company = 'stripe.com, telstra.com, 163.com, acme.photography, bmw.de, x.com'.split(', ');

const makeContact = (n: number): Contact => ({
	name: `${first[n % 10]} ${last[Math.floor(n / 10) % 10]}`,
	email: `${['ada', "o'brien", 'info', 'x', 'na.li'][n % 5]}.${n}@${company[n % 6]}`,
	phone: `+49 30 ${2_345_600 + n}`,
	linkedin: `https://www.linkedin.com/in/${['ada', 'nada', 'no-name', 'andr%C3%A9'][n % 4]}-${n}`,
	domain: company[n % 6],
});

const toEntities = (text: string) =>
	text.replace(/'/g, '&#039;').replace(/[^\0-\x7f]/gu, (sign) => `&#${sign.codePointAt(0)};`);
const misread = (text: string) => new TextDecoder('windows-1252').decode(Buffer.from(text));

/** What each tool does to a contact, one sort of dirt for each contact that has some. */
const tools: Record<string, Array<(contact: Contact) => Partial<Contact>>> = {
	Excel: [
		({ email }) => ({ email: `${email}\u00a0`, phone: '#N/A' }),
		({ phone, linkedin }) => ({ phone: `${phone}_x000D_`, linkedin: `${linkedin}\n` }),
		({ name }) => ({ name: /[^\0-\xff]/.test(name) ? name : misread(name) }),
	],
	HubSpot: [
		({ email }) => ({ email: `${email}; ${email.toUpperCase()}`, domain: 'gmail.com' }),
		({ linkedin }) => ({ linkedin: `${linkedin}/?trk=people-guest`, phone: '--' }),
		({ phone }) => ({ phone: phone.replace('+49 ', '+49 (0)') }),
	],
	WordPress: [
		({ name }) => ({ name: toEntities(name), phone: 'k. A.' }),
		({ name, domain }) => ({ name: `<b>${name}</b>`, domain: `https://www.${domain}/?a=1` }),
		({ email }) => ({ email: `<a href="mailto:${email}">mail</a>`, linkedin: '{{linkedin}}' }),
	],
	Outlook: [
		({ name, email }) => ({ email: `"${name}" <${email}>` }),
		({ email, phone }) => ({ email: `SMTP:${email}`, phone: `tel:${phone.replace(/ /g, '-')}` }),
		({ phone }) => ({ phone: `(work) ${phone}`, domain: 'localhost' }),
	],
	'Google Contacts': [
		({ email, phone }) => ({ email: `${email} ::: ${email}`, phone: `${phone} ::: ${phone}` }),
		({ phone }) => ({ phone: `\u202a${phone}\u202c`, domain: 'n/a' }),
		({ name, linkedin }) => ({
			name: ` ${name}  `,
			linkedin: linkedin.replace('https://www.', ''),
		}),
	],
};

const dirt = Object.values(tools).flat();

const contacts = Array.from({ length: 200 }, (_, n) => makeContact(n));
const rows = contacts.map((contact, n) =>
	n % 20 < 7 ? { ...contact, ...dirt[Math.floor(n / 20 + n) % dirt.length](contact) } : contact,
);

test('an export with dirt loses nobody, mistakes nobody, and refuses nobody', async () => {
	const { output, errors } = await setup.run(
		{
			...{ resource: 'person', operation: 'create', name: '={{ $json.name }}' },
			additionalFields: {
				...{ email: '={{ $json.email }}', phoneNumber: '={{ $json.phone }}' },
				...{ linkedinProfileUrl: '={{ $json.linkedin }}', domain: '={{ $json.domain }}' },
			},
			options: requestLimits({ concurrency: 1 }),
		},
		rows as unknown as IDataObject[],
		{ onError },
	);
	expect(errors).toEqual([]);
	expect(output).toHaveLength(200);
	const sent = setup.sandbox.requests.map(({ body }) => body as IDataObject);
	const wanted = contacts.map(({ name, email, phone, linkedin, domain }) => ({
		...{ name, email, domain, linkedinProfileUrl: linkedin },
		phoneNumber: phone.replace(/ /g, ''),
	}));
	// A value that says nothing, or is no company's domain, is left out, and nothing else changes.
	for (const [n, body] of sent.entries()) expect(wanted[n]).toMatchObject(body);
	const missing = rows.filter(({ phone, linkedin, domain }) =>
		/^(?:#N\/A|--|k\. A\.|\{\{linkedin\}\}|gmail\.com|localhost|n\/a)$/m.test(
			[phone, linkedin, domain].join('\n'),
		),
	);
	expect(output.filter(({ json }) => json.leftOut !== undefined)).toHaveLength(missing.length);
});
