/**
 * Parameters of a URL's query, changed on its text: everything else in the URL stays as it was written,
 * because it may be compared with it elsewhere.
 */

/** The first value of the parameter, decoded. */
export function readParameter(url: string, name: string): string | undefined {
	return parseUrl(url)?.searchParams.get(name) ?? undefined;
}

export function withParameter(url: string, name: string, value: string): string {
	// A slash may stand in a query as it is, and is better to read so.
	const pair = `${name}=${encodeURIComponent(value).replaceAll('%2F', '/')}`;
	const [base, query] = splitQuery(withoutParameter(url, name));
	return `${base}?${query ? `${query}&` : ''}${pair}`;
}

export function withoutParameter(url: string, name: string): string {
	const [base, query] = splitQuery(url);
	const pairs = query.split('&').filter((pair) => pair !== '' && nameOf(pair) !== name);
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

/** A URL for messages and the log, without the secrets that its query may hold. */
export function describeUrl(href: string): string {
	const url = parseUrl(href);
	return url ? `${url.origin}${url.pathname}` : 'no usable URL';
}

/** Node 20 has no URL.parse. */
export function parseUrl(text: string): URL | undefined {
	return URL.canParse(text) ? new URL(text) : undefined;
}

function normalize(text: string): string | undefined {
	const url = parseUrl(text);
	if (!url) return undefined;
	const query = [...url.searchParams].map((pair) => JSON.stringify(pair)).sort();
	return JSON.stringify([url.origin, url.username, url.password, url.pathname, query, url.hash]);
}

/** The part before the query, and the query; a fragment is dropped: it is never sent. */
function splitQuery(url: string): [base: string, query: string] {
	const [whole] = url.split('#');
	const at = whole.indexOf('?');
	return at < 0 ? [whole, ''] : [whole.slice(0, at), whole.slice(at + 1)];
}

function nameOf(pair: string): string | undefined {
	return [...new URLSearchParams(pair).keys()][0];
}
