import { domainToASCII, domainToUnicode } from 'node:url';
import fc from 'fast-check';
import { writeUnicode } from '../../../nodes/cells/unicodeHost.ts';

const names = [
	['münchen.example', 'bücher.münchen.example', 'straße.example', 'παράδειγμα.example'],
	[
		'例え.テスト',
		'почта.рф',
		'مثال.example',
		'한국.example',
		'😀.example',
		'ü.example',
		'aüb-c.example',
	],
].flat();

test.each(names)('%s is written as people do', (name) => {
	const host = domainToASCII(name);
	expect(host).toMatch(/xn--/);
	expect(writeUnicode(host)).toBe(domainToUnicode(host));
	expect(writeUnicode(`ada@${host}`)).toBe(`ada@${domainToUnicode(host)}`);
});

test('every domain is written as Node.js writes it', () => {
	const label = fc.string({
		unit: fc.constantFrom(...'abc-9äßπжあ한😀'),
		minLength: 1,
		maxLength: 12,
	});
	const host = fc
		.array(label, { minLength: 1, maxLength: 3 })
		.map((labels) => domainToASCII([...labels, 'example'].join('.')));
	fc.assert(
		fc.property(host, (each) => {
			fc.pre(each !== '');
			expect(writeUnicode(each)).toBe(domainToUnicode(each));
		}),
	);
});

test.each([
	'xn--.example',
	'xn--zzzzzzzz99999999.example',
	'xn--a.example',
	'xn---.example',
	'example.com',
	'axn--mnchen-3ya.example',
	'',
])('%j stays as it is', (host) => {
	expect(writeUnicode(host)).toBe(host);
});
