import { createHash } from 'node:crypto';
import { hashContent } from '../../../nodes/runtime/canonical.ts';
import { expectLinear } from '../growth.mts';
import { listIdentityKeys } from '../../../nodes/PageAudience/resources/identity.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const parse = (text: string): unknown => JSON.parse(text);

describe('a key from content', () => {
	test.each<[what: string, content: unknown, canonical: string]>([
		[
			'members in order of their names',
			{ b: 1, a: [{ d: 1, c: 2 }] },
			'{"a":[{"c":2,"d":1}],"b":1}',
		],
		['lists keep their order', [2, 1], '[2,1]'],
		['undefined is not there', { a: undefined, b: null }, '{"b":null}'],
		['numbers', { a: 1.0, b: -0, c: 1e21 }, '{"a":1,"b":0,"c":1e+21}'],
		['dates as they are sent', { at: new Date(0) }, '{"at":"1970-01-01T00:00:00.000Z"}'],
		['capitals before small letters', { a: 1, B: 2, _: 3 }, '{"B":2,"_":3,"a":1}'],
		['an own __proto__', parse('{"b":1,"__proto__":2}'), '{"__proto__":2,"b":1}'],
		['odd names', parse('{"toString":1,"constructor":2}'), '{"constructor":2,"toString":1}'],
		['emoji', { '😀': '😀' }, '{"😀":"😀"}'],
		['half an emoji', { a: '\ud83d' }, '{"a":"\\ud83d"}'],
	])('%s', (_, content, canonical) => {
		expect(hashContent(content)).toBe(sha256(canonical));
	});

	test('differs when the content differs', () => {
		const contents = [{ a: 1 }, { a: '1' }, { a: [1] }, { a: null }, {}, { b: 1 }, { a: { b: 1 } }];
		expect(new Set(contents.map(hashContent)).size).toBe(contents.length);
	});

	test('keeps to the documented length', () => {
		expect(hashContent({ a: 'x'.repeat(1_000_000) })).toMatch(/^[0-9a-f]{64}$/);
	});
});

