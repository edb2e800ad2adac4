import { type Check, InvalidValueError, quote } from '../../../parameters/checks';
import { normalize, removeInvisible, tidyName } from '../../../runtime/normalize';
import { isPlaceholder } from './placeholder';

/**
 * What a cell says of a person: what to send with what is the same for each of its spellings, what is wrong with it, or
 * nothing if it is blank. What is accepted and what is compared come from one reading, so they cannot differ.
 */
export type Reading =
	| { value: string; identity: string }
	| { problem: string; isPlaceholder?: boolean }
	| undefined;

export type Reader = (text: string) => Reading;

/** Spreadsheets and mail programs put a value in these. */
const enclosed = /^=?(?:"(.*)"|'(.*)'|“(.*)”|„(.*)“|«(.*)»|<(.*)>)$/s;

/** The value without what surrounds it, and without invisible characters, which come with pasted texts. */
function clean(text: string): string {
	const visible = removeInvisible(text.replace(/[\ufe00-\ufe0f]/gu, ''));
	// An apostrophe keeps a spreadsheet from reading a number, and a separator at the end is left of a list.
	const bare = visible.replace(/^'(?!.*'$)/s, '').replace(/(?<![\s,;])[\s,;]+$/, '');
	const inside = enclosed
		.exec(bare)
		?.slice(1)
		.find((part) => part !== undefined);
	return inside === undefined ? bare : inside.trim();
}

/** Longer than every URL with what tracks it. */
const longestCell = 10_000;

/** A reader of values that identify someone: a placeholder would make one person of all who have it. */
export function reader(read: (cell: string) => Reading): Reader {
	return (text) => {
		if (text.length > longestCell)
			return { problem: `has ${text.length} characters, which is too long` };
		if (removeInvisible(text) === '') return undefined;
		const cell = clean(normalize(text, 'NFC'));
		return isPlaceholder(cell) ? placeholder(cell || text) : read(cell);
	};
}

const longestName = 255;

/** Words that stand for no value elsewhere. */
const alsoNames = /^(?:na|ka|nan|nil|blank|empty|hidden|private)$/i;

/** The name of a person or company. Services tidy the blanks in it, so they tell no two apart. */
export const readName: Reader = (text) => {
	const value = tidyName(text);
	if (value === '') return undefined;
	const count = [...value].length;
	if (count > longestName)
		return { problem: `must have 1 to ${longestName} characters, but has ${count}` };
	// Scripts join a first name with a missing last name.
	const isUnfilled = /(?<!\S)undefined(?!\S)|\[object Object\]/i.test(value);
	if (isUnfilled || (isPlaceholder(value) && !alsoNames.test(value))) return placeholder(value);
	return { value, identity: normalize(value, 'NFC').replace(/[\s\p{Z}]+/gu, ' ') };
};

export function placeholder(text: string): Reading {
	return { problem: `${quote(text)} is a placeholder`, isPlaceholder: true };
}

/**
 * What stands behind the first of several values in a cell. undefined where there is one value, or none.
 * @param sign what each value contains
 */
export function findSeparator(cell: string, sign: string): string | undefined {
	const values = cell.split(/[\s,;|]+/).filter((part) => part.toLowerCase().includes(sign));
	const [first = ''] = values;
	// Mail programs repeat an address as its owner's name.
	const isOne = new Set(values.map((value) => value.replace(/[<>"']/g, ''))).size < 2;
	return isOne ? undefined : cell.charAt(cell.indexOf(first) + first.length);
}

/** @param what the one thing that the cell must hold */
export function several(what: string, cell: string, separator: string): Reading {
	return {
		problem: `must be one ${what}, but has several: ${quote(cell)}. Take the first one with .split(${JSON.stringify(separator)})[0]`,
	};
}

/**
 * The reading as the check of a parameter. A blank cell is not sent.
 * @param replace what a placeholder becomes, where it is not refused
 */
export function checkOf(read: Reader, replace?: Check): Check {
	return (text) => {
		const reading = read(text);
		if (!reading || 'value' in reading) return reading?.value ?? '';
		if (reading.isPlaceholder && replace) return replace(text);
		throw new InvalidValueError(reading.problem);
	};
}

/** What is the same for each spelling of a value. @returns undefined for what identifies no one */
export function identityOf(read: Reader, stored: unknown): string | undefined {
	const reading = typeof stored === 'string' ? read(stored) : undefined;
	return reading && 'identity' in reading ? reading.identity : undefined;
}
