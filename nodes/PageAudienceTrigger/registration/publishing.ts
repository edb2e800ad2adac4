import type { IHookFunctions } from 'n8n-workflow';
import { RequestFailedError } from '../../api/failure';
import { withKeyLock } from '../../runtime/keyLock';
import { describeError } from '../../errors';
import { describeUrl } from '../../parameters/describeUrl';
import {
	findKept,
	isInChain,
	isTriggerUrl,
	readBack,
	withBack,
	withFingerprint,
} from '../address/chain';
import { isOurs, locate, type OwnUrl, readOwnUrl } from '../address/ownUrl';
import { refuseUnreachable } from '../address/reach';
import { readApiKey, urlParameters } from '../address/registeredUrl';
import { makeToken } from '../address/signature';
import { isSameUrl, readParameter, withParameter } from '../../api/url';
import { logWarning } from '../log';
import { readOnDeactivate, readSettings, type Settings } from '../settings';
import { connect, restore } from './applyChange';
import { findKeep, forgetKeep, type Keep, readKeeps, writeKeep } from './memory';
import {
	describeNoEvents,
	describeUnknown,
	type OnDeactivate,
	planGiveBack,
	refuseInUse,
} from './plans';
import { isSameSet, type State } from './state';
import { listSubscriptions, readSubscription } from './subscription';

/** Whether the subscription is as publishing leaves it, and so is what is kept of it. */
export async function isConnected(context: IHookFunctions): Promise<boolean> {
	const settings = readSettings(context);
	if (findKeep(context, settings.subscriptionId)?.stayed) return false;
	const own = readOwnUrl(context, false);
	const token = await makeOwnToken(context, own, settings);
	const { url, events, active } = await readSubscription(context, settings.subscriptionId);
	return (
		locate(own, url) === 'production' &&
		readParameter(url, urlParameters.token) === token &&
		readParameter(url, urlParameters.test) === undefined &&
		isSameSet(events, settings.events) &&
		active
	);
}

/** Connects the subscription, or repairs it where it is this trigger's already. */
export async function publish(context: IHookFunctions): Promise<void> {
	const settings = readSettings(context);
	const own = readOwnUrl(context, false);
	await refuseUnreachable(context, own);
	const token = await makeOwnToken(context, own, settings);
	await withKeyLock(
		settings.subscriptionId,
		async () => await publishOn(context, own, settings, token),
	);
	await giveBackOthers(context, own, settings.subscriptionId);
}

async function publishOn(
	context: IHookFunctions,
	own: OwnUrl,
	{ subscriptionId, events, takeOver, verifyToken }: Settings,
	token: string | undefined,
): Promise<void> {
	const remote = await readSubscription(context, subscriptionId);
	refuseInUse(remote, own, takeOver);
	const older = findKeep(context, subscriptionId);
	const kept = findKept(remote, own, older?.state);
	// Before the first change is sent.
	if (kept) writeKeep(context, { subscriptionId, state: kept, stayed: false });
	await connect(context, own, {
		subscriptionId,
		before: remote,
		wanted: { url: writeUrl(own, token, remote, kept), events, active: true },
		essential: verifyToken ? essentialToken : undefined,
	});
	// What is left of this trigger in the chain is what it knows nothing about.
	if (kept && isInChain(kept, own)) logWarning(context, describeUnknown(), subscriptionId);
	if (kept?.events === null && !older)
		logWarning(context, `when the trigger restores it, ${describeNoEvents()}`, subscriptionId);
}

/** What to do when the service does not keep what carries the token. */
export const essentialToken = {
	name: urlParameters.token,
	advice: "The URL carries this trigger's secret token. To do without it, turn off Verify Token.",
};

export async function makeOwnToken(
	context: IHookFunctions,
	own: OwnUrl,
	{ subscriptionId, verifyToken }: Settings,
): Promise<string | undefined> {
	return verifyToken ? makeToken(await readApiKey(context), own.id, subscriptionId) : undefined;
}

/** The URL to register. Without a token it goes to services that do not keep a query, and has none unless it must. */
function writeUrl(
	own: OwnUrl,
	token: string | undefined,
	remote: State,
	kept: State | undefined,
): string {
	let url = own.href;
	if (token !== undefined) {
		url = withParameter(url, urlParameters.token, token);
		const mark = isOurs(own, remote.url) && readParameter(remote.url, urlParameters.kept);
		if (kept) url = withFingerprint(url, kept);
		// The state that belongs to the mark may come back with an older version of the static data.
		else if (mark) url = withParameter(url, urlParameters.kept, mark);
	}
	const back = isOurs(own, remote.url) ? readBack(remote.url) : undefined;
	// A chain that ends in nothing known stays: what was kept before it must not count again.
	if (!kept) return back ? withBack(url, back) : url;
	return back || isTriggerUrl(kept.url) ? withBack(url, kept) : url;
}

/**
 * Restores everything that this trigger uses: what it kept, what the parameters name, and what has its URL although
 * nothing remembers it. The parameters may name another subscription by now, or none.
 */
