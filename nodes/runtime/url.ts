import * as ipaddr from 'ipaddr.js';

/** Node 20 has no URL.parse, and its URL.canParse refuses umlauts after some thousand calls. */
export function parseUrl(text: string, base?: string): URL | undefined {
	try {
		return new URL(text, base);
	} catch {
		return undefined;
	}
}

/** Only an http(s) URL. */
export function parseWebAddress(text: string): URL | undefined {
	const url = parseUrl(text);
	return url && ['http:', 'https:'].includes(url.protocol) ? url : undefined;
}

/** The part before the query, as it was written: it may be compared elsewhere. */
export const withoutQuery = (url: string): string => url.replace(/[?#].*$/s, '');

/** Whether two URLs mean the same, however they are written. */
export function isSameUrl(one: string, other: string): boolean {
	const [a, b] = [one, other].map(normalizeUrl);
	return a !== undefined && a === b;
}

function normalizeUrl(text: string): string | undefined {
	const url = parseUrl(text);
	if (!url) return undefined;
	const query = [...url.searchParams].map((pair) => JSON.stringify(pair)).sort();
	return JSON.stringify([url.origin, url.username, url.password, url.pathname, query, url.hash]);
}

/** Whether a service may have stored a URL like that: with a slash added, letters lowered, or another scheme. */
export function isRewritten(sent: string, stored: string): boolean {
	const [a, b] = [sent, stored].map((text) => {
		const url = parseUrl(text);
		const path = normalizePath(url?.pathname ?? '');
		return url && normalizeUrl(`http://${url.host}${path}${url.search}`)?.toLowerCase();
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

/** A URL as lists, messages and the log show it: neither its query nor a secret in its path can be read from it. */
export function describeUrl(href: string): string {
	const url = parseWebAddress(href);
	if (!url) return 'no usable URL';
	const segments = url.pathname.split('/').filter(Boolean);
	return [url.origin, ...segments.map(describeName)].join('/');
}

/** Replaces every URL in a text from outside. */
export function shortenUrls(text: string): string {
	return text.replace(/https?:\/\/[^\s"'<>\\]+/gi, (url) => describeUrl(url));
}

/** A word stays. What could be a secret keeps only enough to be recognized. */
export function describeName(name: string): string {
	const isWord = /^[A-Z]?[a-z]{1,12}([-_.][a-z]{1,12})?$/.test(name);
	return isWord || name.length <= 5 ? name : `${name.slice(0, 4)}…`;
}

/** How far a host reaches: no further than its own machine, no further than its network, or through the internet. */
type Reach = 'loopback' | 'private' | 'public';

const loopbackName = /^(?:[^\s\\/?#@:]*\.)?localhost$/;

/** A name without a dot, such as a container's, and the endings that are never in public DNS. */
const privateName = /^(?:[^\s\\/?#@:.[\]]+|[^\s\\/?#@:]*\.(?:local|internal|lan|home\.arpa|test))$/;

const reaches: Partial<Record<string, Reach>> = {
	loopback: 'loopback',
	unspecified: 'loopback',
	carrierGradeNat: 'private',
	linkLocal: 'private',
	private: 'private',
	uniqueLocal: 'private',
};

/** @param host as in the `hostname` of a URL: an IPv6 address in brackets */
export function readReach(host: string): Reach {
	const name = host.toLowerCase().replace(/\.$/, '');
	const address = name.replace(/^\[(.*)\]$/, '$1');
	// An IPv4 address in an IPv6 address is read as what it is.
	if (ipaddr.isValid(address)) return reaches[ipaddr.process(address).range()] ?? 'public';
	if (loopbackName.test(name)) return 'loopback';
	return privateName.test(name) ? 'private' : 'public';
}
