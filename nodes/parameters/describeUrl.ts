import { parseWebAddress } from '../api/parseUrl';

/** A URL as lists, messages and the log show it: neither its query nor a secret in its path can be read from it. */
export function describeUrl(href: string): string {
	const url = parseWebAddress(href);
	return url ? url.origin + describePath(url) : 'no usable URL';
}

/** The same without the scheme, for lists. */
export function describeAddress(href: string): string {
	const url = parseWebAddress(href);
	return url ? url.host + describePath(url) : 'no usable URL';
}

/** Replaces every URL in a text that somebody else wrote. */
export function shortenUrls(text: string): string {
	return text.replace(/https?:\/\/[^\s"'<>\\]+/gi, (url) => describeUrl(url));
}

function describePath({ pathname }: URL): string {
	const segments = pathname.split('/').filter(Boolean);
	return segments.map((segment) => `/${describeName(segment)}`).join('');
}

/** A word stays. What could be a secret keeps only enough to be recognized. */
export function describeName(name: string): string {
	const isWord = /^[A-Z]?[a-z]{1,12}([-_.][a-z]{1,12})?$/.test(name);
	return isWord || name.length <= 5 ? name : `${name.slice(0, 4)}…`;
}
