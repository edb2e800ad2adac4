import type { IHookFunctions } from 'n8n-workflow';
import { describeError } from '../errors';
import { runTasks } from '../runtime/runTasks';
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
	const problems: unknown[] = [];
	const used = listUsed(context, own, readChosen(context), (error) => {
		const what = `the subscriptions could not be listed: ${describeError(error).message}`;
		logWarning(context, what);
		// Without snapshots, the list alone could have named what to restore.
		if (!hasSnapshots) problems.push(error);
	});
	for await (const id of used) {
		await releaseOne(context, own, id, onDeactivate).catch((error: unknown) =>
			problems.push(error),
		);
	}
	if (problems.length) throw problems[0];
}

/** Subscriptions that were chosen earlier and could not be restored then. A failure here does not stop publishing. */
export async function releaseOthers(
	context: IHookFunctions,
	own: OwnUrl,
	chosen: string,
): Promise<void> {
	for await (const id of listUsed(context, own, [])) {
		if (id === chosen) continue;
		// A pause that failed is still to be made.
		const { onDeactivate = 'restore' } =
			(await findUse(context, { own, subscriptionId: id })) ?? {};
		await releaseOne(context, own, id, onDeactivate).catch((error: unknown) =>
			logWarning(context, `could not be restored: ${describeError(error).message}`, id),
		);
	}
}

/**
 * The subscriptions to release: first those with a snapshot, because the others in the list may take long to read. One
 * that stayed here after an earlier unpublishing counts only if it is chosen again.
 */
async function* listUsed(
	context: IHookFunctions,
	own: OwnUrl,
	chosen: string[],
	onProblem?: (error: unknown) => void,
): AsyncGenerator<string> {
	const over = new Set<string>();
	for (const { subscriptionId, stayed } of readSnapshots(context)) {
		over.add(subscriptionId);
		if (!stayed || chosen.includes(subscriptionId)) yield subscriptionId;
	}
	// If the service does not list them, the one in the parameters is the best guess.
	const rest = { chosen, over };
	const found = await findRegistered(context, own, rest).catch((error: unknown) => {
		onProblem?.(error);
		return chosen.filter((id) => !over.has(id));
	});
	yield* found;
}

function readChosen(context: IHookFunctions): string[] {
	try {
		return [readSettings(context).subscriptionId];
	} catch {
		// Settings that became invalid are no reason to keep a subscription.
		return [];
	}
}

/** What the list does not show is read singly. */
const readsAtOnce = 5;

/**
 * The subscriptions that deliver here, or to a trigger that took over from this one.
 * @param given `chosen`: those of them that the service does not show count too; `over`: those that need no look
 */
export async function findRegistered(
	context: IHookFunctions,
	own: OwnUrl,
	{ chosen = [], over }: { chosen?: string[]; over?: ReadonlySet<string> } = {},
): Promise<string[]> {
	const listed = new Map(
		(await listSubscriptions(context)).map(({ subscriptionId, state }) => [subscriptionId, state]),
	);
	const left = [...listed].filter(([subscriptionId]) => !over?.has(subscriptionId));
	const finding = left.map(([subscriptionId, state]) => {
		const isUsed = async () => {
			if (state && isUsedBy(own, state)) return true;
			// The list may be late too.
			const isKnown = state && !(await isPast(context, subscriptionId, state));
			return !isKnown && isUsedBy(own, await readCurrent(context, subscriptionId));
		};
		const isRegistered = async () =>
			await isUsed().catch((error: unknown) => {
				logWarning(context, `could not be read: ${describeError(error).message}`, subscriptionId);
				return chosen.includes(subscriptionId);
			});
		return { locks: [], run: async () => ((await isRegistered()) ? [subscriptionId] : []) };
	});
	const results = await runTasks(finding, readsAtOnce, () => true);
	return results.flatMap((each) => (each.status === 'done' ? each.value : []));
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
