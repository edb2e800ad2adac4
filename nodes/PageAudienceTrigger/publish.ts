import type { IHookFunctions } from 'n8n-workflow';
import { isUntouched } from '../api/errors';
import { describeError } from '../nodeErrors';
import { withKeyLock } from '../runtime/keyLock';
import { readParameter } from '../runtime/url';
import { claim } from './claim';
import { connect } from './connect';
import { logWarning } from './log';
import { type OwnUrl, readOwnUrl, refuseUnreachable } from './ownUrl';
import { makeRegisteredUrl } from './registeredUrl';
import { nullEvents, release } from './release';
import { readOnDeactivate, readSettings, type TriggerSettings } from './settings';
import { forgetSnapshot, listSnapshots, saveSnapshot, saveToken } from './staticData';

/**
 * The workflow is published: the trigger saves how the subscription was, and makes it deliver here. It owns the
 * subscription until the workflow is unpublished.
 */
export async function publish(context: IHookFunctions): Promise<void> {
	const settings = readSettings(context);
	const own = readOwnUrl(context, false);
	await refuseUnreachable(context, own);
	const { subscriptionId } = settings;
	await withKeyLock(subscriptionId, async () => await take(context, own, settings));
	// Subscriptions that were chosen earlier, and could not be restored then.
	for (const { subscriptionId: id, stayed } of listSnapshots(context)) {
		if (id === subscriptionId || stayed) continue;
		await release(context, own, id, 'restore').catch(async (error: unknown) => {
			await logWarning(context, `could not be restored: ${describeError(error).message}`, id);
		});
	}
}

async function take(context: IHookFunctions, own: OwnUrl, settings: TriggerSettings) {
	const { subscriptionId, events } = settings;
	const { current, original, wasSaved } = await claim(context, own, settings);
	if (original?.events === null && !wasSaved)
		await logWarning(context, `when the trigger restores it, ${nullEvents}`, subscriptionId);
	const url = await makeRegisteredUrl(context, own, settings);
	saveToken(context, readParameter(url, 'token'));
	const connecting = connect(context, subscriptionId, current, { url, events, active: true });
	await connecting.catch((error: unknown) => {
		if (!wasSaved && isUntouched(error)) forgetSnapshot(context, subscriptionId);
		throw error;
	});
}

/**
 * The workflow is unpublished, or its trigger changed: the trigger releases every subscription that it owns, whichever
 * one the parameters name by then.
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
	for (const id of owned.length > 0 ? owned : listChosen(context))
		await release(context, own, id, onDeactivate).catch((error: unknown) => problems.push(error));
	if (problems.length > 0) throw problems[0];
}

function listChosen(context: IHookFunctions): string[] {
	try {
		return [readSettings(context).subscriptionId];
	} catch {
		// Settings that became invalid must not stop the workflow from being unpublished.
		return [];
	}
}
