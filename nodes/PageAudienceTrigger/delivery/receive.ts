import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { readOwnUrl } from '../identity';
import { readSettings, readVerifyToken, type Settings } from '../settings';
import { isTokenLike } from '../subscription/signature';
import { copyToTestRun } from './copies/copyToTestRun';
import { forwardToPrevious } from './copies/forwardToPrevious';
import { readDelivery } from './delivery';
import { makeDeliveryKey } from './deliveryKey';
import { toDetails } from './details';
import { isRepeated } from './duplicates';
import { select } from './kinds';
import { toPayload } from './payload';
import { isAccepted, reject, skip } from './response';
import { type TokenCheck, verifyToken } from './token/verifyToken';

/**
 * Takes one delivery. The response goes out at once: n8n runs the workflow after that. The token comes first, whatever
 * else is wrong, and the body is not read before it.
 */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const isTest = context.getMode() === 'manual';
	// Here n8n names the production URL even in a test run.
	const own = readOwnUrl(context, false);
	const delivery = readDelivery(context);
	const { token } = delivery.query;
	const mustVerify = readVerifyToken(context);
	let known: Settings | undefined;
	const read = () => (known ??= readSettings(context));
	const check = mustVerify
		? await verifyToken(context, own, token, () => listSubscriptions(read(), isTest))
		: accept(token);
	if (check.kind !== 'accepted') return reject(context, own, check);

	const settings = read();
	const { tokens } = check;
	if (isTest) {
		await forwardToPrevious(context, own, delivery, tokens);
	} else {
		const reason = await copyToTestRun(context, own, delivery);
		if (reason !== undefined) return skip(reason);
	}
	const selection = select(delivery, settings.events);
	if (!selection) return skip('This kind of event was not chosen');
	// A person who waits for a test event wants to see it, even the second time.
	const drops = settings.duplicates === 'drop' && !isTest;
	const deliveryKey = drops || settings.output === 'details' ? makeDeliveryKey(delivery) : '';
	if (drops && (await isRepeated(own.id, deliveryKey, isAccepted(context))))
		return skip('This is a duplicate');
	const items =
		settings.output === 'details'
			? [toDetails(selection, delivery, { deliveryKey, receivedAt: new Date() }, tokens)]
			: toPayload(selection, delivery, tokens);
	return { workflowData: [items], webhookResponse: { started: true } };
}

function accept(token: unknown): TokenCheck {
	return { kind: 'accepted', tokens: isTokenLike(token) ? [token] : [] };
}

/** A test run beside production gets copies with production's token. */
function listSubscriptions(
	{ subscriptionId, testSubscriptionId }: Settings,
	isTest: boolean,
): string[] {
	return isTest && testSubscriptionId ? [testSubscriptionId, subscriptionId] : [subscriptionId];
}
