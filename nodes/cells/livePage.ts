import {
	type Check,
	describeCharacter,
	InvalidValueError,
	quote,
	visibleText,
} from '../parameters/checks';
import { tidyName } from '../runtime/normalize';
import { isNoValue, isSpreadsheetError } from '../runtime/placeholder';
import { decode, parseUrl } from '../runtime/url';
import { isTemplate } from './nothing';

/*
 * What may go to a live page. Every visitor reads it and clicks on it, so what stands for no value is refused, and so is a
 * URL that could open nothing, or run something.
 */

/**
 * A URL that a visitor's browser opens: http(s), mailto, tel, or one relative to the page. It goes out without blanks
 * around, and with %20 for those in its query.
 */
export const liveUrl: Check = (given) => {
	const url = tidyName(given).replace(/\?.*/s, (query) => query.replace(/ /g, '%20'));
	const problem = url === '' ? undefined : findProblem(url);
	if (problem === undefined) return url;
	throw new InvalidValueError(problem);
};

/** The path of a page link on its domain. */
export const livePath: Check = (given) => {
	const path = visibleText(given).trim();
	if (path === '') return path;
	const problem = findPlaceholder(path) ?? findOddCharacter(path.replace(/ /g, ''));
	if (problem !== undefined) throw new InvalidValueError(problem);
	if (/^\/(?!\/)/.test(path)) return path;
	throw new InvalidValueError(
		`must be a path on the domain, which begins with one "/", such as "/offer", but is ${quote(path)}`,
	);
};

/**
 * A text as it is. Only what nobody writes for visitors is refused: `No`, `Test` and `Call me` may well be the title of a
 * button, so the rules for cells of people are too strict here.
 */
export const liveText: Check = (text) => {
	const words = text.trim().split(/\s+/);
	if (words.every(isNoValue) || isSpreadsheetError(text.trim()) || unfilled.test(text))
		throw new InvalidValueError(describePlaceholder(text.trim()));
	return text;
};

/** The same for a script, in which templates and such words are code. */
export const liveScript: Check = (code) => {
	if (isNoValue(code.trim()) || isSpreadsheetError(code.trim()))
		throw new InvalidValueError(describePlaceholder(code.trim()));
	return code;
};

