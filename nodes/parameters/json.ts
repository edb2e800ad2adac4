import { type IDataObject, validateFieldType } from 'n8n-workflow';
import { isObject, toError } from '../runtime/unknown';
import { InvalidValueError, quote } from './checks';
import { describeValue, isBlank, isInvalidDate, toText, writeDate } from './convert';

/** An object, or JSON text of one. */
export function toJsonObject(value: unknown): IDataObject | undefined {
	if (isBlank(value)) return undefined;
	const parsed = checkNumbers(typeof value === 'string' ? parse(value) : value);
	// JSON writes a date as text.
	const date = writeDate(parsed);
	if (isObject(parsed) && date === null) return parsed as IDataObject;
	const given = date ?? parsed;
	// Models and templates write JSON text of an object, which looks like one.
	const what = typeof given === 'string' ? `text: ${quote(given)}` : describeValue(given);
	throw new InvalidValueError(`must be a JSON object, but is ${what}`);
}

function parse(given: string): unknown {
	// Language models put JSON into a block of Markdown.
	const trimmed = given.trim();
	const [, text = trimmed] = /^```(?:json)?\n(.*)```$/s.exec(trimmed) ?? [];
	let mistake: string;
	try {
		return JSON.parse(text);
	} catch (error) {
		mistake = describeMistake(text, toError(error).message);
	}
	const remedy = text.startsWith('{{')
		? '. If it is an expression, switch the field to Expression'
		: '. In a template, write {{ JSON.stringify($json.message) }} without quotes around it, and nothing beside {{ }} that yields an object. Or choose Using Fields Below';
	throw new InvalidValueError(`must be valid JSON, but is not: ${mistake}`, remedy);
}

/** With the words around the mistake: nobody sees what a template has become, such as a text with a quote in it. */
function describeMistake(text: string, message: string): string {
	// JavaScript names the place by its position, or by some letters around it.
	const [token] = /^Unexpected token '.'/su.exec(message) ?? [];
	const letters = message.slice(message.indexOf('"', token?.length) + 1, message.lastIndexOf('"'));
	const position = Number(/at position (\d+)/.exec(message)?.[1]);
	const at = token ? text.indexOf(letters) + letters.length / 2 : position;
	if (Number.isNaN(at)) return message;
	// Half of a word may be half of the API key, which is found only where it is whole.
	const [start, end] = [Math.max(0, at - 25), at + 25];
	const around = text
		.slice(start, end)
		.replace(start > 0 ? /^[^\s"]+/ : '', '')
		.replace(end < text.length ? /(?<![^\s"])[^\s"]+$/ : '', '');
	return `${token ?? message}, near ${quote(around)}`;
}

/** What Luxon, JavaScript and Moment write in place of a date. */
const invalidDate = /^Invalid (?:DateTime|[Dd]ate)$/;

/**
 * Why a value is refused that JSON cannot hold: a large integer was rounded already, NaN becomes null, and n8n writes a date
 * that is none as text.
 */
export function findInexact(value: unknown): string | undefined {
	let problem: string | undefined;
	JSON.stringify(value, (name, member: unknown) => {
		if (typeof member === 'number' && !isKept(member))
			problem ??= `contains a number whose value would change when sent (${member}): write it as text, in quotes`;
		if (typeof member === 'string' && invalidDate.test(member))
			problem ??= `contains an invalid date${name && ` in ${quote(name)}`}: correct it in the source, or leave it out`;
		return member;
	});
	return problem;
}

const isKept = (number: number): boolean =>
	Number.isSafeInteger(number) || (Number.isFinite(number) && !Number.isInteger(number));

/** @param field that has the value */
function checkNumbers<T>(value: T, field?: string): T {
	const problem = findInexact(field === undefined ? value : { [field]: value });
	if (problem !== undefined) throw new InvalidValueError(problem);
	return value;
}

/** The fields of an assignment collection. n8n does not convert their values to the chosen types itself. */
export function toAssignedFields(value: unknown): IDataObject {
	if (isBlank(value) || (isObject(value) && Object.keys(value).length === 0)) return {};
	const rows = isObject(value) ? value.assignments : undefined;
	if (!Array.isArray(rows) || !rows.every(isObject))
		throw new InvalidValueError(`must contain named fields, but is ${describeValue(value)}`);
	const fields = rows.flatMap((row) => {
		const name = toText(row.name) ?? '';
		if (name !== '') return [[name, toAssigned(name, row.value, row.type)]];
		if (isBlank(row.value)) return [];
		throw new InvalidValueError(`contains a value without a name: ${describeValue(row.value)}`);
	});
	// Object.fromEntries treats a field named __proto__ like any other.
	return Object.fromEntries(fields) as IDataObject;
}

/** The types that an assignment collection offers. */
const assignable = ['string', 'number', 'boolean', 'array', 'object'] as const;

function toAssigned(name: string, given: unknown, type: unknown): unknown {
	const chosen = assignable.find((each) => each === type);
	// n8n's own conversion would put quotes around a date.
	const value = checkNumbers(chosen === 'string' ? (writeDate(given) ?? given) : given, name);
	if (value === null || value === undefined || chosen === undefined) return value ?? null;
	// n8n's own conversion would turn a blank number into 0.
	if (chosen !== 'string' && isBlank(value)) return null;
	const result = validateFieldType(name, value, chosen, { parseStrings: true });
	if (result.valid && !isInvalidDate(value)) return checkNumbers(result.newValue);
	throw new InvalidValueError(
		`contains a field "${name}" that must be of type ${chosen}, but is ${describeValue(value)}`,
	);
}
