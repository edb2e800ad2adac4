import type { IHookFunctions } from 'n8n-workflow';
import { readParameter } from '../api/url';
import { withKeyLock } from '../runtime/keyLock';
import { makeOwnToken, readOwnUrl } from './identity';
import { logWarning } from './log';
import { refuseUnreachable } from './reach';
import { connect } from './service/connect';
import { readSubscription } from './service/requests';
import { readSettings, type Settings } from './settings';
import { findSnapshot, saveSnapshot } from './staticData';
import { isInChain } from './subscription/chain';
import { makeProductionUrl, notes } from './subscription/changes';
import { findOwner, type OwnUrl } from './subscription/ownUrl';
import { readOwnership, refuseInUse } from './subscription/ownership';
import { urlParameters } from './subscription/registeredUrl';
import { isSameSet } from './subscription/state';
import { releaseOthers } from './unpublish';

/** Whether the subscription and the static data are as publishing leaves them. */
export async function isConnected(context: IHookFunctions): Promise<boolean> {
	const settings = readSettings(context);
	if (findSnapshot(context, settings.subscriptionId)?.stayed) return false;
	const own = readOwnUrl(context, false);
	const token = await makeOwnToken(context, own, settings);
	const { url, events, active } = await readSubscription(context, settings.subscriptionId);
	return (
		findOwner(own, url) === 'production' &&
		readParameter(url, urlParameters.token) === token &&
		readParameter(url, urlParameters.test) === undefined &&
		isSameSet(events, settings.events) &&
		active
	);
}

/** Takes the subscription over, or repairs it if this trigger already has it. */
export async function publish(context: IHookFunctions): Promise<void> {
	const settings = readSettings(context);
	const own = readOwnUrl(context, false);
	await refuseUnreachable(context, own);
	const token = await makeOwnToken(context, own, settings);
	const { subscriptionId } = settings;
	await withKeyLock(subscriptionId, async () => await takeOver(context, own, settings, token));
	await releaseOthers(context, own, subscriptionId);
}

async function takeOver(
	context: IHookFunctions,
	own: OwnUrl,
	settings: Settings,
	token: string | undefined,
): Promise<void> {
	const { subscriptionId, events } = settings;
	const stored = await readSubscription(context, subscriptionId);
	const saved = findSnapshot(context, subscriptionId)?.state;
	const ownership = readOwnership(own, stored, saved);
	refuseInUse(ownership, settings.takeOver);
	const { snapshot } = ownership;
	// Before the first change is sent.
	if (snapshot) saveSnapshot(context, { subscriptionId, state: snapshot, stayed: false });
	await connect(context, own, {
		subscriptionId,
		before: stored,
		wanted: { url: makeProductionUrl(ownership, token), events, active: true },
		essential: settings.verifyToken ? 'token' : undefined,
	});
	// This trigger is still in the chain where it has no snapshot to put in its own place.
	if (snapshot && isInChain(snapshot, own)) logWarning(context, notes.unknown, subscriptionId);
	if (snapshot?.events === null && !saved)
		logWarning(context, `when the trigger restores it, ${notes.noEvents}`, subscriptionId);
}