/** A field that a template left in a text. A single brace, `>>` or `%` may belong to the text. */
const unfilled =
	/\{\{[^{}]*\}\}|[$@#]\{[^{}]*\}|\{[!%][^{}]*\}|<%[^%]*%>|\*\|[^|]*\|\*|%%\w+%%|<<\w+>>|\[object Object\]|^\s*(?:\{[\w .-]*\}|%[A-Z_]{3,}%|##\w+##)\s*$/i;

function findProblem(url: string): string | undefined {
	return (
		findPlaceholder(url) ??
		findOtherForm(url) ??
		findOddCharacter(url) ??
		findSecond(url) ??
		findUnusable(url)
	);
}

function findPlaceholder(url: string): string | undefined {
	// Letters of other languages are escaped with percent signs. Those of a field, as in %NAME%, are no UTF-8.
	const text = url.replace(/(?:%[\da-f]{2})+/gi, (escaped) =>
		decode(escaped) === escaped ? escaped : '.',
	);
	const hasField =
		isTemplate(text) || /(?:%7B|\$|%24)%7B|(?:%5B|\[)object(?:%20|\+)Object/i.test(url);
	const parts = url.split(/[/?#&=:@.]+/).map(decode);
	const missing = parts.find((part) => isNoValue(part) || part === 'None' || /^\[.*\]$/.test(part));
	const fragment = url.includes('#') ? url.slice(url.indexOf('#')) : '';
	const isError =
		isSpreadsheetError(url) || (/[!?/]/.test(fragment) && isSpreadsheetError(fragment));
	const isWord =
		/(?:^|\/)N\/A(?:\/|$)/.test(url) || /^[/?#]*(?:n\/a|tbd|tba|todo|none|nil)\/?$/i.test(url);
	if (missing === undefined && !hasField && !isError && !isWord) return undefined;
	const isPart = missing !== undefined && missing !== url;
	return describePlaceholder(url, isPart ? quote(missing) : undefined);
}

function describePlaceholder(text: string, found = 'a placeholder'): string {
	if (text.includes('[object Object]'))
		return 'contains [object Object], which n8n writes for every object: choose a field of the object';
	return `is ${quote(text)}, which has ${found} in place of a value that is missing: see where the value comes from`;
}

function findOddCharacter(url: string): string | undefined {
	if (/&(?:amp|quot|lt|gt|nbsp|#\w{1,6});/i.test(url))
		return `is written for HTML: ${quote(url)}. Write & in place of &amp;`;
	if (/[\s\p{Cc}]/u.test(url))
		return `has blanks within: ${quote(url)}. Enter one URL, with %20 for a blank that belongs to it`;
	const [found] = /[<>"`\\\ufffd]|(?![\u200c\u200d])\p{Cf}|%(?![\da-f]{2})/iu.exec(url) ?? [];
	if (found === undefined) return undefined;
	const isVisible = /[<>"`\\%]/.test(found);
	const advice = isVisible ? `Remove it, or write ${encodeURIComponent(found)}` : 'Type it again';
	return `has a character that no URL has: ${describeCharacter(found)} in ${quote(url)}. ${advice}`;
}

/** A whole URL within another one belongs to it behind `/`, as in archives, and behind `=`. */
function findSecond(url: string): string | undefined {
	if (!/[^/=?&#:]https?:\/\//i.test(url)) return undefined;
	return `has several URLs: ${quote(url)}. Enter one`;
}

function findUnusable(url: string): string | undefined {
	if (/^mailto:/i.test(url)) return findUnusableMail(url);
	if (/^(?:https?:)?\/\//i.test(url)) return findUnusableHost(url);
	const isPhone = /^tel:\+?[\w().*#,;=%-]+$/i.test(url) && /\d\D*\d/.test(url);
	if (isPhone || !/^tel:/i.test(url)) return undefined;
	return `must have a phone number behind tel:, but is ${quote(url)}`;
}

function findUnusableMail(url: string): string | undefined {
	const [addresses = ''] = url.slice('mailto:'.length).split('?');
	const areGood = addresses.split(',').every((each) => /^[^@]+@[^@.]+(?:\.[^@.]+)+$/.test(each));
	if (areGood || (addresses === '' && url.includes('?'))) return undefined;
	return `must have an email address behind mailto:, but is ${quote(url)}`;
}

function findUnusableHost(url: string): string | undefined {
	const { hostname = '', username, password } = parseUrl(url, 'https://page.example') ?? {};
	if (username || password)
		return `has a name or password before @, which every visitor would see: ${quote(url)}. Remove it`;
	const labels = hostname.replace(/\.$/, '').split('.');
	const isName = labels.length > 1 && labels.every((label) => /^[\w-]+$/.test(label));
	if (isName || /^\[[\da-f:.]+\]$/.test(hostname)) return undefined;
	return describeNoDomain(url);
}

const describeNoDomain = (url: string) => `has no domain that visitors can open: ${quote(url)}`;

/** Advice only where it helps this very value. */
function findOtherForm(url: string): string | undefined {
	if (/^(?:https?:\/\/[^/?#]|mailto:|tel:|\/(?!\/\/)|[?#])/i.test(url)) return undefined;
	const [kind] = /^[a-z][a-z\d+.-]*:/i.exec(url) ?? [];
	const candidates = [
		...(/^[^/?#@]*\.\p{L}{2,}(?:[:/?#]|$)/u.test(url) ? [`https://${url}`] : []),
		`mailto:${url}`,
	];
	const better = candidates.find((each) => findProblem(each) === undefined);
	if (better !== undefined) return `has no scheme: ${quote(url)}. Write ${quote(better)}`;
	if (/^https?:/i.test(url)) return describeNoDomain(url);
	const what = kind === undefined ? quote(url) : `${quote(url)}, and ${kind} is none of these`;
	return `must begin with https://, http://, mailto:, tel:, "/", "?" or "#", but is ${what}`;
}
