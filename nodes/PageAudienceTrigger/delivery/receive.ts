import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { readApiKey, readOwnUrl } from '../identity';
import { readSettings, readVerifyToken, type Settings } from '../settings';
import { listSecrets } from '../subscription/secrets';
import { copyToTestRun, forwardToPrevious } from './copies/onward';
import { sendOn } from './copies/send';
import { readDelivery } from './delivery';
import { isAccepted, isRepeated, makeDeliveryKey } from './duplicates';
import { toItems } from './output';
import { keepPages } from './pages';
import { divide } from './parts';
import { reject, type TokenCheck, verifyToken } from './token';

/**
 * Takes one delivery. The response goes out at once: n8n runs the workflow after that. The token comes first, whatever
 * else is wrong, and nothing else is read before it.
 */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const isTest = context.getMode() === 'manual';
	// Here n8n names the production URL even in a test run.
	const own = readOwnUrl(context, false);
	let apiKey: Promise<string> | undefined;
	const readKey = async () => await (apiKey ??= readApiKey(context));
	const { token } = context.getRequestObject().query;
	const mustVerify = readVerifyToken(context);
	let known: Settings | undefined;
	const read = () => (known ??= readSettings(context));
	const readSubscriptions = () => {
		const { subscriptionId, testSubscriptionId } = read();
		// A test run beside production gets copies with production's token.
		return isTest && testSubscriptionId ? [testSubscriptionId, subscriptionId] : [subscriptionId];
	};
	const check: TokenCheck = mustVerify
		? await verifyToken(context, own, token, readSubscriptions, readKey)
		: { kind: 'accepted', tokens: [] };
	if (check.kind !== 'accepted') return reject(context, own, check);

	const settings = read();
	const delivery = readDelivery(context);
	const secrets = [...check.tokens, ...listSecrets(`${own.href}?${delivery.rawQuery}`)];
	const onward = isTest
		? await forwardToPrevious(context, own, delivery)
		: await copyToTestRun(own, delivery, readKey);
	sendOn(context, own, delivery, onward, secrets);
	if (onward.reason !== undefined) return skip(onward.reason);
	const { onlyNamed } = onward;
	const ofChosenKind = delivery.parts.filter(({ kind }) =>
		// An unknown kind may be a chosen one.
		kind === null ? !onlyNamed : settings.events.includes(kind),
	);
	if (ofChosenKind.length === 0)
		return skip(
			onlyNamed ? 'The event is unknown, and a test run added events' : 'This event was not chosen',
		);
	const chosen = await keepPages(ofChosenKind, settings.pages);
	if (chosen.length === 0) return skip('This page was not chosen');
	// A person who waits for a test event wants to see it, even the second time.
	const drops = settings.duplicates === 'drop' && !isTest;
	if (drops && (await isRepeated(own.id, makeDeliveryKey(delivery), isAccepted(context))))
		return skip('This is a duplicate');
	const outputs = divide(chosen, settings.outputKinds);
	const workflowData = toItems(settings.output, outputs, delivery, secrets);
	return { workflowData, webhookResponse: { started: true } };
}

function skip(reason: string): IWebhookResponseData {
	return { webhookResponse: { started: false, reason } };
}
