import { isObject } from './request';
import { maskTriggerUrls } from './url';

/** The beginning of a text, in characters as people see them, so that no emoji is cut in half. */
export function shorten(text: string, most: number): string {
	const characters = [...text];
	return characters.length > most ? `${characters.slice(0, most).join('')}…` : text;
}

/** `a, b and c`. With more than `most`, the others are only counted: `a, b and 4 more`. */
export function enumerate(texts: string[], most = Infinity): string {
	const rest = texts.length - most;
	const named = rest > 0 ? [...texts.slice(0, most), `${rest} more`] : texts;
	return named.length > 1 ? `${named.slice(0, -1).join(', ')} and ${named.at(-1)}` : named.join();
}

/** @returns undefined for a text that is no JSON */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

const longestText = 500;

/** A body may have megabytes, of which nobody is shown more than a few sentences. */
const mostLetters = 10_000;
const mostEntries = 20;

/**
 * What the service says in the body of an error response, on one line. The shape of such a body is not documented: the
 * usual fields are read, and any other body is shown as it is.
 * @param isRecord whether the body may just as well be a record, which no message shows
 */
export function readServiceText(body: unknown, isRecord = false): string | undefined {
	const isJson = typeof body === 'string' && /^\s*[[{]/.test(body);
	const parsed = isJson ? (parseJson(body) ?? body) : (body ?? '');
	const texts = [...new Set(findTexts(parsed))];
	const shown = texts.length > 0 || isRecord ? texts.join('; ') : writeText(parsed);
	return shorten(tidy(shown.slice(0, mostLetters)), longestText) || undefined;
}

function writeText(body: unknown): string {
	if (typeof body === 'string') return body;
	return isObject(body) && Object.keys(body).length === 0 ? '' : JSON.stringify(body);
}

/** The text in `message`, `error` or `detail`, and those in `errors`, or one level deeper in these. */
function findTexts(body: unknown, isInner = false): string[] {
	if (typeof body === 'string') return body === '' ? [] : [body];
	if (!isObject(body)) return [];
	const { message, error, detail, errors } = body;
	const read = (member: unknown) => (isInner && isObject(member) ? [] : findTexts(member, true));
	const first = [message, error, detail].map(read).find((texts) => texts.length > 0) ?? [];
	const list: unknown[] = Array.isArray(errors) ? errors.slice(0, mostEntries) : [];
	return [...first, ...list.flatMap(read)];
}

function tidy(text: string): string {
	return text
		.replace(/<[^<>]*>/g, ' ')
		.replace(/[\p{Cc}\s]+/gu, ' ')
		.replace(/\S+/g, maskTriggerUrls)
		.trim();
}

const yearFirst = /^\d{4}[-/. ]/;
const month = /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\b/i;
const american = /^\d{1,2}\/\d{1,2}\/\d{4}\D/;

/** `05/12/2026` may be in May or in December, and Date.parse takes even `12` for a date. */
function namesDay(text: string): boolean {
	if (yearFirst.test(text) || (american.test(text) && /[ap]m\b/i.test(text))) return true;
	return month.test(text) && /\d{4}/.test(text);
}

/**
 * A point in time that the service names, in milliseconds; undefined for what is none. The format is not documented: one
 * without a zone is in UTC, not in the zone of the machine that n8n runs on.
 */
export function readTimestamp(value: unknown): number | undefined {
	const text = typeof value === 'string' ? value.trim() : '';
	return namesDay(text) ? parse(text) : undefined;
}

function parse(text: string): number | undefined {
	// An offset after the time, or a name: Z, UTC, GMT or one such as EST. AM and PM are none, and need a space before one.
	const hasZone = /:[^:]*[+-]|[zct]$/i.test(text);
	const time = Date.parse(hasZone ? text : `${text.replace(/m$/i, '$& ')}Z`);
	return Number.isNaN(time) ? undefined : time;
}
