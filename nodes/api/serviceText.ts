import { parseJson } from './parseJson';
import { isObject } from './request';
import { shorten } from './shorten';
import { maskTriggerUrls } from './triggerUrl';

const longestText = 500;
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
 * The service's own words in a body of any shape: the shape of its error responses is not documented.
 * Without HTML, on one line, and never longer than a few sentences.
 */
export function readServiceText(body: unknown): string | undefined {
	const isJson = typeof body === 'string' && /^\s*[[{]/.test(body);
	const parsed = isJson ? (parseJson(body) ?? body) : body;
	const texts = collectTexts(parsed, 0).map(tidy).filter(Boolean);
	return shorten(withoutRepeatedTexts(withoutCodes(texts)).join('; '), longestText) || undefined;
}

/** As readServiceText, of a body that may just as well be a record: only if it has a field for such words. */
export function readStatedText(body: unknown): string | undefined {
	const isStated = !isObject(body) || textKeys.some((key) => key in body);
	return isStated ? readServiceText(body) : undefined;
}

/** A word such as `not_found` says nothing beside a sentence. */
function withoutCodes(texts: string[]): string[] {
	const sentences = texts.filter((text) => !/^[a-z]+([_-][a-z]+)*$/i.test(text));
	return sentences.length > 0 ? sentences : texts;
}

/** A message often repeats its own details, with other punctuation. */
function withoutRepeatedTexts(texts: string[]): string[] {
	const seen: string[] = [];
	return texts.filter((text) => {
		const words = text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ');
		const isNew = !seen.some((before) => before.includes(words));
		if (isNew) seen.push(words);
		return isNew;
	});
}

function collectTexts(value: unknown, depth: number): string[] {
	if (typeof value === 'string') return [value.slice(0, longestText * 20)];
	if (depth > deepest) return [];
	if (Array.isArray(value))
		return value.slice(0, 20).flatMap((each) => collectTexts(each, depth + 1));
	if (!isObject(value)) return [];

	const known = textKeys.flatMap((key) => collectTexts(value[key], depth + 1));
	if (known.length) {
		const place = placeKeys
			.map((key) => value[key])
			.find((each) => typeof each === 'string' || Array.isArray(each));
		const where = Array.isArray(place) ? place.join('.') : place;
		return where
			? known.map((text) => (text.includes(String(where)) ? text : `${String(where)}: ${text}`))
			: known;
	}
	// A body such as {"email": ["is not valid"]} has the fields themselves for keys.
	return Object.entries(value)
		.slice(0, 20)
		.flatMap(([key, each]) => collectTexts(each, depth + 1).map((text) => `${key}: ${text}`));
}

/** What is never closed goes on to the end, as in a browser. */
function tidy(text: string): string {
	return text
		.replace(/<script\b[^]*?(<\/script|$)/gi, ' $1')
		.replace(/<style\b[^]*?(<\/style|$)/gi, ' $1')
		.replace(/<!--[^]*?(?:-->|$)/g, ' ')
		.replace(/<[^<>]*>/g, ' ')
		.replace(/[\p{Cc}\s]+/gu, ' ')
		.replace(/\S+/g, maskTriggerUrls)
		.trim();
}
