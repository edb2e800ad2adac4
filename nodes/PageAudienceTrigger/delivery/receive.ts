import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { logRejection } from '../log';
import { readTestMemory } from '../registration/memory';
import { readOwnUrl } from '../registration/ownUrl';
import { readSettings, type Settings } from '../settings';
import { copyToTest, forwardToKept } from './copies';
import { readDelivery } from './delivery';
import { isDuplicate, makeFingerprint } from './duplicates';
import { recognizeKind } from './kinds';
import { toDetails, toPayload } from './output';
import { isTokenLike, type Verdict, verifyToken } from './verifyToken';

/** Takes one delivery. It is answered at once: n8n runs the workflow after that. */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const settings = readSettings(context);
	const isTest = context.getMode() === 'manual';
	// Here n8n names the production URL also in a test.
	const own = readOwnUrl(context, false);
	const delivery = readDelivery(context);
	const { token } = delivery.query;
	const verdict: Verdict = settings.verifyToken
		? await verifyToken(context, own, listSubscriptions(settings, isTest), token)
		: { accepted: true, tokens: isTokenLike(token) ? [token] : [] };
	if (!verdict.accepted) return rejectDelivery(context, own.id, verdict.reason);

	const { tokens } = verdict;
	const eventKind = recognizeKind(delivery);
	if (isTest) {
		forwardToKept(context, own, readTestMemory(context), delivery, { kind: eventKind, tokens });
	} else {
		copyToTest(context, own, delivery);
	}
	if (eventKind !== null && !settings.events.includes(eventKind)) {
		return { webhookResponse: { started: false, reason: 'This kind of event was not chosen' } };
	}
	// Whoever listens for a test event wants to see it, also for the second time.
	const drops = settings.duplicates === 'drop' && !isTest;
	const deliveryKey = drops || settings.output === 'details' ? makeFingerprint(delivery) : '';
	if (drops && isDuplicate(own.id, deliveryKey)) {
		return { webhookResponse: { started: false, reason: 'An equal delivery has come before' } };
	}
	const items =
		settings.output === 'details'
			? [toDetails(delivery, { eventKind, deliveryKey, receivedAt: new Date() }, tokens)]
			: toPayload(delivery, tokens);
	return { workflowData: [items], webhookResponse: { started: true } };
}

/** A test beside production gets copies with production's token. */
function listSubscriptions(
	{ subscriptionId, testSubscriptionId }: Settings,
	isTest: boolean,
): string[] {
	return isTest && testSubscriptionId ? [testSubscriptionId, subscriptionId] : [subscriptionId];
}

/** Answered here, because n8n would make a failed execution of anything thrown. */
function rejectDelivery(
	context: IWebhookFunctions,
	id: string,
	reason: string,
): IWebhookResponseData {
	logRejection(context, id, `a delivery was refused (401), because ${reason}`);
	context
		.getResponseObject()
		.status(401)
		.json({ started: false, reason: 'The token is not the registered one' });
	return { noWebhookResponse: true };
}
