import {
	contactChecks,
	newPersonChecks,
	warnOfDomain,
	warnOfEmail,
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

test.each<[field: Field, given: string, message: string]>([
	['domain', ' acme ', 'must be a domain such as "example.com", but is "acme"'],
	['domain', 'b c@a.example', 'must be a domain such as "example.com", but is "b c@a.example"'],
	['email', ' ann ', 'must be an email address, but is "ann"'],
	['email', 'ann@x }}', 'must be an email address, but is "ann@x }}"'],
	[
		'linkedinProfileUrl',
		' linkedin.com/in/ ',
		'must be the URL of a profile, but is "linkedin.com/in/"',
	],
])('of a new person, the %s %j is refused', (field, given, message) => {
	expect(() => newPersonChecks[field](given)).toThrow(new Error(message));
});

test.each([undefined, '', 'ann@x', '@'])(
	'nothing looks wrong about the email address %j',
	(value) => {
		expect(warnOfEmail(value)).toEqual([]);
	},
);

test.each(['ann', 'ann@x ben@x', '{ann@x', 'ann@x}', 'Ann\n<ann@x>'])(
	'the email address %j looks wrong',
	(value) => {
		expect(warnOfEmail(value)).toEqual(['Email is not an address such as "ada@example.com"']);
	},
);

test.each([undefined, '', 'a.b', 'example.com', 'www.a.example', 'bücher.example'])(
	'nothing looks wrong about the domain %j',
	(value) => {
		expect(warnOfDomain(value)).toEqual([]);
	},
);

test.each([
	...['example', '.example', 'a.', 'a b.example', ' a.example', 'a.example '],
	...['ann@a.example', '@a.example', 'a.b@c', 'https://a.example', 'a.example/x', 'a.example:8080'],
	...['a/b.example', ':a.example', '/a.example', 'a:b.example'],
])('the domain %j looks wrong', (value) => {
	expect(warnOfDomain(value)).toEqual(['Domain is not a domain such as "example.com"']);
});