describe('the same person', () => {
	test.each<[a: object, b: object]>([
		[{ email: 'Ann@Example.com' }, { email: 'ann@example.com' }],
		[{ phoneNumber: '+49 30 / 12-34' }, { phoneNumber: '+49301234' }],
		[
			{ linkedinProfileUrl: 'https://www.linkedin.com/in/ann/' },
			{ linkedinProfileUrl: 'http://linkedin.com/in/Ann?x=1' },
		],
		[
			{ linkedinProfileUrl: 'https://m.de.linkedin.com/in/ann%C3%A9//#about' },
			{ linkedinProfileUrl: 'linkedin.com/in/anné' },
		],
		[
			{ linkedinProfileUrl: 'linkedin.com/in/%41nn%2Dlee' },
			{ linkedinProfileUrl: 'linkedin.com/in/ann-lee' },
		],
		[
			{ linkedinProfileUrl: 'https://www.a.example/linkedin.com/in/' },
			{ linkedinProfileUrl: 'a.example/linkedin.com/in' },
		],
		[
			{ linkedinProfileUrl: 'linkedin.com/in/10%E2%82%AC-ann-%F0%9F%98%80' },
			{ linkedinProfileUrl: 'linkedin.com/in/10€-ann-😀' },
		],
		[{ phoneNumber: '+49 (0)30 1234567' }, { phoneNumber: '+49301234567' }],
		[{ phoneNumber: '030 123' }, { phoneNumber: '(030) 1-2-3' }],
		[{ phoneNumber: 'Tel. 030 1234567' }, { phoneNumber: '030 1234567' }],
		[{ phoneNumber: '030 1234567 (work)' }, { phoneNumber: '030 1234567 mobil' }],
		[{ phoneNumber: '030 123 (work)' }, { phoneNumber: 'Tel.: 030/123' }],
		[{ phoneNumber: 'tel:+49307654321' }, { phoneNumber: '+49 30 7654321 (Büro)' }],
		[{ phoneNumber: '(+49) 30 7654321' }, { phoneNumber: '+49 (0)30 7654321' }],
		[{ phoneNumber: '+49 (0)30 12' }, { phoneNumber: '+493012' }],
		[{ phoneNumber: '+49 030 12' }, { phoneNumber: '+49 30 12' }],
		[{ phoneNumber: '+49 030 1234567' }, { phoneNumber: '+49 30 1234567' }],
		[{ phoneNumber: 'Tel. ext. 12' }, { phoneNumber: '12' }],
		[{ phoneNumber: '030 #12 34567' }, { phoneNumber: '030 1234567' }],
		[{ phoneNumber: '030 1234567 ext. 12' }, { phoneNumber: '030/1234567 x12' }],
		[{ phoneNumber: '030 1234567 (DW: 12)' }, { phoneNumber: '0301234567 Durchwahl 12' }],
		[{ phoneNumber: 'tel:+49307654321;ext=12' }, { phoneNumber: '+49 30 7654321 #12' }],
		[{ phoneNumber: '+34 (0) 612 345 678' }, { phoneNumber: '+34 612 345 678' }],
		[{ phoneNumber: '+1 ( 0 ) 415 555 2671' }, { phoneNumber: '+1 415 555 2671' }],
		[{ phoneNumber: '０３０ ７６５４３２１' }, { phoneNumber: '030 7654321' }],
		[{ phoneNumber: '＋４９（０）３０ ７６５４３２１' }, { phoneNumber: '+49 30 7654321' }],
		[{ phoneNumber: '+٤٩ ٣٠ ٧٦٥٤٣٢١' }, { phoneNumber: '\u202a+49 30 7654321\u202c' }],
		[{ phoneNumber: '۰۳۰ ۱۲۳۴' }, { phoneNumber: '030 1234' }],
		[{ email: ' Ann@Example.com ' }, { email: 'ANN@example.com' }],
		[{ email: '\u200b\ufeffann@example.com\u200f ' }, { email: 'ann@example.com' }],
	])('%j and %j', (a, b) => {
		expect(listIdentityKeys(a)).toEqual(listIdentityKeys(b));
		expect(listIdentityKeys(a)).toHaveLength(1);
	});

	test.each<[a: object, b: object]>([
		[{ phoneNumber: '030 123' }, { phoneNumber: '+49 30 123' }],
		[{ phoneNumber: '4930123' }, { phoneNumber: '+4930123' }],
		[{ phoneNumber: '+49 30 1234567' }, { phoneNumber: '+49 30 1234568' }],
		[{ phoneNumber: '+49 30 1234567 ext. 1' }, { phoneNumber: '+49 30 1234567 ext. 2' }],
		[{ phoneNumber: '030 1234567 DW 1' }, { phoneNumber: '030 1234567' }],
		[
			{ linkedinProfileUrl: 'https://www.linkedin.com/in/ann' },
			{ linkedinProfileUrl: 'https://www.linkedin.com/company/ann' },
		],
		[{ phoneNumber: '(0) 612 345 678' }, { phoneNumber: '612 345 678' }],
		[
			{ linkedinProfileUrl: 'linkedin.com/in/http://ann' },
			{ linkedinProfileUrl: 'linkedin.com/in/ann' },
		],
		[
			{ linkedinProfileUrl: 'linkedin.com/in/www.ann' },
			{ linkedinProfileUrl: 'linkedin.com/in/ann' },
		],
		[
			{ linkedinProfileUrl: 'a.example/de.linkedin.com/in/ann' },
			{ linkedinProfileUrl: 'a.example/linkedin.com/in/ann' },
		],
		[
			{ linkedinProfileUrl: 'a.example/de.linkedin.com/in/ann' },
			{ linkedinProfileUrl: 'linkedin.com/in/ann' },
		],
		[{ email: 'ann+1@example.com' }, { email: 'ann@example.com' }],
		[{ email: 'straße@example.com' }, { email: 'strasse@example.com' }],
	])('is neither %j nor %j for the other', (a, b) => {
		expect(listIdentityKeys(a)).not.toEqual(listIdentityKeys(b));
	});

	test.each(['x', 'x1', 'x1 ', 'ext ', '(', '(a', '1(', '#', '+', 'é'])(
		'is told from a long phone number of %j in time that grows with its length',
		(part) => {
			const make = (length: number) => {
				const phoneNumber = `1${part.repeat(length)}`;
				return () => listIdentityKeys({ phoneNumber });
			};
			expectLinear(make, 2_000);
		},
	);

	test('is named by field and value', () => {
		const person = {
			phoneNumber: '030 1234567',
			email: 'Ann@Example.com',
			linkedinProfileUrl: 'https://www.linkedin.com/in/Ann/',
		};
		expect(listIdentityKeys(person)).toEqual([
			'email ann@example.com',
			'linkedinProfileUrl linkedin.com/in/ann',
			'phoneNumber 0301234567',
		]);
		expect(listIdentityKeys(person, ['phoneNumber'])).toEqual(['phoneNumber 0301234567']);
	});

	test('keeps kinds of identifiers apart, and finds nobody in nothing', () => {
		expect(
			listIdentityKeys({ email: '1', phoneNumber: '1', linkedinProfileUrl: '1' }),
		).toHaveLength(3);
		expect(new Set(listIdentityKeys({ email: '1', phoneNumber: '1' })).size).toBe(2);
		expect(listIdentityKeys({})).toEqual([]);
		expect(listIdentityKeys({ email: '', phoneNumber: undefined })).toEqual([]);
		expect(listIdentityKeys({ email: ' ', phoneNumber: 'Tel. (unknown)' })).toEqual([]);
		expect(listIdentityKeys({ email: '\u200b', phoneNumber: '+ (0)' })).toEqual([]);
	});
});
