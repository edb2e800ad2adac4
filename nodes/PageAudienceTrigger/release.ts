import type { IHookFunctions } from 'n8n-workflow';
import { hasStatus } from '../api/errors';
import { withKeyLock } from '../runtime/keyLock';
import { describeUrl, isRewritten } from '../runtime/url';
import { hasWebhook } from '../webhooks/ownWebhooks';
import { isTriggerUrl } from '../webhooks/triggerUrl';
import { logWarning } from './log';
import { findOwner, isOfThisN8n, type OwnUrl } from './ownUrl';
import { hasTest, readLeft, readProduction } from './registeredUrl';
import { findSnapshot, forgetSnapshot, saveSnapshot, type Snapshot } from './staticData';
import { readCurrent, restore, type SubscriptionState } from './subscription';

export const nullEvents =
	'its list of events was null, which cannot be sent, so the trigger sets all events instead';

/**
 * Ends the use of a subscription, if the trigger still has it.
 * @throws {RequestFailedError | UnexpectedResponseError | SubscriptionError} The snapshot is then kept.
 */
export async function release(
	context: IHookFunctions,
	own: OwnUrl,
	id: string,
	onDeactivate: 'restore' | 'pause',
): Promise<void> {
	await withKeyLock(id, async () => {
		const snapshot = findSnapshot(context, id);
		const current = await readCurrent(context, id).catch(async (error: unknown) => {
			await acceptMissing(context, id, error);
		});
		if (!current) return;
		const { url } = current;
		if (!hasSubscription(own, url)) return await leaveToOthers(context, own, url, snapshot);
		if (onDeactivate === 'pause') {
			const published = readProduction(own, url) ?? current;
			await restore(context, id, current, { ...published, active: false });
			if (snapshot) saveSnapshot(context, { ...snapshot, stayed: true });
			return;
		}
		const original = readLeft(own, url) ?? snapshot;
		const restored = await chooseRestored(context, own, id, original, current);
		await restore(context, id, current, restored);
		forgetSnapshot(context, id);
	});
}

/** Whether the subscription delivers to this trigger. A test run restores only what test runs have changed. */
function hasSubscription(own: OwnUrl, url: string): boolean {
	const owner = findOwner(own, url);
	return owner === 'test' || (owner === 'production' && (!own.isTest || hasTest(url)));
}

/**
 * A subscription that was deleted needs nothing restored. But a wrong Base URL leads to 404, too, and the snapshot is then
 * still needed.
 */
async function acceptMissing(context: IHookFunctions, id: string, error: unknown): Promise<void> {
	if (!hasStatus(error, 404, 410)) throw error;
	const { status } = error.details;
	await logWarning(context, `not found (${status}), so nothing was restored`, id);
	if (status === 410) forgetSnapshot(context, id);
}

async function leaveToOthers(
	context: IHookFunctions,
	own: OwnUrl,
	url: string,
	snapshot: Snapshot | undefined,
): Promise<void> {
	if (!snapshot || own.isTest) return;
	const { subscriptionId: id } = snapshot;
	// Another trigger that took over restores this one's URL at its end, and this n8n may get its address back.
	const mayReturn = findOwner(own, url) === 'moved' || (isOfThisN8n(own, url) && isTriggerUrl(url));
	if (isRewritten(snapshot.url, url)) {
		// After a change whose response was lost, a service may show for a while how the subscription was before.
		saveSnapshot(context, { ...snapshot, stayed: true });
		return;
	}
	if (!mayReturn) forgetSnapshot(context, id);
	await logWarning(context, `left unchanged, because it now delivers to ${describeUrl(url)}`, id);
}

/** What to send in place of this trigger's own settings. */
async function chooseRestored(
	context: IHookFunctions,
	own: OwnUrl,
	id: string,
	original: SubscriptionState | undefined,
	current: SubscriptionState,
): Promise<SubscriptionState> {
	if (!original) {
		const what = 'its original settings are unknown, so the trigger made it inactive';
		await logWarning(context, what, id);
		return { ...current, active: false };
	}
	const { url, events, active } = original;
	if (events === null) await logWarning(context, nullEvents, id);
	const isOfAnother = isOfThisN8n(own, url) && isTriggerUrl(url) && findOwner(own, url) === 'other';
	if (active && isOfAnother && (await hasWebhook(context, url)) === false) {
		const what = `the workflow at ${describeUrl(url)}, which had it before, is not published any more`;
		await logWarning(context, `${what}, so the trigger made it inactive`, id);
		return { url, events, active: false };
	}
	return { url, events, active };
}
