import { readDomain } from '../../../nodes/cells/domain.ts';
import { readEmail } from '../../../nodes/cells/email.ts';
import { readName } from '../../../nodes/cells/name.ts';
import { readPhone } from '../../../nodes/cells/phone.ts';
import type { Reader } from '../../../nodes/cells/reading.ts';

/* Real values that look like something else. Each goes out as it was typed. */

const domains = [
	// An ending of more than seven letters, and one in another script.
	...['acme.photography', 'x.technology', 'acme.international', 'acme.versicherung'],
	...['acme.cancerresearch', 'acme.xn--p1ai', 'acme.xn--vermgensberatung-pwb'],
	// Digits only.
	...['163.com', '126.com', '360.cn', '4.cn', '12306.cn', '9292.nl'],
];

const read: Record<string, [Reader, string[]]> = {
	domain: [readDomain, domains],
	'email address': [readEmail, domains.map((domain) => `info@${domain}`)],
	// 13 to 15 digits, with a country code and without.
	phone: [
		readPhone,
		[
			...['5511955550175', '8613812345678', '49151123456789', '431123456789012'],
			...['+5511955550175', '+49151123456789', '+431123456789012'],
		],
	],
	name: [readName, ['1984', '4711', '24/7', '7-Eleven', 'O’Neil / Partners', 'Müller/Meier']],
};

test.each(Object.entries(read))('a real %s goes out as it was typed', (_, [reader, values]) => {
	expect(values.map((value) => [value, reader(value)])).toEqual(
		values.map((value) => [value, expect.objectContaining({ value }) as unknown]),
	);
});
