import type { IHookFunctions } from 'n8n-workflow';
import { hasStatus } from '../api/errors';
import { hasWebhook } from '../api/ownWebhooks';
import { readParameter } from '../api/url';
import { describeError } from '../errors';
import { withKeyLock } from '../runtime/keyLock';
import { connect, UrlChangedError } from './connect';
import { logWarning } from './log';
import { listSnapshots, saveSnapshot, saveToken } from './memory';
import { findOwner, type OwnUrl, readOwnUrl, refuseUnreachable } from './ownUrl';
import { readLeft, refuseInUse, release } from './ownership';
import { makeRegisteredUrl, withBack, withoutTest, withTest } from './registeredUrl';
import { readSettings, type Settings } from './settings';
import { joinEvents, readCurrent, type SubscriptionState } from './subscription';

/** A person waits for an event in the editor. */
export async function beginTest(context: IHookFunctions): Promise<void> {
	const settings = chooseForTest(readSettings(context));
	const own = readOwnUrl(context, true);
	await refuseUnreachable(context, own);
	const { subscriptionId: id, takeOver } = settings;
	await withKeyLock(id, async () => {
		const now = await readCurrent(context, id);
		refuseInUse(own, now, takeOver);
		const before = findBefore(own, now);
		if (before) saveSnapshot(context, { subscriptionId: id, ...before });
		const isBeside = before !== undefined && (await isPublished(context, own, before));
		if (isBeside) await listenBeside(context, own, settings, now, before);
		else await listenAlone(context, own, settings, now, before);
	});
}

/** A test run always uses the Test Subscription if there is one, so that the one of production stays unchanged. */
function chooseForTest(settings: Settings): Settings {
	return { ...settings, subscriptionId: settings.testSubscriptionId ?? settings.subscriptionId };
}

/** How the subscription was before any test run. undefined where a test run that crashed left nothing to tell. */
function findBefore(own: OwnUrl, now: SubscriptionState): SubscriptionState | undefined {
	switch (findOwner(own, now.url)) {
		case 'test':
			return readLeft(own, now.url);
		case 'production':
			return readLeft(own, now.url) ?? { ...now, url: withoutTest(now.url) };
		default:
			// Another receiver may have parameters of these names.
			return now;
	}
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

/** The published workflow keeps its URL, and sends copies to the test run. */
async function listenBeside(
	context: IHookFunctions,
	own: OwnUrl,
	{ subscriptionId, events }: Settings,
	now: SubscriptionState,
	before: SubscriptionState,
): Promise<void> {
	// Copies carry the token of production.
	saveToken(context, readParameter(before.url, 'token'));
	const url = withTest(before.url, own);
	const wanted = { url, events: joinEvents(before.events, events), active: true };
	await connectWithBack(context, subscriptionId, now, { before, wanted });
}

/** The test run takes the subscription, and restores it at its end. */
async function listenAlone(
	context: IHookFunctions,
	own: OwnUrl,
	settings: Settings,
	now: SubscriptionState,
	before: SubscriptionState | undefined,
): Promise<void> {
	const { subscriptionId, events } = settings;
	const url = await makeRegisteredUrl(context, own, settings);
	const wanted = { url, events, active: true };
	if (before) await connectWithBack(context, subscriptionId, now, { before, wanted });
	else await connect(context, subscriptionId, now, wanted);
}

/** Its URL says what to restore, because a crash loses the memory of a test run. */
async function connectWithBack(
	context: IHookFunctions,
	id: string,
	now: SubscriptionState,
	{ before, wanted }: { before: SubscriptionState; wanted: SubscriptionState },
): Promise<void> {
	const long = { ...wanted, url: withBack(wanted.url, before) };
	await connect(context, id, now, long).catch(async (error: unknown) => {
		const isRefused = error instanceof UrlChangedError || hasStatus(error, 400, 413, 414, 422);
		if (!isRefused) throw error;
		// The service may not accept so long a URL, which only a crash needs.
		await connect(context, id, now, wanted);
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
