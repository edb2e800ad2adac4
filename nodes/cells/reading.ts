import { type Check, InvalidValueError, quote } from '../parameters/checks';
import { removeInvisible } from '../runtime/normalize';
import { isNothing } from './nothing';
import { fold, isPlain, unwrap } from './unwrap';

/**
 * What a cell says of a person or company: what to send with what is the same for each of its spellings, what is wrong with
 * it, or nothing if it is blank. What is sent and what is compared come from one reading, so they cannot differ.
 */
export type Reading =
	| { value: string; identity: string }
	| { problem: string; remedy?: string; isPlaceholder?: boolean }
	| undefined;

export type Found = Exclude<Reading, undefined>;

export type Reader = (cell: string) => Reading;

/** What differs between the kinds of values that identify a person or company. */
interface Kind {
	/** What messages call one value. */
	name: string;
	/** The values in a text, cut free from what cannot belong to them, and what only looks like one. */
	find: (text: string) => Found[];
	/** Why a text has no value. Follows the label. */
	explain: (text: string) => string;
}

/** Longer than every URL with what tracks it. */
const longestCell = 10_000;

/**
 * Reads a cell in four steps: it unwraps the text, lets `find` cut off what cannot belong to a value, recognizes what says
 * nothing, and takes the value if it is the only one.
 */
export function reader(kind: Kind): Reader {
	const read: Reader = (cell) => {
		if (cell.length > longestCell)
			return { problem: `has ${cell.length} characters, which is too long` };
		const { text: unwrapped, links, problem } = unwrap(cell);
		const text = fold(unwrapped);
		if (text === '' && links.length === 0)
			return removeInvisible(cell) === '' ? undefined : placeholder(cell);
		if (problem !== undefined) return { problem };
		// A plain text with a value does not say that there is none.
		if (!isPlain(text) && isNothing(text)) return placeholder(cell);
		const inText = kind.find(text);
		const found = inText.length > 0 ? inText : links.flatMap((link) => kind.find(fold(link)));
		const values = new Map(
			found.flatMap((each) => ('identity' in each ? [[each.identity, each] as const] : [])),
		);
		if (values.size > 1) return several(kind, cell, read);
		const [wrong] = found.filter((each) => 'problem' in each && !each.isPlaceholder);
		if (wrong) return wrong;
		const [value] = values.values();
		if (value) return value;
		const isNone = found.length > 0 || isNothing(text);
		return isNone ? placeholder(cell) : { problem: kind.explain(text) };
	};
	return read;
}

export function placeholder(cell: string): { problem: string; isPlaceholder: true } {
	return { problem: `${quote(cell.trim())} is a placeholder`, isPlaceholder: true };
}

/** A Cyrillic or Greek letter in a Latin word looks like it, and makes another address. */
export function mixesAlphabets(text: string): boolean {
	if (!lookalike.test(text)) return false;
	const words = text.match(/\p{L}+/gu) ?? [];
	return words.some((word) => /\p{Script=Latin}/u.test(word) && lookalike.test(word));
}

const lookalike = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;

export function describeMix(text: string): { problem: string } {
	return {
		problem: `mixes letters of two alphabets that look alike: ${quote(text)}. Type it again`,
	};
}

/** A Turkish i in capitals. Elsewhere, its small letter is another one, which would make another address. */
export const dottedCapital = /İ/;

const separators = /:::|[;|,/\n&]|\s(?:or|and|oder|und|ou|et|y|e|o|i|en)\s| {1,2}/g;

/** Advises how to take the first of several values only where that gives one. */
function several({ name }: Kind, cell: string, read: Reader): Reading {
	const isOne = (part: string) => {
		const reading = read(part);
		return reading !== undefined && 'value' in reading;
	};
	const between = [...new Set(cell.match(separators))]
		.slice(0, mostTried)
		.find((separator) => isOne(cell.split(separator)[0] ?? ''));
	const problem = `must be one ${name}, but has several: ${quote(cell)}`;
	if (between === undefined) return { problem };
	return { problem, remedy: `. Take the first one with .split(${JSON.stringify(between)})[0]` };
}

const mostTried = 10;

/** The reading as the check of a parameter. A blank cell is not sent. */
export function checkOf(read: Reader): Check {
	return (cell) => {
		const reading = read(cell);
		if (reading && 'problem' in reading)
			throw new InvalidValueError(reading.problem, reading.remedy);
		return reading?.value ?? '';
	};
}

/** What all spellings of a value share. @returns undefined for what identifies no one */
export function identityOf(read: Reader, stored: unknown): string | undefined {
	const reading = typeof stored === 'string' ? read(stored) : undefined;
	return reading && 'identity' in reading ? reading.identity : undefined;
}
