import { readLines } from '../../truth/truth.mts';
import { type Kind, readCell, readers } from './readers.mts';

/* The cells are in test/truth. What programs put around a value is in noise.mts. */

const kinds = Object.keys(readers) as Kind[];
const readings = readLines('readings.tsv');
const spellings = readLines('spellings.tsv');

test.each(kinds)('what people have as a %s is read, or refused', (kind) => {
	const own = readings.filter(([of]) => of === kind);
	expect(own.map(([, , cell]) => [kind, readCell(kind, cell).sent, cell])).toEqual(own);
});

test.each(kinds)('each %s has one identity in all its spellings, and no other has it', (kind) => {
	const own = spellings.filter(([of]) => of === kind);
	const identityOf = (text: string) => {
		const { sent, identity } = readCell(kind, text);
		expect({ text, sent, identity }).toEqual({ text, sent, identity: expect.any(String) });
		return identity;
	};
	const valueOf = new Map(own.map(([, value]) => [identityOf(value), value]));
	expect(own.map(([, , text]) => [kind, valueOf.get(identityOf(text)), text])).toEqual(own);
});

type Row = [kind: Kind, cell: string, refusal: string];
const oneSign = '1'.repeat(10_001);

test.each<Row>([
	...(['phone', 'email', 'profile', 'domain'] as const).map(
		(kind): Row => [kind, oneSign, 'tooLong'],
	),
	['phone', '12'.repeat(101), 'unreadable'],
	['name', '😀'.repeat(256), 'tooLong'],
	['domain', `${'a'.repeat(64)}.example`, 'unreadable'],
	['domain', `${'é'.repeat(63)}.example`, 'unreadable'],
	['domain', `${'a.'.repeat(124)}example`, 'unreadable'],
])('no %s is endless: %.20s', (kind, cell, refusal) => {
	expect(readCell(kind, cell).sent).toBe(refusal);
});

test.each(kinds)('a blank %s is none', (kind) => {
	for (const blank of ['', ' ', '\n\u00a0', '\u200b\ufeff'])
		expect(readers[kind](blank)).toBeUndefined();
});
