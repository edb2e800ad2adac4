import { parseUrl } from './parseUrl';

/**
 * Parameters of a URL's query, changed on its text. Everything else in the URL stays as it was written, because it may
 * be compared elsewhere.
 */

export function readParameter(url: string, name: string): string | undefined {
	return parseUrl(url)?.searchParams.get(name) ?? undefined;
}

export function withParameter(url: string, name: string, value: string): string {
	const [base, query] = splitQuery(withoutParameter(url, name));
	return `${base}?${query ? `${query}&` : ''}${name}=${encodeURIComponent(value)}`;
}

export function withoutParameter(url: string, name: string): string {
	const [base, query] = splitQuery(url);
	const pairs = query.split('&').filter((pair) => pair !== '' && pair.split('=')[0] !== name);
	return pairs.length ? `${base}?${pairs.join('&')}` : base;
}

export function withoutQuery(url: string): string {
	return splitQuery(url)[0];
}

/** Whether two URLs mean the same, however they are written. */
export function isSameUrl(one: string, other: string): boolean {
	const [a, b] = [one, other].map(normalize);
	return a !== undefined && a === b;
}

/** Whether a service may have stored a URL like that: with a slash added, letters lowered, or another scheme. */
export function isRewritten(sent: string, stored: string): boolean {
	const [a, b] = [sent, stored].map((text) => {
		const url = parseUrl(text);
		const path = normalizePath(url?.pathname ?? '');
		return url && normalize(`http://${url.host}${path}${url.search}`)?.toLowerCase();
	});
	return a !== undefined && a === b;
}

/** A path as routers compare it: decoded, in lower case, without slashes at its end. */
export function normalizePath(path: string): string {
	return decode(path)
		.toLowerCase()
		.replace(/(?<!\/)\/+$/, '');
}

export function decode(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

function normalize(text: string): string | undefined {
	const url = parseUrl(text);
	if (!url) return undefined;
	const query = [...url.searchParams].map((pair) => JSON.stringify(pair)).sort();
	return JSON.stringify([url.origin, url.username, url.password, url.pathname, query, url.hash]);
}

/** The part before the query, and the query. A fragment is dropped: it is never sent. */
function splitQuery(url: string): [base: string, query: string] {
	const [whole = ''] = url.split('#');
	const at = whole.indexOf('?');
	return at < 0 ? [whole, ''] : [whole.slice(0, at), whole.slice(at + 1)];
}
