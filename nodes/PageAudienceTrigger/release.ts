import { sleep } from 'n8n-workflow';
import { hasStatus } from '../api/errors';
import { isSameUrl } from '../api/url';
import { describeError } from '../errors';
import { describeUrl } from '../parameters/describeUrl';
import { toError } from '../parameters/problem';
import { withKeyLock } from '../runtime/keyLock';
import { logWarning } from './log';
import { restore } from './service/connect';
import { readCurrent } from './service/current';
import type { TriggerContext } from './settings';
import type { OwnUrl } from './subscription/ownUrl';
import { planRelease, planTestEnd, type ReleasePlan } from './subscription/changes';
import {
	findUse,
	forgetUse,
	isMendable,
	listAbandoned,
	noteUse,
	recallOwnership,
	type Use,
} from './uses';

/** `over`: nothing is left to restore. `paused`: the subscription still has the trigger's URL. `open`: not yet known. */
export type Release = 'over' | 'paused' | 'open';

/**
 * Ends the use of a subscription. One GET and one PATCH where the service is not late: changing a published trigger
 * makes n8n call `delete` and `create` in a row, and what is delivered meanwhile goes to the address from before.
 * @throws {RequestFailedError | SubscriptionError}
 */
export async function release(context: TriggerContext, use: Use): Promise<Release> {
	return await withKeyLock(use.subscriptionId, async () => await releaseLocked(context, use));
}

async function releaseLocked(context: TriggerContext, use: Use): Promise<Release> {
	const result = await endUse(context, use).catch(toError);
	if (result instanceof Error) {
		await noteUse(context, use, { isAbandoned: true });
		throw result;
	}
	// Only this process may know what a test run has to restore: it may be found later.
	if (result === 'open' && use.own.isTest) await noteUse(context, use, { isAbandoned: true });
	else await forgetUse(context, use);
	return result;
}

async function endUse(context: TriggerContext, use: Use): Promise<Release> {
	const { own, subscriptionId, saved, onDeactivate } = use;
	const stored = await readCurrent(context, subscriptionId).catch(acceptMissing);
	if (typeof stored === 'number') {
		logWarning(context, `not found (${stored}), so nothing was restored`, subscriptionId);
		// A wrong Base URL or API key also brings 404, and the snapshot is then still needed.
		return stored === 410 ? 'over' : 'open';
	}
	const ownership = await recallOwnership(context, use, stored);
	// What the service shows may be late, so the state from before is sent even where it seems to be there already. n8n ends
	// a test run once for each delivery that it got, and only the first of them has to do so.
	const isBefore = saved !== undefined && isSameUrl(stored.url, saved.url);
	const isEnded = own.isTest && !(await findUse(context, use));
	const repeat =
		isBefore && !isEnded && onDeactivate === 'restore' ? { wanted: stored } : undefined;
	const plan: ReleasePlan | undefined =
		(own.isTest ? planTestEnd(ownership) : planRelease(ownership, onDeactivate)) ?? repeat;
	if (plan) {
		if (plan.note) logWarning(context, plan.note, subscriptionId);
		await restore(context, subscriptionId, stored, plan.wanted);
		return onDeactivate === 'restore' ? 'over' : 'paused';
	}
	if (saved && !isBefore && !own.isTest) {
		const elsewhere = describeUrl(stored.url);
		logWarning(context, `left unchanged, because it now delivers to ${elsewhere}`, subscriptionId);
	}
	// After this n8n's address changed, the snapshot still has to be restored one day.
	return isBefore || ownership.owner === 'moved' ? 'open' : 'over';
}

/** @returns the status that says that there is no such subscription */
function acceptMissing(error: unknown): number {
	if (hasStatus(error, 404, 410)) return error.details.status;
	throw error;
}

/** A test run that a person waits for begins all the same. */
const mendingMs = 5_000;

/**
 * Restores what other triggers of this process had to leave behind, beside the work of the trigger at hand. It comes first where
 * both are about the same subscription. A failure here is no failure of that work.
 * @returns waits for it, but not long
 */
export function mendAbandoned(context: TriggerContext, own: OwnUrl): () => Promise<void> {
	const left = listAbandoned().filter((use) => use.own.href !== own.href);
	const mending = Promise.all(
		left.map(async (use) => {
			const { subscriptionId } = use;
			await withKeyLock(subscriptionId, async () => {
				if (await isMendable(context, use)) await releaseLocked(context, use);
			}).catch((error: unknown) => {
				const what = `could not be restored: ${describeError(error).message}`;
				logWarning(context, what, subscriptionId);
			});
		}),
	);
	return async () => {
		await Promise.race([mending, sleep(mendingMs)]);
	};
}
