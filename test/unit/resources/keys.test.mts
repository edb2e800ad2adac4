import { createHash } from 'node:crypto';
import { hashContent } from '../../../nodes/runtime/canonical.ts';
import { listIdentityKeys } from '../../../nodes/PageAudience/resources/contactFields.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const parse = (text: string): unknown => JSON.parse(text);

describe('a key from content', () => {
	test.each<[what: string, content: unknown, canonical: string]>([
		['names in their order', { b: 1, a: [{ d: 1, c: 2 }] }, '{"a":[{"c":2,"d":1}],"b":1}'],
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
});

test('a person is named by field and value, and nobody without a value', () => {
	const linkedinProfileUrl = 'https://www.linkedin.com/in/Ann/';
	const person = { phoneNumber: '030 1234567', email: 'Ann@Example.com', linkedinProfileUrl };
	const phone = 'phoneNumber 0301234567';
	const keys = ['email ann@example.com', 'linkedinProfileUrl ann', phone];
	expect(listIdentityKeys(person)).toEqual(keys);
	expect(listIdentityKeys(person, ['phoneNumber'])).toEqual([phone]);
	expect(listIdentityKeys({ email: '', phoneNumber: undefined })).toEqual([]);
	expect(listIdentityKeys({ email: '\u200b' })).toEqual([]);
});
