import { shorten } from '../runtime/text';
import { isObject, parseJson } from '../runtime/unknown';
import { maskTriggerUrls } from '../webhooks/triggerUrl';
import { redact } from './redact';

const longestText = 500;

/** A body may have megabytes, and a message shows only a few sentences. */
const mostLetters = 10_000;
const mostEntries = 20;

/**
 * What the service says in the body of an error response, on one line. The shape of such a body is not documented: the
 * usual fields are read, and any other body is shown as it is.
 * @param apiKey is hidden before the text is cut, because half of it would not be found any more
 * @param isRecord whether the body may just as well be a record, which no message shows
 */
export function readServiceText(
	body: unknown,
	apiKey: string,
	isRecord = false,
): string | undefined {
	const parsed = readBody(body);
	const texts = [...new Set(findTexts(parsed))];
	const isRead = texts.length > 0 || isRecord;
	const shown = isRead ? redact(texts.join('; '), apiKey) : writeText(redact(parsed, apiKey));
	return shorten(tidyLine(shown.slice(0, mostLetters)), longestText) || undefined;
}

/** What a browser does not show of a web page. */
const hiddenParts = /<(style|script)\b[^]*?(?:<\/\1\s*>|$)|<!--[^]*?(?:-->|$)/gi;

/** The title of a web page says what it is. The rest is mostly what its visitors may do. */
function readBody(body: unknown): unknown {
	if (typeof body !== 'string') return body ?? '';
	if (/^\s*[[{]/.test(body)) return parseJson(body) ?? body;
	const [, title = ''] = /<title\b[^<>]*>([^<]*)/i.exec(body) ?? [];
	return title.trim() || body.replace(hiddenParts, ' ');
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

function tidyLine(text: string): string {
	return text
		.replace(/<[^<>]*>/g, ' ')
		.replace(/[\p{Cc}\s]+/gu, ' ')
		.replace(/\S+/g, maskTriggerUrls)
		.trim();
}
