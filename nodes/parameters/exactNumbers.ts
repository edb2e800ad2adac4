import { parseJson, shorten } from '../api/text';
import { InvalidValueError } from './checks';

/**
 * What JSON text means.
 * @returns undefined for a text that is no JSON
 * @throws {InvalidValueError} when a number in it would be sent as another one
 */
export function parseExactJson(text: string): unknown {
	const parsed = parseJson(text);
	if (parsed !== undefined) refuse(describe(listNumbers(text).find((each) => !isExact(each))));
	return parsed;
}

/** @throws {InvalidValueError} when a number in the value may be another one than it was, or is none in JSON */
export function checkNumbers<T>(value: T): T {
	refuse(findInexact(value));
	return value;
}

/** @throws {InvalidValueError} when a text that becomes a number would be sent as another one */
export function checkNumberText(text: string): void {
	const written = text.trim();
	const isDecimal = /^[-+.\de]+$/i.test(written) && !Number.isNaN(Number(written));
	refuse(describe(isDecimal && !isExact(written) ? written : undefined));
}

/** Says which number in the value may be another one than it was, or is none in JSON. */
export function findInexact(value: unknown): string | undefined {
	let found: string | undefined;
	JSON.stringify(value, (_, member: unknown) => {
		if (typeof member === 'number' && !isKept(member)) found ??= String(member);
		return member;
	});
	return describe(found);
}

function describe(number: string | undefined): string | undefined {
	if (number === undefined) return undefined;
	return `contains a number whose value would change when sent (${shorten(number, 60)}): write it as text, in quotes`;
}

function refuse(problem: string | undefined): void {
	if (problem !== undefined) throw new InvalidValueError(problem);
}

/** As they are written. */
function listNumbers(json: string): string[] {
	return removeTexts(json).match(/[-\d][-+.\deE]*/g) ?? [];
}

/** What is left has the numbers of JSON, and no digits that are none. Backslashes are only in texts. */
export function removeTexts(json: string): string {
	return json.replace(/\\./g, '').replace(/"[^"]*"/g, '');
}

/** Whether a number in text is the same after JavaScript has read and written it. */
function isExact(written: string): boolean {
	const number = Number(written);
	return isKept(number) && readDecimal(written) === readDecimal(String(number));
}

/** A larger whole number is rounded, or was before it came here: n8n reads JSON as this does. */
function isKept(number: number): boolean {
	return Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number));
}

/** The digits without zeros around them, and the power of ten that they are multiplied with. */
function readDecimal(written: string): string {
	const [mantissa = '', exponent = 0] = written.toLowerCase().split('e');
	const [whole = '', fraction = ''] = mantissa.replace(/^[-+]/, '').split('.');
	const digits = whole + fraction;
	let start = 0;
	let end = digits.length;
	while (digits[end - 1] === '0') end--;
	while (start < end && digits[start] === '0') start++;
	if (start === end) return '0';
	return `${digits.slice(start, end)}e${Number(exponent) - fraction.length + digits.length - end}`;
}
