import { NodeOperationError } from 'n8n-workflow';
import type { TriggerContext } from '../settings';
import { parseUrl } from '../url';

/** Where n8n takes this trigger's deliveries. */
export interface OwnUrl {
	/** As n8n names it: the test URL in the hooks of a test, else the production URL. */
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
 * Whose a URL is. `moved`: this trigger's path on another origin, so a copy of this n8n, or this one before
 * its address changed; which of them cannot be told, so it counts as somebody else's.
 */
export type Place = 'production' | 'test' | 'moved' | 'foreign';

/** @throws NodeOperationError when n8n has no usable URL for the node */
export function readOwnUrl(context: TriggerContext, isTest: boolean): OwnUrl {
	const href = context.getNodeWebhookUrl('default') ?? '';
	const url = parseUrl(href);
	if (!url) {
		throw new NodeOperationError(
			context.getNode(),
			`n8n has no usable webhook URL for this node ("${href}")`,
			{ description: 'Set WEBHOOK_URL of this n8n to the address at which it can be reached.' },
		);
	}
	const { webhookId, name } = context.getNode();
	// The same as n8n builds the path from.
	const id = webhookId ?? `${context.getWorkflow().id}/${encodeURIComponent(name.toLowerCase())}`;
	return { href, origin: url.origin, path: url.pathname, id, tail: `/${id}/webhook`, isTest };
}

export function locate(own: OwnUrl, href: string): Place {
	const url = parseUrl(href);
	if (!url?.pathname.endsWith(own.tail)) return 'foreign';
	if (url.origin !== own.origin) return 'moved';
	// n8n does not tell a hook both of its URLs, and their first segments can be configured.
	return (url.pathname === own.path) === own.isTest ? 'test' : 'production';
}

export function isOwn(place: Place): boolean {
	return place === 'production' || place === 'test';
}
