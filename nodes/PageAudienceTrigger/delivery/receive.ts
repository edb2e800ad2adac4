import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { describeError } from '../../nodeErrors';
import { logRarely } from '../log';
import { readTriggerId } from '../ownUrl';
import { readSettings, readVerifyToken } from '../settings';
import { readDelivery } from './delivery';
import { claimDelivery } from './duplicates';
import { readForm } from './form';
import { divide, toDeliveryItems } from './output';
import { keepPages } from './pages';
import { isRegisteredToken, isTokenLike } from './token';

/**
 * Takes one delivery. The response goes out at once: n8n runs the workflow after that. The trigger checks the token before
 * it reads anything else.
 */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		const rejected = readVerifyToken(context) ? await verifyToken(context) : undefined;
		return rejected ?? (await accept(context));
	} catch (error) {
		// It may be a real delivery, and after 503 the service resends it.
		return await reject(context, 503, describeError(error).message);
	}
}

/** @returns undefined where the delivery carries the secret of the registered URL */
async function verifyToken(context: IWebhookFunctions): Promise<IWebhookResponseData | undefined> {
	const { token } = context.getRequestObject().query;
	if (isTokenLike(token) && (await isRegisteredToken(context, token))) return undefined;
	const [why, reason] = token
		? ['its token is not that of the registered URL', 'The token is not the registered one']
		: ['it had no token', 'The request carried no token'];
	return await reject(context, 401, `${why}. ${keepToken}`, reason);
}

const keepToken =
	'If your service sent it, unpublish and publish the workflow, and let the query of the URL through to n8n';

async function accept(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const settings = readSettings(context);
	const delivery = readDelivery(context.getRequestObject(), await readForm(context));
	const { events, pages, ignoreDuplicates, outputFormat, outputKinds } = settings;
	// An unknown event may be a chosen one.
	const ofEvents = delivery.parts.filter(({ kind }) => kind === null || events.includes(kind));
	if (ofEvents.length === 0) return skip('This event was not chosen');
	const chosen = keepPages(ofEvents, pages);
	if (chosen.length === 0) return skip('This page was not chosen');
	// A person who waits for a test event wants to see it, even the second time.
	const drops = ignoreDuplicates && context.getMode() !== 'manual';
	// Services that follow Standard Webhooks send the same ID when they resend a delivery.
	const key = String(delivery.headers['webhook-id'] || delivery.deliveryKey);
	const earlier = drops && claimDelivery(context, readTriggerId(context), key);
	if (earlier === 'pending') return await reject(context, 503, 'the same one has no response yet');
	if (earlier === 'taken') return skip('This is a duplicate');
	const workflowData = toDeliveryItems(outputFormat, divide(chosen, outputKinds), delivery);
	return { workflowData, webhookResponse: { started: true } };
}

function skip(reason: string): IWebhookResponseData {
	return { webhookResponse: { started: false, reason } };
}

/** The response is sent here, because n8n would make a failed execution of anything thrown. */
async function reject(
	context: IWebhookFunctions,
	status: number,
	why: string,
	reason = 'The delivery cannot be accepted at the moment',
): Promise<IWebhookResponseData> {
	await logRarely(context, 'rejected', `rejected a delivery (${status}): ${why}`);
	context.getResponseObject().status(status).json({ started: false, reason });
	return { noWebhookResponse: true };
}
