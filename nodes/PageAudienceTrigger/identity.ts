import { NodeOperationError } from 'n8n-workflow';
import { readConnection } from '../api/connection';
import { parseUrl } from '../api/parseUrl';
import type { Settings, TriggerContext } from './settings';
import type { OwnUrl } from './subscription/ownUrl';
import { makeToken } from './subscription/signature';

/** The same in all that a trigger does, and after a rename. As n8n builds the path. */
export function readTriggerId(context: TriggerContext): string {
	const { webhookId, name } = context.getNode();
	return webhookId ?? `${context.getWorkflow().id}/${encodeURIComponent(name.toLowerCase())}`;
}

/** @throws NodeOperationError when n8n has no usable URL for the node */
export function readOwnUrl(context: TriggerContext, isTest: boolean): OwnUrl {
	const id = readTriggerId(context);
	const href = context.getNodeWebhookUrl('default') ?? '';
	const url = parseUrl(href);
	if (!url) {
		throw new NodeOperationError(
			context.getNode(),
			`n8n has no usable webhook URL for this node ("${href}")`,
			{ description: 'Set WEBHOOK_URL to the address at which this n8n can be reached.' },
		);
	}
	return { href, origin: url.origin, path: url.pathname, id, tail: `/${id}/webhook`, isTest };
}

/** @throws {RangeError} when there is none: everybody could make its tokens */
export async function readApiKey(context: TriggerContext): Promise<string> {
	const { apiKey } = await readConnection(context);
	if (apiKey === '') throw new RangeError('The API Key in the credential is empty');
	return apiKey;
}

/** The secret to register, if deliveries must carry one. */
export async function makeOwnToken(
	context: TriggerContext,
	{ id }: OwnUrl,
	{ subscriptionId, verifyToken }: Settings,
): Promise<string | undefined> {
	return verifyToken ? makeToken(await readApiKey(context), id, subscriptionId) : undefined;
}
