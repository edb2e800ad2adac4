import {
	contactChecks,
	identityChecks,
	newPersonChecks,
} from '../../../nodes/PageAudience/resources/contactFields.ts';

type Field = keyof typeof newPersonChecks;
const fields: Field[] = ['domain', 'email', 'linkedinProfileUrl', 'phoneNumber'];

test.each(fields)('%s loses the spaces and invisible characters around it', (field) => {
	const value = 'linkedin.com/in/ann';
	expect(contactChecks[field](` \u200b${value}\n`)).toBe(value);
	expect(newPersonChecks[field](' \u200b')).toBe('');
});

test.each<[field: Field, given: string]>([
	['domain', ' a.example '],
	['email', ' ann@x\u200b'],
	['linkedinProfileUrl', '\u200bhttps://www.linkedin.com/in/ann '],
	['phoneNumber', ' call me '],
])('of a new person, the %s %j is accepted', (field, given) => {
	expect(newPersonChecks[field](given)).toBe(given.replace(/[\s\u200b]+$|^[\s\u200b]+/g, ''));
});

test.each(['acme', 'b c@a.example'])('of a new person, the domain %j is refused', (given) => {
	expect(() => newPersonChecks.domain(` ${given} `)).toThrow(
		new Error(`must be a domain such as "example.com", but is "${given}"`),
	);
});

const addresses = [
	...['ann@x', "o'brien+crm@mail.example", '"ann@home"@a.example', 'иван@почта.example'],
	...['1/2@a.example', 'ann@[192.0.2.1]', 'ann@a-b.example'],
];
const noAddresses = [
	...['ann', '@', 'ann@', '@a.example', 'n/a@', '-@-', '-@a.example', 'ann@-', 'n/a@n/a'],
	...['a@b@c', 'ann@x ben@x', 'ann@x;ben@x', 'ann@x,ben@x', 'ann@x }}', '{ann@x', 'ann@x}'],
	...['mailto:ann@x', '<ann@x>', 'Ann\n<ann@x>', '"@a.example'],
];

test.each(['', ...addresses])('the email address %j is accepted', (given) => {
	expect(newPersonChecks.email(` ${given}\u200b`)).toBe(given);
});

test.each(noAddresses)('the email address %j is refused', (given) => {
	expect(() => newPersonChecks.email(` ${given} `)).toThrow('must be an email address, but is ');
});

test.each([
	...['linkedin.com/in/ann', 'http://de.linkedin.com/IN/ann/?trk=1', 'linkedin.com/pub/ann/1/2/3'],
	...['https://www.linkedin.com/sales/lead/ACw,name', 'linkedin.com/sales/people/ACw'],
	...['https://www.linkedin.com/talent/profile/ACw', 'linkedin.com/mwlite/in/ann'],
	...['https://www.linkedin.com/comm/in/ann', 'linkedin.com//in/ann', 'linkedin.com/in//ann'],
	...['https://lnkd.in/abc', 'www.linkedin.cn/in/ann'],
])('the profile %j is accepted', (given) => {
	expect(newPersonChecks.linkedinProfileUrl(` ${given} `)).toBe(given);
	expect(identityChecks.linkedinProfileUrl(` ${given} `)).toBe(given);
});

const refusal = (given: string) =>
	new Error(`must be the URL of a LinkedIn profile, but is "${given}"`);

test.each([
	...[
		'linkedin.com',
		'linkedin.com/in/',
		'https://www.linkedin.com/company/acme',
		'linkedin.com/feed/',
	],
	...['linkedin.com/school/mit', 'linkedin.com/jobs/view/1', 'linkedin.com/profile/view?id=1'],
])('the profile %j is refused', (given) => {
	expect(() => newPersonChecks.linkedinProfileUrl(` ${given} `)).toThrow(refusal(given));
	expect(() => identityChecks.linkedinProfileUrl(` ${given} `)).toThrow(refusal(given));
});

test.each([
	'n/a',
	'-',
	'none',
	'ann',
	'N.A.',
	'N.A./n.a.',
	'k.A./-',
	'./.',
	'tel.:n/a',
	'a.example',
	'https://a.example/',
	'not on LinkedIn',
])('nobody is looked for by the profile %j', (given) => {
	expect(newPersonChecks.linkedinProfileUrl(` ${given} `)).toBe(given);
	expect(() => identityChecks.linkedinProfileUrl(` ${given} `)).toThrow(refusal(given));
});

test.each(['+49 30 1', '030 12', 'Tel. 030/1234567', '', '12345'])(
	'somebody is looked for by the phone number %j',
	(given) => expect(identityChecks.phoneNumber(` ${given} `)).toBe(given),
);

test.each(['n/a', '-', 'call me', '1234', '+ (0)', '+49 (0) 3', '1-800-FLOWERS'])(
	'nobody is looked for by the phone number %j',
	(given) => {
		expect(newPersonChecks.phoneNumber(` ${given} `)).toBe(given);
		expect(() => identityChecks.phoneNumber(` ${given} `)).toThrow(
			new Error(`must have at least 5 digits, but is "${given}"`),
		);
	},
);
