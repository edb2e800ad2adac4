import { readCompanyDomain, readDomain } from '../../../nodes/cells/domain.ts';
import { readEmail } from '../../../nodes/cells/email.ts';
import { readLinkedIn } from '../../../nodes/cells/linkedIn.ts';
import { readName } from '../../../nodes/cells/name.ts';
import { readPhone } from '../../../nodes/cells/phone.ts';
import { isValue, type Reader, type Reading } from '../../../nodes/cells/reading.ts';
import { readLines } from '../../truth/truth.mts';

/* The cells are in test/truth. What programs put around a value is in noise.mts. */

const readers: Record<string, Reader> = {
	phone: readPhone,
	email: readEmail,
	profile: readLinkedIn,
	domain: readDomain,
	company: readCompanyDomain,
	name: readName,
};
const kinds = Object.keys(readers);

/** What is sent, or why nothing is. */
const resultOf = (reading: Reading): string =>
	isValue(reading) ? reading.value : (reading?.refusal ?? 'blank');

const readings = readLines('readings.tsv');
const spellings = readLines('spellings.tsv');

test.each(kinds)('what people have as a %s is read, or refused', (kind) => {
	const own = readings.filter(([of]) => of === kind);
	expect(own.map(([, , cell]) => [kind, resultOf(readers[kind](cell)), cell])).toEqual(own);
});

test.each(kinds)('each %s has one identity in all its spellings, and no other has it', (kind) => {
	const own = spellings.filter(([of]) => of === kind);
	const identityOf = (text: string) => {
		const reading = readers[kind](text);
		expect({ text, ...reading }).toHaveProperty('identity');
		return isValue(reading) && reading.identity;
	};
	const valueOf = new Map(own.map(([, value]) => [identityOf(value), value]));
	expect(own.map(([, , text]) => [kind, valueOf.get(identityOf(text)), text])).toEqual(own);
});

const tooLong: Array<[kind: string, cell: string, refusal: string]> = [
	...['phone', 'email', 'profile', 'domain'].map((kind): [string, string, string] => [
		kind,
		'1'.repeat(10_001),
		'tooLong',
	]),
	['phone', '12'.repeat(101), 'unreadable'],
	['name', '😀'.repeat(256), 'tooLong'],
	['domain', `${'a'.repeat(64)}.example`, 'unreadable'],
	['domain', `${'é'.repeat(63)}.example`, 'unreadable'],
	['domain', `${'a.'.repeat(124)}example`, 'unreadable'],
];

test.each(tooLong)('no %s is endless: %.20s', (kind, cell, refusal) => {
	expect(resultOf(readers[kind](cell))).toBe(refusal);
});

test.each(kinds)('a blank %s is none', (kind) => {
	for (const blank of ['', ' ', '\n\u00a0', '\u200b\ufeff'])
		expect(readers[kind](blank)).toBeUndefined();
});
