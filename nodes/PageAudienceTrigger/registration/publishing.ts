import type { IHookFunctions } from 'n8n-workflow';
import { RequestFailedError } from '../../api/failure';
import { describeError } from '../../errors';
import { logWarning } from '../log';
import { readSettings, type Settings } from '../settings';
import { describeUrl } from '../url';
import { applyIntent } from './applyChange';
import { findKeep, forgetKeep, type Keep, readKeeps, writeKeep } from './memory';
import { isOwn, locate, type OwnUrl, readOwnUrl } from './ownUrl';
import { describeNoEvents, findKept, planGiveBack } from './plans';
import { refuseUnreachable } from './reach';
import { adviceWithoutToken, writeUrl } from './registeredUrl';
import { findChange, isEmpty, type State } from './state';
import { changeSubscription, readSubscription } from './subscription';
import { SubscriptionError } from './subscriptionError';

/** Whether the subscription is exactly as publishing leaves it. */
export async function isBorrowed(context: IHookFunctions): Promise<boolean> {
	const settings = readSettings(context);
	const wanted = await describeWanted(context, readOwnUrl(context, false), settings);
	return isEmpty(findChange(await readSubscription(context, settings.subscriptionId), wanted));
}

/** Borrows the subscription, or repairs it where it is this trigger's already. */
export async function borrow(context: IHookFunctions): Promise<void> {
	const settings = readSettings(context);
	const { subscriptionId, takeOver } = settings;
	const own = readOwnUrl(context, false);
	await refuseUnreachable(context, own);
	const wanted = await describeWanted(context, own, settings);
	const remote = await readSubscription(context, subscriptionId);
	const kept = findKept(remote, own, takeOver);
	const isNew = keep(context, own, { subscriptionId, remote, kept });
	await applyIntent(context, {
		subscriptionId,
		before: remote,
		wanted,
		adviceWithoutQuery: settings.verifyToken ? adviceWithoutToken : undefined,
	});
	if (kept?.events === null && isNew)
		logWarning(context, `when it is given back, ${describeNoEvents()}`, subscriptionId);
	await giveBackOthers(context, own, subscriptionId);
}

/** Gives the subscription back, if it is still this trigger's to give. */
export async function giveBack(context: IHookFunctions): Promise<void> {
	const { subscriptionId, onDeactivate } = readSettings(context);
	const found = findKeep(context, subscriptionId);
	if (onDeactivate === 'leave') return markAsStayed(context, found);
	await giveBackOne(context, readOwnUrl(context, false), subscriptionId, found, onDeactivate);
}

/** What was kept still has to be given back, should the workflow be published again, with Restore. */
function markAsStayed(context: IHookFunctions, found: Keep | undefined): void {
	if (found) writeKeep(context, { ...found, stayed: true });
}

/**
 * Writes down how the subscription was, before anything is changed. What was written down earlier and not given
 * back stays: it is older than all that this trigger has set since.
 * @returns whether something new was written down
 */
function keep(
	context: IHookFunctions,
	own: OwnUrl,
	{ subscriptionId, remote, kept }: { subscriptionId: string; remote: State; kept?: State },
): boolean {
	const older = findKeep(context, subscriptionId);
	// Of a subscription that stayed here and was put to another use since, the new use is what counts.
	const isOutdated = older?.stayed === true && !isOwn(locate(own, remote.url));
	if (older && !isOutdated) {
		if (older.stayed) writeKeep(context, { ...older, stayed: false });
		return false;
	}
	if (kept) writeKeep(context, { subscriptionId, state: kept, stayed: false });
	return kept !== undefined;
}

/**
 * One GET and one PATCH at most: changing a published trigger makes n8n call this and `create` in a row, and what is
 * delivered in between goes to the place that is given back.
 */
async function giveBackOne(
	context: IHookFunctions,
	own: OwnUrl,
	subscriptionId: string,
	found: Keep | undefined,
	onDeactivate: 'restore' | 'pause',
): Promise<void> {
	const remote = await readSubscription(context, subscriptionId).catch(acceptGone);
	if (remote === 'gone') {
		logWarning(context, 'it is gone, so there is nothing to give back', subscriptionId);
		return forgetKeep(context, subscriptionId);
	}
	const plan = planGiveBack(remote, own, found?.state, onDeactivate);
	if (!plan) {
		logWarning(
			context,
			`it was left as it is, because it now delivers to ${describeUrl(remote.url)}`,
			subscriptionId,
		);
		// After a change of this n8n's address, what was kept is still what has to be given back one day.
		if (locate(own, remote.url) !== 'moved') forgetKeep(context, subscriptionId);
		return;
	}
	if (plan.note) logWarning(context, plan.note, subscriptionId);
	if (!isEmpty(plan.change)) {
		const after = await changeSubscription(context, subscriptionId, plan.change);
		const missing = Object.keys(findChange(after, { ...after, ...plan.change }));
		if (missing.length) {
			throw new SubscriptionError(
				`The service did not take back the ${missing.join(' and ')} of the webhook subscription`,
				`It should deliver to ${describeUrl(plan.change.url ?? remote.url)}: put that right in the service.`,
			);
		}
	}
	if (onDeactivate === 'restore') forgetKeep(context, subscriptionId);
	else markAsStayed(context, found);
}

function acceptGone(error: unknown): 'gone' {
	if (error instanceof RequestFailedError && [404, 410].includes(error.details.status ?? 0))
		return 'gone';
	throw error;
}

/** Subscriptions that were chosen earlier and could not be given back then. That they cannot now is no obstacle. */
async function giveBackOthers(context: IHookFunctions, own: OwnUrl, chosen: string): Promise<void> {
	for (const other of readKeeps(context)) {
		const { subscriptionId, stayed } = other;
		if (subscriptionId === chosen || stayed) continue;
		await giveBackOne(context, own, subscriptionId, other, 'restore').catch((error: unknown) =>
			logWarning(
				context,
				`it could not be given back: ${describeError(error).message}`,
				subscriptionId,
			),
		);
	}
}

async function describeWanted(
	context: IHookFunctions,
	own: OwnUrl,
	settings: Settings,
): Promise<State> {
	const { subscriptionId, events } = settings;
	return {
		url: await writeUrl(context, own, subscriptionId, settings),
		events,
		active: true,
	};
}
