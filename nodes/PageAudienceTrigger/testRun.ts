import type { IHookFunctions } from 'n8n-workflow';
import { describeError } from '../nodeErrors';
import { withKeyLock } from '../runtime/keyLock';
import { findObstruction, hasWebhook } from '../webhooks/ownWebhooks';
import { claim } from './claim';
import { connect } from './connect';
import { logWarning } from './log';
import { findOwner, type OwnUrl, readOwnUrl, refuseUnreachable } from './ownUrl';
import { makeRegisteredUrl, withTest } from './registeredUrl';
import { release } from './release';
import { readSettings, type TriggerSettings } from './settings';
import { readData, saveRegistration } from './staticData';
import { joinEvents, SubscriptionError, type SubscriptionState } from './subscription';

/** A person waits for an event in the editor. */
export async function beginTest(context: IHookFunctions): Promise<void> {
	const settings = chooseForTest(readSettings(context));
	const own = readOwnUrl(context, true);
	await refuseUnreachable(context, own);
	const { subscriptionId, events } = settings;
	await withKeyLock(subscriptionId, async () => {
		const claimed = await claim(context, own, settings);
		if (!claimed) return;
		const { current, original } = claimed;
		const wanted =
			original && (await isPublished(context, own, original))
				? { url: withTest(original, own), events: joinEvents(original.events, events) }
				: { url: await makeRegisteredUrl(context, own, settings, original), events };
		await connect(context, subscriptionId, current, { ...wanted, active: true });
		saveRegistration(context, subscriptionId, wanted.url, original);
	});
}

/** A test run always uses the Test Subscription if there is one, so that the one of production stays unchanged. */
function chooseForTest(settings: TriggerSettings): TriggerSettings {
	return { ...settings, subscriptionId: settings.testSubscriptionId ?? settings.subscriptionId };
}

/**
 * Whether the subscription belongs to this workflow, and n8n takes its deliveries. It may still deliver to a workflow that
 * was unpublished with Leave. If n8n does not tell, for example because a proxy stands before it, production keeps its URL.
 * @throws {SubscriptionError} where the test's address, known to n8n by now, does not lead here: it would get no copy
 */
async function isPublished(context: IHookFunctions, own: OwnUrl, { url }: SubscriptionState) {
	const isHere = findOwner(own, url) === 'production' && (await hasWebhook(context, url)) !== false;
	const why = isHere && (await findObstruction(context, own.href));
	if (!why) return isHere;
	throw new SubscriptionError(
		`The published workflow could not send copies of events for the test to ${own.origin}${own.prefix}: ${why}`,
		'Nothing was changed.',
	);
}

/** It never throws: n8n does not catch what a test run throws at its end, and would go on listening. */
export async function endTest(context: IHookFunctions): Promise<void> {
	try {
		const own = readOwnUrl(context, true);
		const { subscriptionId } = chooseForTest(readSettings(context));
		const ids = readData(context).snapshots.map((each) => each.subscriptionId);
		// A service may try the URL before it responds: the test run then ends before n8n has its static data.
		for (const id of ids.length > 0 ? ids : [subscriptionId])
			await release(context, own, id, 'restore');
	} catch (error) {
		const { message } = describeError(error);
		await logWarning(context, `could not be restored after the test run: ${message}`);
	}
}