export async function unpublish(context: IHookFunctions): Promise<void> {
	const own = readOwnUrl(context, false);
	const onDeactivate = readOnDeactivate(context);
	if (onDeactivate === 'leave') return stayAll(context);
	const hasMemory = readKeeps(context).length > 0;
	const { ids, problem } = await findUsed(context, own, readChosen(context));
	const problems: unknown[] = [];
	for (const id of ids) {
		await withKeyLock(id, async () => await giveBack(context, own, id, onDeactivate)).catch(
			(error: unknown) => problems.push(error),
		);
	}
	if (problem !== undefined) {
		const what = `the subscriptions could not be listed: ${describeError(problem).message}`;
		logWarning(context, what);
		// Without memory nobody knows what was not restored.
		if (!hasMemory) problems.push(problem);
	}
	if (problems.length) throw problems[0];
}

/** What this trigger has to restore. What stayed here after an earlier unpublishing only if it is chosen again. */
async function findUsed(
	context: IHookFunctions,
	own: OwnUrl,
	chosen: string[],
): Promise<{ ids: string[]; problem?: unknown }> {
	const keeps = readKeeps(context);
	const stayed = keeps.flatMap((keep) => (keep.stayed ? [keep.subscriptionId] : []));
	// Where they cannot be listed, the parameters are the next best that is known.
	let problem: unknown;
	const found = await findRegistered(context, own).catch((error: unknown) => {
		problem = error;
		return chosen;
	});
	const all = new Set([...keeps.map(({ subscriptionId }) => subscriptionId), ...found]);
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
 * Those that deliver here, or to a trigger that took over from this one, whatever the static data says. Test runs clean
 * up after themselves, and after crashed ones: production must not end one that is under way.
 */
export async function findRegistered(context: IHookFunctions, own: OwnUrl): Promise<string[]> {
	const all = await listSubscriptions(context);
	const place = own.isTest ? 'test' : 'production';
	return all.flatMap(({ subscriptionId, state }) =>
		locate(own, state.url) === place || isInChain(state, own) ? [subscriptionId] : [],
	);
}

/** What was kept still has to be restored, should the workflow be published again, with Restore. */
function stayAll(context: IHookFunctions): void {
	for (const keep of readKeeps(context)) writeKeep(context, { ...keep, stayed: true });
}

/**
 * One GET and one PATCH at most: changing a published trigger makes n8n call `delete` and `create` in a row, and what is
 * delivered in between goes to the address from before.
 */
async function giveBack(
	context: IHookFunctions,
	own: OwnUrl,
	subscriptionId: string,
	onDeactivate: OnDeactivate,
): Promise<void> {
	const keep = findKeep(context, subscriptionId);
	const remote = await readSubscription(context, subscriptionId).catch(acceptMissing);
	if (typeof remote === 'number') return noteMissing(context, subscriptionId, remote);
	const plan = planGiveBack(remote, own, keep?.state, onDeactivate);
	if (plan?.note) logWarning(context, plan.note, subscriptionId);
	if (plan) await restore(context, subscriptionId, remote, plan.wanted);
	if (plan && onDeactivate === 'pause') return stay(context, keep);
	if (plan) return forgetKeep(context, subscriptionId);
	if (!keep) return;
	if (!isSameUrl(remote.url, keep.state.url)) {
		const elsewhere = describeUrl(remote.url);
		logWarning(context, `left unchanged, because it now delivers to ${elsewhere}`, subscriptionId);
	}
	// After this n8n's address changed, what was kept is still what has to be restored one day.
	if (locate(own, remote.url) !== 'moved') forgetKeep(context, subscriptionId);
}

function stay(context: IHookFunctions, keep: Keep | undefined): void {
	if (keep) writeKeep(context, { ...keep, stayed: true });
}

/** @returns the status that says that there is no such subscription */
function acceptMissing(error: unknown): number {
	const status = error instanceof RequestFailedError ? error.details.status : undefined;
	if (status === 404 || status === 410) return status;
	throw error;
}

function noteMissing(context: IHookFunctions, subscriptionId: string, status: number): void {
	// A wrong Base URL or API key is answered 404 too, and what was kept is then still needed.
	if (status === 410) forgetKeep(context, subscriptionId);
	logWarning(context, `not found (${status}), so nothing was restored`, subscriptionId);
}

/** Subscriptions that were chosen earlier and could not be restored then. That they cannot now is no obstacle. */
async function giveBackOthers(context: IHookFunctions, own: OwnUrl, chosen: string): Promise<void> {
	const { ids } = await findUsed(context, own, []);
	for (const subscriptionId of ids) {
		if (subscriptionId === chosen) continue;
		await withKeyLock(
			subscriptionId,
			async () => await giveBack(context, own, subscriptionId, 'restore'),
		).catch((error: unknown) =>
			logWarning(context, `could not be restored: ${describeError(error).message}`, subscriptionId),
		);
	}
}
