import { NodeOperationError } from 'n8n-workflow';
import type { TriggerContext } from '../settings';
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
 * Whose a URL is. `moved` is this trigger's path at another address: a copy of this n8n, or this n8n before its address
 * changed. Nothing tells the two apart, so it counts as somebody else's.
 */
export type Place = 'production' | 'test' | 'moved' | 'foreign';

/** The same in all that a trigger does, and after a rename. As n8n builds the path. */
export function readTriggerId(context: TriggerContext): string {
	const { webhookId, name } = context.getNode();
	return webhookId ?? `${context.getWorkflow().id}/${encodeURIComponent(name.toLowerCase())}`;
}

/** @throws NodeOperationError when n8n has no usable URL for the node */
export function readOwnUrl(context: TriggerContext, isTest: boolean): OwnUrl {
	const href = context.getNodeWebhookUrl('default') ?? '';
	const url = parseUrl(href);
	if (!url) {
		throw new NodeOperationError(
			context.getNode(),
			`n8n has no usable webhook URL for this node ("${href}")`,
			{ description: 'Set WEBHOOK_URL to the address at which this n8n can be reached.' },
		);
	}
	const id = readTriggerId(context);
	return { href, origin: url.origin, path: url.pathname, id, tail: `/${id}/webhook`, isTest };
}

/**
 * The one place that decides whose a URL is. A service may write URLs its own way: a slash added, letters lowered, a
 * default port or percent-encodings written out.
 */
export function locate(own: OwnUrl, href: string): Place {
	const url = parseUrl(href);
	const [path, ownPath, tail] = [url?.pathname ?? '', own.path, own.tail].map(normalizePath);
	if (!url || !path.endsWith(tail)) return 'foreign';
	if (url.origin.replace(/\.(?=$|:\d)/, '') !== own.origin) return 'moved';
	const [base, ownBase] = [path, ownPath].map((each) => each.slice(0, -tail.length).split('/'));
	const isSame = base.join('/') === ownBase.join('/');
	if (!isSame && !isSibling(base, ownBase)) return 'moved';
	return isSame === own.isTest ? 'test' : 'production';
}

/**
 * n8n does not tell a hook both of its URLs. They differ in the last segment before the trigger's own part; another n8n
 * under another prefix of the same origin differs before that.
 */
function isSibling(one: string[], other: string[]): boolean {
	return one.slice(0, -1).join('/') === other.slice(0, -1).join('/') && one.length === other.length;
}

export function isOwn(place: Place): boolean {
	return place === 'production' || place === 'test';
}

/**
 * Whether a URL is this trigger's to restore. A test run leaves production its URL, but production replaces what a test
 * run left.
 */
export function isOurs(own: OwnUrl, href: string): boolean {
	const place = locate(own, href);
	return own.isTest ? place === 'test' : isOwn(place);
}

/**
 * Whether n8n still finds the trigger at the URL. Of the trigger's own part of the path it decodes and compares every
 * letter; before that it ignores case, and decodes nothing.
 */
export function isRoutable({ tail }: OwnUrl, href: string): boolean {
	const path = (parseUrl(href)?.pathname ?? '').replace(/\/$/, '').split('/');
	const length = tail.split('/').length - 1;
	const [base, rest] = [path.slice(0, -length).join('/'), path.slice(-length).join('/')];
	return decode(base) === base && decode(rest) === decode(tail.slice(1));
}
