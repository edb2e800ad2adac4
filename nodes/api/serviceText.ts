import { parseJson, shorten } from './text';
import { isObject } from './request';
import { maskTriggerUrls } from './triggerUrl';

const longestText = 500;

/** A body may have megabytes, of which nobody is shown more than a few sentences. */
const mostLetters = 10_000;
const mostEntries = 20;
const deepest = 5;

const textKeys = [
	'message',
	'detail',
	'details',
	'error_description',
	'error',
	'errors',
	'title',
	'reason',
	'description',
];
const placeKeys = ['path', 'field', 'instancePath', 'param', 'loc'];

/**
 * The service's own words in a body of any shape, on one line: the shape of its error responses is not documented.
 * @param isRecord whether the body may just as well be a record, so that only a field for such words counts
 */
export function readServiceText(body: unknown, isRecord = false): string | undefined {
	const isJson = typeof body === 'string' && /^\s*[[{]/.test(body);
	const parsed = isJson ? (parseJson(body) ?? body) : body;
	if (isRecord && isObject(parsed) && !textKeys.some((key) => key in parsed)) return undefined;
	const texts = [...new Set(collectTexts(parsed, 0).map(tidy).filter(Boolean))];
	// A word such as `not_found` says nothing beside a sentence.
	const sentences = texts.filter((text) => !/^[a-z]+([_-][a-z]+)*$/i.test(text));
	const told = sentences.length > 0 ? sentences : texts;
	return shorten(told.join('; '), longestText) || undefined;
}

function collectTexts(value: unknown, depth: number): string[] {
	if (typeof value === 'string') return [value.slice(0, mostLetters)];
	if (depth > deepest) return [];
	if (Array.isArray(value))
		return value.slice(0, mostEntries).flatMap((each) => collectTexts(each, depth + 1));
	if (!isObject(value)) return [];
	const known = textKeys.flatMap((key) => collectTexts(value[key], depth + 1));
	const place = placeKeys
		.map((key) => value[key])
		.find((each) => typeof each === 'string' || Array.isArray(each));
	const where = Array.isArray(place) ? place.join('.') : place;
	if (known.length > 0) return where ? known.map((text) => `${String(where)}: ${text}`) : known;
	// A body such as {"email": ["is not valid"]} has the fields themselves for keys.
	return Object.entries(value)
		.slice(0, mostEntries)
		.flatMap(([key, each]) => collectTexts(each, depth + 1).map((text) => `${key}: ${text}`));
}

function tidy(text: string): string {
	return text
		.replace(/<[^<>]*>/g, ' ')
		.replace(/[\p{Cc}\s]+/gu, ' ')
		.replace(/\S+/g, maskTriggerUrls)
		.trim();
}
