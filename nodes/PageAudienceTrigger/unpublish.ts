import type { IHookFunctions } from 'n8n-workflow';
import { describeError } from '../errors';
import { readOwnUrl } from './identity';
import { logWarning } from './log';
import { mendAbandoned, release } from './release';
import { isPast, readCurrent } from './service/current';
import { listSubscriptions } from './service/requests';
import { readOnDeactivate, readSettings } from './settings';
import { findSnapshot, forgetSnapshot, readSnapshots, saveSnapshot } from './staticData';
import type { OnDeactivate } from './subscription/changes';
import type { OwnUrl } from './subscription/ownUrl';
import { isUsedBy } from './subscription/ownership';
import { findUse } from './uses';

/**
 * Releases every subscription that this trigger uses: those with a snapshot, and those that have its URL although there
 * is no snapshot. The parameters may name another subscription by now, or none.
 */
export async function unpublish(context: IHookFunctions): Promise<void> {
	const own = readOwnUrl(context, false);
	const onDeactivate = readOnDeactivate(context);
	if (onDeactivate === 'leave') return keepAll(context);
	mendAbandoned(context, own);
	const hasSnapshots = readSnapshots(context).length > 0;
	const { ids, problem } = await findUsed(context, own, readChosen(context));
	const problems: unknown[] = [];
	for (const id of ids) {
		await releaseOne(context, own, id, onDeactivate).catch((error: unknown) =>
			problems.push(error),
		);
	}
	if (problem !== undefined) {
		const what = `the subscriptions could not be listed: ${describeError(problem).message}`;
		logWarning(context, what);
		// Without snapshots, the list alone could have named what to restore.
		if (!hasSnapshots) problems.push(problem);
	}
	if (problems.length) throw problems[0];
}

/** Subscriptions that were chosen earlier and could not be restored then. A failure here does not stop publishing. */
export async function releaseOthers(
	context: IHookFunctions,
	own: OwnUrl,
	chosen: string,
): Promise<void> {
	const { ids } = await findUsed(context, own, []);
	for (const id of ids) {
		if (id === chosen) continue;
		// A pause that failed is still to be made.
		const { onDeactivate = 'restore' } =
			(await findUse(context, { own, subscriptionId: id })) ?? {};
		await releaseOne(context, own, id, onDeactivate).catch((error: unknown) =>
			logWarning(context, `could not be restored: ${describeError(error).message}`, id),
		);
	}
}

/** The subscriptions to release. One that stayed here after an earlier unpublishing counts only if it is chosen again. */
async function findUsed(
	context: IHookFunctions,
	own: OwnUrl,
	chosen: string[],
): Promise<{ ids: string[]; problem?: unknown }> {
	const snapshots = readSnapshots(context);
	const stayed = snapshots.flatMap((each) => (each.stayed ? [each.subscriptionId] : []));
	// If the service does not list them, the one in the parameters is the best guess.
	let problem: unknown;
	const found = await findRegistered(context, own, chosen).catch((error: unknown) => {
		problem = error;
		return chosen;
	});
	const all = new Set([...snapshots.map(({ subscriptionId }) => subscriptionId), ...found]);
	return { ids: [...all].filter((id) => !stayed.includes(id) || chosen.includes(id)), problem };
}

function readChosen(context: IHookFunctions): string[] {
	try {
		return [readSettings(context).subscriptionId];
	} catch {
		// Settings that became invalid are no reason to keep a subscription.
		return [];
	}
}

/**
 * The subscriptions that deliver here, or to a trigger that took over from this one.
 * @param chosen also those of them that the service does not show
 */
export async function findRegistered(
	context: IHookFunctions,
	own: OwnUrl,
	chosen: string[] = [],
): Promise<string[]> {
	const found: string[] = [];
	for (const { subscriptionId, state } of await listSubscriptions(context)) {
		const isUsed = async () => {
			if (state && isUsedBy(own, state)) return true;
			// The list may be late too.
			const isKnown = state && !(await isPast(context, subscriptionId, state));
			return !isKnown && isUsedBy(own, await readCurrent(context, subscriptionId));
		};
		const isRegistered = await isUsed().catch((error: unknown) => {
			logWarning(context, `could not be read: ${describeError(error).message}`, subscriptionId);
			return chosen.includes(subscriptionId);
		});
		if (isRegistered) found.push(subscriptionId);
	}
	return found;
}

async function releaseOne(
	context: IHookFunctions,
	own: OwnUrl,
	subscriptionId: string,
	onDeactivate: OnDeactivate,
): Promise<void> {
	const snapshot = findSnapshot(context, subscriptionId);
	const use = { own, subscriptionId, saved: snapshot?.state, onDeactivate };
	const result = await release(context, use);
	if (result === 'over') forgetSnapshot(context, subscriptionId);
	else if (result === 'paused' && snapshot) saveSnapshot(context, { ...snapshot, stayed: true });
}

/** The snapshots are still needed: the workflow may be published again, and then unpublished with Restore. */
function keepAll(context: IHookFunctions): void {
	for (const snapshot of readSnapshots(context))
		saveSnapshot(context, { ...snapshot, stayed: true });
}
