import { DateTime } from 'luxon';
import type { INodeProperties } from 'n8n-workflow';
import { parseJson } from '../runtime/unknown';
import { type Check, InvalidValueError, quote, trimmedText } from './checks';

/** A value as text, not trimmed. undefined when there is no value. */
export function toText(value: unknown): string | undefined {
	if (value === undefined || value === null) return undefined;
	if (typeof value === 'string') return value;
	// NaN comes from a calculation without a value. Nobody means it as text.
	if (typeof value === 'number' && !Number.isFinite(value))
		throw new InvalidValueError(
			`must be text, but is ${value}: a value in its calculation is missing`,
		);
	// JSON.parse has rounded it: the text of another number would be sent, or found.
	if (Number.isInteger(value) && !Number.isSafeInteger(value))
		throw new InvalidValueError(
			`must be text, but is a number too large to be exact: ${String(value)}`,
		);
	if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
		return String(value);
	const date = writeDate(value);
	// Told apart by its text, a moment must have one, whatever the time zone of the n8n process.
	if (date !== null) return new Date(date).toJSON();
	throw new InvalidValueError(`must be text, but is ${describeValue(value)}`);
}

/** Whether a parameter of this name holds an ID. */
export const isIdName = (name: string): boolean => /^id$|Id$|IdOverride$/.test(name);

/** A value as the text of a parameter. An ID has nothing invisible, and all others are what a check makes of them. */
export function toCheckedText(
	value: unknown,
	{ name, type }: INodeProperties,
	check?: Check,
): string | undefined {
	const text = toText(value) || undefined;
	const hasList = type === 'resourceLocator';
	// The checks of documented IDs find the ID in a link.
	if (text === undefined || check) return (text && check?.(text)) || undefined;
	return hasList || isIdName(name) ? toId(text, hasList) : text;
}

function toId(text: string, hasList: boolean): string | undefined {
	const id = trimmedText(text);
	if (/^https?:\/\//i.test(id))
		throw new InvalidValueError(
			`must be an ID, but is the URL ${quote(id)}`,
			hasList ? ': choose From List to find the ID' : undefined,
		);
	if (id.isWellFormed()) return id || undefined;
	throw new InvalidValueError('cannot be used as an ID, because it is not valid Unicode');
}

/** Databases and expressions have dates as objects, such as the time when a record was changed. */
export function writeDate(value: unknown): string | null {
	if (value instanceof Date) return value.toJSON();
	if (!DateTime.isDateTime(value)) return null;
	if (typeof value.toJSON === 'function') return value.toJSON();
	// n8n yields a date of the input item as a copy without its methods.
	const isInvalid = Reflect.get(value, 'invalid') !== null;
	return isInvalid ? null : new Date(Number(Reflect.get(value, 'ts'))).toJSON();
}

/** What a program makes of a text that is not a date. */
export const isInvalidDate = (value: unknown): boolean =>
	(value instanceof Date || DateTime.isDateTime(value)) && writeDate(value) === null;

export function toBoundedNumber(
	value: unknown,
	{ typeOptions = {} }: INodeProperties,
): number | undefined {
	if (isBlank(value)) return undefined;
	const { minValue = -Infinity, maxValue = Infinity, numberPrecision } = typeOptions;
	const number = typeof value === 'string' ? Number(value.trim()) : value;
	if (typeof number !== 'number' || !Number.isFinite(number))
		throw new InvalidValueError(`must be a number, but is ${describeValue(value)}`);
	const wanted = [
		numberPrecision === 0 && !Number.isSafeInteger(number) && 'a whole number',
		number < minValue && `${minValue} or more`,
		number > maxValue && `${maxValue} or less`,
	].find((each) => each !== false);
	if (wanted === undefined) return number;
	throw new InvalidValueError(`must be ${wanted}, but is ${number}`);
}

export function toBoolean(value: unknown): boolean | undefined {
	if (isBlank(value)) return undefined;
	if (typeof value === 'boolean') return value;
	if (typeof value !== 'object') {
		const word = String(value).trim().toLowerCase();
		if (word === 'true' || word === '1') return true;
		if (word === 'false' || word === '0') return false;
	}
	throw new InvalidValueError(`must be true or false, but is ${describeValue(value)}`);
}

/**
 * Several texts: rows of the panel, a list, JSON text of one as models write it, or text with commas, semicolons or lines.
 * The entries of a list keep their commas.
 */
export function toTexts(value: unknown): string[] {
	const rows = Array.isArray(value) ? (value as unknown[]) : [value];
	return rows.flatMap((row) => asArray(row)?.flatMap(toEntries) ?? splitTexts(toText(row) ?? ''));
}

function toEntries(value: unknown): string[] {
	return asArray(value)?.flatMap(toEntries) ?? dropBlank([toText(value) ?? '']);
}

function asArray(value: unknown): unknown[] | undefined {
	const isJson = typeof value === 'string' && value.trim().startsWith('[');
	const list = isJson ? parseJson(value) : value;
	return Array.isArray(list) ? list : undefined;
}

const splitTexts = (text: string): string[] => dropBlank(text.split(/[,;\t\r\n]/));

const dropBlank = (texts: string[]): string[] => texts.map((each) => each.trim()).filter(Boolean);

export function toChoice(value: unknown, { options }: INodeProperties): string | undefined {
	const allowed = readChoices(options);
	// Before anything is trimmed: a tab is a choice, too.
	if (typeof value === 'string' && allowed.includes(value)) return value;
	if (isBlank(value)) return undefined;
	const text = toText(value)?.trim();
	if (text !== undefined && allowed.includes(text)) return text;
	throw new InvalidValueError(
		`must be one of ${allowed.join(', ')}, but is ${describeValue(value)}`,
	);
}

export function toChoices(value: unknown, { options }: INodeProperties): string[] {
	const allowed = readChoices(options);
	const chosen = [...new Set(toTexts(value).flatMap(splitTexts))];
	const unknown = chosen.filter((each) => !allowed.includes(each));
	if (unknown.length === 0) return chosen;
	throw new InvalidValueError(
		`accepts only ${allowed.join(', ')}, but contains ${quote(unknown.join(', '))}`,
	);
}

/** Nothing, or nothing to be seen: a cell with only spaces is as empty as one without. */
export function isBlank(value: unknown): boolean {
	if (typeof value === 'string') return !/[^\s\p{Cf}]/u.test(value);
	return value === undefined || value === null;
}

function readChoices(options: INodeProperties['options'] = []): string[] {
	return options.flatMap((option) => ('value' in option ? [String(option.value)] : []));
}

/** Any value for a message, kept short. */
export function describeValue(value: unknown): string {
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'an array';
	if (isInvalidDate(value)) return 'an invalid date';
	return typeof value === 'object' ? 'an object' : quote(String(value));
}
