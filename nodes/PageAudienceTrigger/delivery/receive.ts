import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { type OwnUrl, readOwnUrl } from '../address/ownUrl';
import { isTokenLike } from '../address/signature';
import { logRarely } from '../log';
import { readTestMemory } from '../registration/memory';
import { readSettings, readVerifyToken, type Settings } from '../settings';
import { copyToTest, forwardToKept, isCopy, readTestOrder } from './copies';
import { type Delivery, readDelivery } from './delivery';
import { isDuplicate, makeFingerprint } from './duplicates';
import { select } from './kinds';
import { toDetails, toPayload } from './output';
import { silenceMs, type Verdict, verifyToken } from './verifyToken';

/**
 * Takes one delivery. The response goes out at once: n8n runs the workflow after that. The token comes first, whatever
 * else is wrong, and the body is not read before it.
 */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const isTest = context.getMode() === 'manual';
	// Here n8n names the production URL also in a test run.
	const own = readOwnUrl(context, false);
	const delivery = readDelivery(context);
	let known: Settings | undefined;
	const read = () => (known ??= readSettings(context));
	const verdict = await judge(context, own, delivery, () => listSubscriptions(read(), isTest));
	if (verdict.kind !== 'accepted') return reject(context, own, verdict);

	const settings = read();
	const { tokens } = verdict;
	if (isTest) {
		await forwardToKept(context, own, readTestMemory(context), delivery, tokens);
	} else {
		if (await isCopy(context, own, delivery)) return skip('This is a copy for a test run');
		const order = await readTestOrder(context, own, delivery);
		if (order) await copyToTest(context, own, order, delivery);
		if (order?.before.active === false) {
			const what =
				'a delivery went to a test run alone, because the subscription was paused before it';
			logRarely(context, `${own.id}:paused`, `${what}. Publish again to end the pause.`);
			return skip('The subscription is paused');
		}
	}
	const selection = select(delivery, settings.events);
	if (!selection) return skip('This kind of event was not chosen');
	// A person who waits for a test event wants to see it, also the second time.
	const drops = settings.duplicates === 'drop' && !isTest;
	const deliveryKey = drops || settings.output === 'details' ? makeFingerprint(delivery) : '';
	if (drops && isDuplicate(own.id, deliveryKey)) return skip('This is a duplicate');
	const items =
		settings.output === 'details'
			? [toDetails(selection, delivery, { deliveryKey, receivedAt: new Date() }, tokens)]
			: toPayload(selection, delivery, tokens);
	return { workflowData: [items], webhookResponse: { started: true } };
}

async function judge(
	context: IWebhookFunctions,
	own: OwnUrl,
	{ query: { token } }: Delivery,
	readSubscriptions: () => string[],
): Promise<Verdict> {
	if (readVerifyToken(context)) return await verifyToken(context, own, readSubscriptions, token);
	return { kind: 'accepted', tokens: isTokenLike(token) ? [token] : [] };
}

/** A test run beside production gets copies with production's token. */
function listSubscriptions(
	{ subscriptionId, testSubscriptionId }: Settings,
	isTest: boolean,
): string[] {
	return isTest && testSubscriptionId ? [testSubscriptionId, subscriptionId] : [subscriptionId];
}

function skip(reason: string): IWebhookResponseData {
	return { webhookResponse: { started: false, reason } };
}

/** The response is sent here, because n8n would make a failed execution of anything thrown. */
function reject(
	context: IWebhookFunctions,
	own: OwnUrl,
	{ kind, reason }: Exclude<Verdict, { kind: 'accepted' }>,
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
