import type { IHookFunctions } from 'n8n-workflow';
import { hasStatus } from '../api/errors';
import { describeError } from '../nodeErrors';
import { withKeyLock } from '../runtime/keyLock';
import { readParameter } from '../runtime/url';
import { hasWebhook } from '../webhooks/ownWebhooks';
import { claim } from './claim';
import { connect, UrlChangedError } from './connect';
import { logWarning } from './log';
import { findOwner, type OwnUrl, readOwnUrl, refuseUnreachable } from './ownUrl';
import { makeRegisteredUrl, withBack, withTest } from './registeredUrl';
import { release } from './release';
import { readSettings, type TriggerSettings } from './settings';
import { listSnapshots, saveToken } from './staticData';
import { joinEvents, type SubscriptionState } from './subscription';

/** A person waits for an event in the editor. */
export async function beginTest(context: IHookFunctions): Promise<void> {
	const settings = chooseForTest(readSettings(context));
	const own = readOwnUrl(context, true);
	await refuseUnreachable(context, own);
	const { subscriptionId, events } = settings;
	await withKeyLock(subscriptionId, async () => {
		const { current, original } = await claim(context, own, settings);
		const wanted =
			original && (await isPublished(context, own, original))
				? listenBeside(own, settings, original)
				: { url: await makeRegisteredUrl(context, own, settings), events, active: true };
		saveToken(context, readParameter(wanted.url, 'token'));
		await connectWithBack(context, subscriptionId, current, wanted, original);
	});
}

/** The published workflow keeps its URL and token, and sends copies to the test run. */
function listenBeside(
	own: OwnUrl,
	{ events }: TriggerSettings,
	published: SubscriptionState,
): SubscriptionState {
	const url = withTest(published.url, own);
	return { url, events: joinEvents(published.events, events), active: true };
}

/** A test run always uses the Test Subscription if there is one, so that the one of production stays unchanged. */
function chooseForTest(settings: TriggerSettings): TriggerSettings {
	return { ...settings, subscriptionId: settings.testSubscriptionId ?? settings.subscriptionId };
}

/**
 * Whether the subscription belongs to this workflow, and n8n takes its deliveries. It may still deliver to a workflow that
 * was unpublished with Leave. If n8n does not tell, for example because a proxy stands before it, production keeps its URL.
 */
async function isPublished(
	context: IHookFunctions,
	own: OwnUrl,
	{ url }: SubscriptionState,
): Promise<boolean> {
	return findOwner(own, url) === 'production' && (await hasWebhook(context, url)) !== false;
}

/** The URL says what to restore, because a crash loses the static data of a test run. */
async function connectWithBack(
	context: IHookFunctions,
	id: string,
	current: SubscriptionState,
	wanted: SubscriptionState,
	original: SubscriptionState | undefined,
): Promise<void> {
	const long = original && { ...wanted, url: withBack(wanted.url, original) };
	await connect(context, id, current, long ?? wanted).catch(async (error: unknown) => {
		const isRefused = error instanceof UrlChangedError || hasStatus(error, 400, 413, 414, 422);
		if (!long || !isRefused) throw error;
		// The service may not accept so long a URL, which only a crash needs.
		await connect(context, id, current, wanted);
	});
}

/** It never throws: n8n does not catch what a test run throws at its end, and would go on listening. */
export async function endTest(context: IHookFunctions): Promise<void> {
	try {
		const own = readOwnUrl(context, true);
		const { subscriptionId } = chooseForTest(readSettings(context));
		const ids = listSnapshots(context).map((each) => each.subscriptionId);
		// A service may try the URL before it responds: the test run then ends before n8n has its static data.
		for (const id of ids.length > 0 ? ids : [subscriptionId])
			await release(context, own, id, 'restore');
	} catch (error) {
		const { message } = describeError(error);
		await logWarning(context, `could not be restored after the test run: ${message}`);
	}
}
