import type { IHookFunctions } from 'n8n-workflow';
import { isUntouched } from '../api/errors';
import { describeError } from '../errors';
import { withKeyLock } from '../runtime/keyLock';
import { connect } from './connect';
import { logWarning } from './log';
import { findSnapshot, forgetSnapshot, listSnapshots, saveSnapshot, type Snapshot } from './memory';
import { findOwner, type OwnUrl, readOwnUrl, refuseUnreachable } from './ownUrl';
import { noEvents, readLeft, refuseInUse, release } from './ownership';
import { makeRegisteredUrl } from './registeredUrl';
import { readOnDeactivate, readSettings, type Settings } from './settings';
import { readCurrent, type SubscriptionState } from './subscription';

/**
 * The workflow is published: the trigger writes down how the subscription was, and makes it deliver here. It owns the
 * subscription until the workflow is unpublished.
 */
export async function publish(context: IHookFunctions): Promise<void> {
	const settings = readSettings(context);
	const own = readOwnUrl(context, false);
	await refuseUnreachable(context, own);
	const { subscriptionId } = settings;
	await withKeyLock(subscriptionId, async () => await takeOver(context, own, settings));
	// Subscriptions that were chosen earlier, and could not be restored then.
	for (const { subscriptionId: id, stayed } of listSnapshots(context)) {
		if (id === subscriptionId || stayed) continue;
		await release(context, own, id, 'restore').catch(async (error: unknown) => {
			await logWarning(context, `could not be restored: ${describeError(error).message}`, id);
		});
	}
}

async function takeOver(context: IHookFunctions, own: OwnUrl, settings: Settings): Promise<void> {
	const { subscriptionId, events } = settings;
	const now = await readCurrent(context, subscriptionId);
	refuseInUse(own, now, settings.takeOver);
	const saved = findSnapshot(context, subscriptionId);
	const before = findBefore(own, now, saved);
	// Before the change is sent: n8n may be killed at any moment.
	if (before) saveSnapshot(context, { subscriptionId, ...before, stayed: false });
	if (before?.events === null && !saved)
		await logWarning(context, `when the trigger restores it, ${noEvents}`, subscriptionId);
	const url = await makeRegisteredUrl(context, own, settings);
	const connecting = connect(context, subscriptionId, now, { url, events, active: true });
	await connecting.catch((error: unknown) => {
		if (!saved && isUntouched(error)) forgetSnapshot(context, subscriptionId);
		throw error;
	});
}

/** How the subscription was before this trigger: as it is now, unless it already delivers here. */
function findBefore(
	own: OwnUrl,
	now: SubscriptionState,
	saved: Snapshot | undefined,
): SubscriptionState | undefined {
	switch (findOwner(own, now.url)) {
		case 'other':
			return now;
		case 'moved':
			return saved ?? now;
		case 'test':
			return readLeft(own, now.url) ?? saved;
		case 'production':
			return saved;
	}
}

/**
 * The workflow is unpublished, or its trigger changed: the trigger releases every subscription that it owns. The
 * parameters may name another one by now, or none.
 */
export async function unpublish(context: IHookFunctions): Promise<void> {
	const own = readOwnUrl(context, false);
	const onDeactivate = readOnDeactivate(context);
	const snapshots = listSnapshots(context);
	if (onDeactivate === 'leave') {
		// Still needed: the workflow may be published again, and then unpublished with Restore.
		for (const snapshot of snapshots) saveSnapshot(context, { ...snapshot, stayed: true });
		return;
	}
	const owned = snapshots.flatMap(({ subscriptionId, stayed }) => (stayed ? [] : [subscriptionId]));
	const problems: unknown[] = [];
	// Without snapshots, the subscription in the parameters is the best guess.
	for (const id of owned.length > 0 ? owned : readChosen(context))
		await release(context, own, id, onDeactivate).catch((error: unknown) => problems.push(error));
	if (problems.length > 0) throw problems[0];
}

function readChosen(context: IHookFunctions): string[] {
	try {
		return [readSettings(context).subscriptionId];
	} catch {
		// Settings that became invalid are no reason to keep a subscription.
		return [];
	}
}
