import type { IHookFunctions } from 'n8n-workflow';
import { readConnection } from '../api/connection';
import { normalizePath, parseUrl, readReach } from '../runtime/url';
import { isElsewhere, webhookUrlSetting } from '../webhooks/ownWebhooks';
import { logWarning } from './log';
import type { TriggerContext } from './settings';
import { SubscriptionError } from './subscription';

/** Where n8n takes this trigger's deliveries, e.g. `https://n8n.example/webhook/<id>/webhook`. */
export interface OwnUrl {
	/** The test URL in the hooks of a test run, else the production URL: n8n tells a hook only one of them. */
	href: string;
	origin: string;
	/** Differs between production and test, e.g. `/webhook` and `/webhook-test`. */
	prefix: string;
	/** The rest of the path, with the trigger's ID. */
	tail: string;
	isTest: boolean;
}

/** The ID of this trigger in the paths that n8n makes for it. It stays the same after a rename, if n8n gave it one. */
export function readTriggerId(context: TriggerContext): string {
	const { webhookId, name } = context.getNode();
	return webhookId ?? `${context.getWorkflow().id}/${encodeURIComponent(name.toLowerCase())}`;
}

/** @throws {SubscriptionError} when n8n has no usable URL for the node */
export function readOwnUrl(context: TriggerContext, isTest: boolean): OwnUrl {
	const href = context.getNodeWebhookUrl('default') ?? '';
	const url = parseUrl(href);
	if (!url)
		throw new SubscriptionError(
			`n8n has no usable webhook URL for this node ("${href}"). Set ${webhookUrlSetting} to the whole address of this n8n, such as https://n8n.example.com/`,
			'Nothing was changed.',
		);
	const tail = `/${readTriggerId(context)}/webhook`;
	return { href, origin: url.origin, prefix: url.pathname.slice(0, -tail.length), tail, isTest };
}

/**
 * Whose a URL is. `moved` is this trigger's path at another address: a copy of this n8n, or this n8n before its address
 * changed. `hasLeft` tells the two apart where the address responds.
 */
export function findOwner(own: OwnUrl, href: string): 'production' | 'test' | 'moved' | 'other' {
	const [url, ownUrl] = [href, own.href].map((text) => parseUrl(text));
	const [path, ownPath] = [url, ownUrl].map((each) => normalizePath(each?.pathname ?? ''));
	if (!path?.endsWith(normalizePath(own.tail))) return 'other';
	// The scheme makes no difference: a service may write `https:` for `http:`, and a proxy before n8n takes both.
	if (url?.host !== ownUrl?.host) return 'moved';
	return (path === ownPath) === own.isTest ? 'test' : 'production';
}

/** Whether n8n has moved from a URL of this trigger: it leads to no n8n that takes deliveries there, or to this one. */
export async function hasLeft(context: IHookFunctions, own: OwnUrl, href: string) {
	const isMoved = !own.isTest && findOwner(own, href) === 'moved';
	return isMoved && (await isElsewhere(context, href)) === false;
}

/**
 * Refuses an address at which no delivery would arrive.
 * @throws {SubscriptionError}
 */
export async function refuseUnreachable(context: IHookFunctions, own: OwnUrl): Promise<void> {
	if (/%/.test(own.tail))
		throw new SubscriptionError(
			'n8n gave this trigger no webhook ID, and would respond to its deliveries with 404, because its name has a space or a special character. Open the workflow in the editor and save it: n8n then gives the trigger an ID.',
			'Nothing was changed.',
		);
	const { hostname } = await readConnection(context);
	const reach = readReach(parseUrl(own.href)?.hostname ?? '');
	// A service on this machine or in this network reaches the same addresses as n8n.
	if (readReach(hostname) !== 'public' || reach === 'public') return;
	if (reach === 'loopback')
		throw new SubscriptionError(
			`The service cannot reach this n8n at ${own.origin}. Set ${webhookUrlSetting} to an address that can be reached from the internet.`,
			'Nothing was changed.',
		);
	const what = `${own.origin} looks like an address that the service cannot reach. If no deliveries arrive, set ${webhookUrlSetting}, and unpublish and publish the workflow`;
	await logWarning(context, what);
}
