import type { IHookFunctions } from 'n8n-workflow';
import { RequestFailedError } from '../api/failure';
import { isSameUrl } from '../api/url';
import { describeError } from '../errors';
import { describeUrl } from '../parameters/describeUrl';
import { withKeyLock } from '../runtime/keyLock';
import { readOwnUrl } from './identity';
import { logWarning } from './log';
import { restore } from './service/connect';
import { listSubscriptions, readSubscription } from './service/requests';
import { readOnDeactivate, readSettings } from './settings';
import { findSnapshot, forgetSnapshot, readSnapshots, saveSnapshot } from './staticData';
import { type OnDeactivate, planRelease } from './subscription/changes';
import type { OwnUrl } from './subscription/ownUrl';
import { isUsedBy, readOwnership } from './subscription/ownership';

/**
 * Releases every subscription that this trigger uses: those with a snapshot, and those that have its URL although there
 * is no snapshot. The parameters may name another subscription by now, or none.
 */
export async function unpublish(context: IHookFunctions): Promise<void> {
	const own = readOwnUrl(context, false);
	const onDeactivate = readOnDeactivate(context);
	if (onDeactivate === 'leave') return keepAll(context);
	const hasSnapshots = readSnapshots(context).length > 0;
	const { ids, problem } = await findUsed(context, own, readChosen(context));
	const problems: unknown[] = [];
	for (const id of ids) {
		await withKeyLock(id, async () => await release(context, own, id, onDeactivate)).catch(
			(error: unknown) => problems.push(error),
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
		await withKeyLock(id, async () => await release(context, own, id, 'restore')).catch(
			(error: unknown) =>
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
	const found = await findRegistered(context, own).catch((error: unknown) => {
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

/** The subscriptions that deliver here, or to a trigger that took over from this one. */
export async function findRegistered(context: IHookFunctions, own: OwnUrl): Promise<string[]> {
	const all = await listSubscriptions(context);
	return all.flatMap(({ subscriptionId, state }) => (isUsedBy(own, state) ? [subscriptionId] : []));
}

/** The snapshots are still needed: the workflow may be published again, and then unpublished with Restore. */
function keepAll(context: IHookFunctions): void {
	for (const snapshot of readSnapshots(context))
		saveSnapshot(context, { ...snapshot, stayed: true });
}

/**
 * One GET and one PATCH at most: changing a published trigger makes n8n call `delete` and `create` in a row, and what is
 * delivered in between goes to the address from before.
 */
async function release(
	context: IHookFunctions,
	own: OwnUrl,
	subscriptionId: string,
	onDeactivate: OnDeactivate,
): Promise<void> {
	const snapshot = findSnapshot(context, subscriptionId);
	const stored = await readSubscription(context, subscriptionId).catch(acceptMissing);
	if (typeof stored === 'number') return noteMissing(context, subscriptionId, stored);
	const ownership = readOwnership(own, stored, snapshot?.state);
	const plan = planRelease(ownership, onDeactivate);
	if (plan) {
		if (plan.note) logWarning(context, plan.note, subscriptionId);
		await restore(context, subscriptionId, stored, plan.wanted);
		if (onDeactivate === 'restore') return forgetSnapshot(context, subscriptionId);
		if (snapshot) saveSnapshot(context, { ...snapshot, stayed: true });
		return;
	}
	if (!snapshot) return;
	if (!isSameUrl(stored.url, snapshot.state.url)) {
		const elsewhere = describeUrl(stored.url);
		logWarning(context, `left unchanged, because it now delivers to ${elsewhere}`, subscriptionId);
	}
	// After this n8n's address changed, the snapshot still has to be restored one day.
	if (ownership.owner !== 'moved') forgetSnapshot(context, subscriptionId);
}

/** @returns the status that says that there is no such subscription */
function acceptMissing(error: unknown): number {
	const status = error instanceof RequestFailedError ? error.details.status : undefined;
	if (status === 404 || status === 410) return status;
	throw error;
}

function noteMissing(context: IHookFunctions, subscriptionId: string, status: number): void {
	// A wrong Base URL or API key also brings 404, and the snapshot is then still needed.
	if (status === 410) forgetSnapshot(context, subscriptionId);
	logWarning(context, `not found (${status}), so nothing was restored`, subscriptionId);
}
