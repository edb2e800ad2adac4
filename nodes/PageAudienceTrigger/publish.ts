import type { IHookFunctions } from 'n8n-workflow';
import { withKeyLock } from '../runtime/keyLock';
import { makeOwnToken, readOwnUrl } from './identity';
import { logWarning } from './log';
import { refuseUnreachable } from './reach';
import { mendAbandoned } from './release';
import { connect } from './service/connect';
import { readCurrent } from './service/current';
import { readSettings, type Settings } from './settings';
import { findSnapshot, forgetSnapshot, saveSnapshot } from './staticData';
import { isInChain } from './subscription/chain';
import { makeRegisteredUrl, notes } from './subscription/changes';
import type { OwnUrl } from './subscription/ownUrl';
import { refuseInUse } from './subscription/ownership';
import { releaseOthers } from './unpublish';
import { forgetUse, noteUse, recallOwnership } from './uses';

/** Takes the subscription over, or repairs it if this trigger already has it. */
export async function publish(context: IHookFunctions): Promise<void> {
	const settings = readSettings(context);
	const own = readOwnUrl(context, false);
	await refuseUnreachable(context, own);
	const mended = mendAbandoned(context, own);
	const token = await makeOwnToken(context, own, settings);
	const { subscriptionId } = settings;
	await withKeyLock(subscriptionId, async () => await takeOver(context, own, settings, token));
	await releaseOthers(context, own, subscriptionId);
	await mended();
}

async function takeOver(
	context: IHookFunctions,
	own: OwnUrl,
	settings: Settings,
	token: string | undefined,
): Promise<void> {
	const { subscriptionId, events } = settings;
	const stored = await readCurrent(context, subscriptionId);
	const saved = findSnapshot(context, subscriptionId)?.state;
	const ownership = await recallOwnership(context, { own, subscriptionId, saved }, stored);
	refuseInUse(ownership, settings.takeOver);
	const { snapshot } = ownership;
	// Before the first change is sent.
	if (snapshot) saveSnapshot(context, { subscriptionId, state: snapshot, stayed: false });
	// n8n's older engine loses what was just saved, if this fails.
	const use = { own, subscriptionId, saved: snapshot, onDeactivate: 'restore' } as const;
	await noteUse(context, use, { isAbandoned: false });
	await connect(context, own, {
		subscriptionId,
		before: stored,
		wanted: { url: makeRegisteredUrl(ownership, token), events, active: true },
		onUndone: async () => {
			if (!ownership.isOurs) forgetSnapshot(context, subscriptionId);
			await forgetUse(context, use);
		},
	});
	await forgetUse(context, use);
	// This trigger is still in the chain where it has no snapshot to put in its own place.
	if (snapshot && isInChain(snapshot, own)) logWarning(context, notes.unknown, subscriptionId);
	if (snapshot?.events === null && !saved)
		logWarning(context, `when the trigger restores it, ${notes.noEvents}`, subscriptionId);
}
