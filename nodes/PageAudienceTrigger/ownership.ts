import type { IHookFunctions } from 'n8n-workflow';
import { hasStatus } from '../api/errors';
import { hasWebhook } from '../api/ownWebhooks';
import { describeUrl, isRewritten, isTriggerUrl } from '../api/url';
import { withKeyLock } from '../runtime/keyLock';
import { logWarning } from './log';
import { findSnapshot, forgetSnapshot, saveSnapshot, type Snapshot } from './memory';
import { findOwner, type OwnUrl } from './ownUrl';
import { hasTest, readBack } from './registeredUrl';
import { readCurrent, restore, SubscriptionError, type SubscriptionState } from './subscription';

/** @throws {SubscriptionError} when another receiver uses the subscription */
export function refuseInUse(
	own: OwnUrl,
	{ url, active }: SubscriptionState,
	takeOver: boolean,
): void {
	const owner = findOwner(own, url);
	if (!active || takeOver || owner === 'production' || owner === 'test') return;
	const place =
		owner === 'moved'
			? ", which is this trigger's URL on another n8n: a copy of this n8n, or this n8n before its address changed"
			: isOfThisN8n(own, url)
				? ', which is another webhook of this n8n'
				: '';
	throw new SubscriptionError(
		`This webhook subscription is in use by ${describeUrl(url)}${place}. Choose another one, or turn on Options > Take Over: the other receiver then gets no events until ${own.isTest ? 'the test ends' : 'you unpublish this workflow'}.`,
		'Nothing was changed.',
	);
}

export const noEvents =
	'its list of events was null, which cannot be sent, so the trigger sets all events instead';

/**
 * Ends the use of a subscription, if the trigger still has it.
 * @throws {RequestFailedError | UnexpectedResponseError | SubscriptionError} The snapshot is then kept.
 */
export async function release(
	context: IHookFunctions,
	own: OwnUrl,
	id: string,
	onDeactivate: 'restore' | 'pause',
): Promise<void> {
	await withKeyLock(id, async () => {
		const snapshot = findSnapshot(context, id);
		const now = await readCurrent(context, id).catch(async (error: unknown) => {
			await acceptMissing(context, id, error);
		});
		if (!now) return;
		if (!hasSubscription(own, now.url)) return await leaveToOthers(context, own, now.url, snapshot);
		if (onDeactivate === 'pause') {
			const state = readProduction(own, now.url) ?? now;
			await restore(context, id, now, { ...state, active: false });
			if (snapshot) saveSnapshot(context, { ...snapshot, stayed: true });
			return;
		}
		const before = readLeft(own, now.url) ?? snapshot;
		await restore(context, id, now, await chooseRestored(context, own, id, before, now));
		forgetSnapshot(context, id);
	});
}

/** Whether it is this trigger that the subscription delivers to. A test run restores what test runs left, nothing else. */
function hasSubscription(own: OwnUrl, url: string): boolean {
	const owner = findOwner(own, url);
	return owner === 'test' || (owner === 'production' && (!own.isTest || hasTest(url)));
}

/** What a test run has to restore, as its URL says. For production, its own URL is nothing to restore. */
export function readLeft(own: OwnUrl, url: string): SubscriptionState | undefined {
	return !own.isTest && readProduction(own, url) ? undefined : readBack(url);
}

/** The same, where it is what the published workflow had. */
function readProduction(own: OwnUrl, url: string): SubscriptionState | undefined {
	const back = readBack(url);
	return back && findOwner(own, back.url) === 'production' ? back : undefined;
}

/** A missing subscription is no obstacle. A wrong Base URL leads to 404, too, and the snapshot is then still needed. */
async function acceptMissing(context: IHookFunctions, id: string, error: unknown): Promise<void> {
	if (!hasStatus(error, 404, 410)) throw error;
	const { status } = error.details;
	await logWarning(context, `not found (${status}), so nothing was restored`, id);
	if (status === 410) forgetSnapshot(context, id);
}

async function leaveToOthers(
	context: IHookFunctions,
	own: OwnUrl,
	url: string,
	snapshot: Snapshot | undefined,
): Promise<void> {
	if (!snapshot || own.isTest) return;
	const { subscriptionId: id } = snapshot;
	// Another trigger that took over brings this one's URL back, and this n8n may get its address back.
	const mayReturn = findOwner(own, url) === 'moved' || (isOfThisN8n(own, url) && isTriggerUrl(url));
	if (isRewritten(snapshot.url, url)) {
		// After a change whose response was lost, a service may show for a while how the subscription was before.
		saveSnapshot(context, { ...snapshot, stayed: true });
		return;
	}
	if (!mayReturn) forgetSnapshot(context, id);
	await logWarning(context, `left unchanged, because it now delivers to ${describeUrl(url)}`, id);
}

/** What to send in place of this trigger's own settings. */
async function chooseRestored(
	context: IHookFunctions,
	own: OwnUrl,
	id: string,
	before: SubscriptionState | undefined,
	now: SubscriptionState,
): Promise<SubscriptionState> {
	if (!before) {
		await logWarning(
			context,
			'its original settings are unknown, so the trigger made it inactive',
			id,
		);
		return { ...now, active: false };
	}
	const { url, events, active } = before;
	if (events === null) await logWarning(context, noEvents, id);
	const isOfAnother = isOfThisN8n(own, url) && isTriggerUrl(url) && findOwner(own, url) === 'other';
	if (active && isOfAnother && (await hasWebhook(context, url)) === false) {
		const what = `the workflow at ${describeUrl(url)}, which had it before, is not published any more`;
		await logWarning(context, `${what}, so the trigger made it inactive`, id);
		return { url, events, active: false };
	}
	return { url, events, active };
}

function isOfThisN8n({ origin }: OwnUrl, url: string): boolean {
	return url.startsWith(`${origin}/`);
}
