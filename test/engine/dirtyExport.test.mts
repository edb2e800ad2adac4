import type { IDataObject } from 'n8n-workflow';
import { setUpActionNode } from './actionNodeSetup.mts';
import { requestLimits } from '../groups.mts';

/*
 * An export of 200 contacts as five tools write it, of which a third has dirt: each contact goes out, as the person who it is.
 */

const setup = setUpActionNode();

interface Contact {
	name: string;
	email: string;
	phone: string;
	linkedin: string;
	domain: string;
}

const first = [
	'Ada',
	'Zoë',
	'Jürgen',
	'María José',
	'Łukasz',
	'Иван',
	'Nada',
	'Ng',
	'Jennifer',
	'伟',
];
const last = [
	"O'Brien",
	'Müller',
	'Null',
	'de Vries',
	'Kowalczyk',
	'Берг',
	'Ünal',
	'Li',
	'Test',
	'王',
];
const company = [
	'stripe.com',
	'telstra.com',
	'163.com',
	'acme.photography',
	'bmw.de',
	'beer.example',
];

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
		{ onError: 'continueErrorOutput' },
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
