import { parseUrl } from '../../api/parseUrl';
import { decode, normalizePath } from '../../api/url';

/** Where n8n takes this trigger's deliveries. */
export interface OwnUrl {
	/** As n8n names it: the test URL in the hooks of a test run, else the production URL. */
	href: string;
	origin: string;
	path: string;
	/** What tells this trigger from all others: n8n's webhook ID, or what stands for it. */
	id: string;
	/** What the paths of production and test end in: `/<id>/webhook`. */
	tail: string;
	isTest: boolean;
}

/**
 * Whose a URL is: this trigger's, in production or in a test run, or somebody else's. `moved` is this trigger's path
 * at another address: a copy of this n8n, or this n8n before its address changed. Nothing tells the two apart, so it
 * counts as somebody else's.
 */
export type UrlOwner = 'production' | 'test' | 'moved' | 'foreign';

/**
 * The one place that decides whose a URL is. A service may write URLs its own way: a slash added, letters lowered, a
 * default port or percent-encodings written out.
 */
export function findOwner(own: OwnUrl, href: string): UrlOwner {
	const url = parseUrl(href);
	if (!url) return 'foreign';
	const path = normalizePath(url.pathname);
	const tail = normalizePath(own.tail);
	if (!path.endsWith(tail)) return 'foreign';
	// The scheme tells nobody apart: a service may write `https:` for `http:`, and a proxy before n8n takes both.
	if (url.host.replace(/\.(?=$|:\d)/, '') !== parseUrl(own.origin)?.host) return 'moved';
	const base = path.slice(0, -tail.length).split('/');
	const ownBase = normalizePath(own.path).slice(0, -tail.length).split('/');
	const isSame = base.join('/') === ownBase.join('/');
	// n8n does not tell a hook both of its URLs. They differ in the last segment before the trigger's own part; another
	// n8n under another prefix of the same origin differs before that.
	const [prefix, ownPrefix] = [base, ownBase].map((path) => path.slice(0, -1).join('/'));
	if (base.length !== ownBase.length || prefix !== ownPrefix) return 'moved';
	return isSame === own.isTest ? 'test' : 'production';
}

/** Whether a URL is this trigger's, of production or of a test run. */
export function isOwn(own: OwnUrl, href: string): boolean {
	const owner = findOwner(own, href);
	return owner === 'production' || owner === 'test';
}

/**
 * Whether the trigger restores the subscription that delivers to a URL. Production also restores what a test run left.
 * A test run restores only its own, so production keeps its URL.
 */
export function isOurs(own: OwnUrl, href: string): boolean {
	return own.isTest ? findOwner(own, href) === 'test' : isOwn(own, href);
}

/**
 * Whether n8n still finds the trigger at the URL. Of the trigger's own part of the path it decodes and compares every
 * letter; before that it ignores case, and decodes nothing.
 */
export function isRoutable({ tail }: OwnUrl, href: string): boolean {
	const url = parseUrl(href);
	if (!url) return false;
	const path = url.pathname.replace(/\/$/, '').split('/');
	const length = tail.split('/').length - 1;
	const [base, rest] = [path.slice(0, -length), path.slice(-length).join('/')];
	return (
		base.every((segment) => decode(segment) === segment) && decode(rest) === decode(tail.slice(1))
	);
}
