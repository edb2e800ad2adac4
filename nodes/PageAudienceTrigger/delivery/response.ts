import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { logRarely } from '../log';
import type { OwnUrl } from '../subscription/ownUrl';
import { silenceMs } from './token/registeredToken';
import type { TokenCheck } from './token/verifyToken';

/* What the service gets for a delivery that starts nothing. */

export function skip(reason: string): IWebhookResponseData {
	return { webhookResponse: { started: false, reason } };
}

/** The response is sent here, because n8n would make a failed execution of anything thrown. */
export function reject(
	context: IWebhookFunctions,
	own: OwnUrl,
	{ kind, reason }: Exclude<TokenCheck, { kind: 'accepted' }>,
): IWebhookResponseData {
	const isWrong = kind === 'rejected';
	const status = isWrong ? 401 : 503;
	logRarely(context, own.id, `rejected a delivery (${status}), because ${reason}`);
	const response = context.getResponseObject().status(status);
	if (!isWrong) response.setHeader('retry-after', String(silenceMs / 1_000));
	response.json({
		started: false,
		reason: isWrong
			? 'The token is not the registered one'
			: 'The token cannot be checked at the moment',
	});
	return { noWebhookResponse: true };
}

/**
 * Whether the response is a success in the end. n8n creates the execution after `webhook` has returned, and responds 500
 * if it cannot. A connection that is closed before the response tells the service nothing.
 */
export async function isAccepted(context: IWebhookFunctions): Promise<boolean> {
	const response = context.getResponseObject();
	if (response.destroyed) return false;
	await new Promise<void>((resolve) => {
		response.once('finish', resolve);
		response.once('close', resolve);
	});
	return response.writableEnded && response.statusCode < 400;
}
