import type { IHookFunctions } from 'n8n-workflow';
import { hasStatus } from '../api/errors';
import { withKeyLock } from '../runtime/keyLock';
import { describeUrl, isRewritten } from '../runtime/url';
import { hasWebhook, isElsewhere, isOfTwin } from '../webhooks/ownWebhooks';
import { isTriggerUrl } from '../webhooks/triggerUrl';
import { logWarning } from './log';
import { findOwner, hasLeft, type OwnUrl } from './ownUrl';
import { isOfCopy, isRegistered, readBack, readOriginal } from './registeredUrl';
import { findSavedOriginal, forgetOriginal } from './staticData';
import { readCurrent, restore, type SubscriptionState } from './subscription';

export const nullEvents =
	'the service showed no list of events (null), which cannot be sent back, so the trigger selects all events';

/**
 * Ends the use of a subscription, if the trigger still has it.
 * @throws {RequestFailedError | SubscriptionError} What to restore is then kept.
 */
export async function release(
	context: IHookFunctions,
	own: OwnUrl,
	id: string,
	onDeactivate: 'restore' | 'pause',
): Promise<void> {
	await withKeyLock(id, async () => {
		const saved = findSavedOriginal(context, id);
		const current = await readCurrent(context, id).catch(async (error: unknown) => {
			// A subscription that was deleted needs nothing restored.
			if (!hasStatus(error, 404, 410)) throw error;
			const { status } = error.details;
			const advice = 'If it exists, correct the credential, and publish and unpublish the workflow';
			const what = `not found with this API key (${status}), so nothing was restored. ${advice}`;
			await logWarning(context, what, id);
		});
		// n8n 1 refuses to publish a copy of a published workflow, and then unpublishes the copy.
		const isMine = async ({ url }: SubscriptionState) =>
			!isOfCopy(context, own, url) &&
			(isRegistered(own, url) || (await hasLeft(context, own, url)));
		const isHere = current && !own.isTest && isRegistered(own, current.url);
		const isTwins = isHere && (await isOfTwin(context, current.url));
		if (current && !isTwins && (await isMine(current))) {
			const told = readOriginal(own, current);
			// The URL outlives static data, but a test run may have had to leave the original events out of it.
			const original = own.isTest ? (saved ?? told) : (told ?? saved);
			const wanted =
				onDeactivate === 'pause'
					? choosePaused(own, current)
					: await chooseRestored(context, own, id, original, current);
			await restore(context, id, current, wanted);
		} else if (current && saved && !own.isTest && !isRewritten(saved.url, current.url)) {
			const whose = isTwins ? 'another n8n takes its deliveries at' : 'it now delivers to';
			const what = `left unchanged, because ${whose} ${describeUrl(current.url)}`;
			await logWarning(context, what, id);
		}
		forgetOriginal(context, id);
	});
}

/** The settings of the published workflow, inactive. A test run that crashed may have added to them. */
function choosePaused(own: OwnUrl, current: SubscriptionState): SubscriptionState {
	const published = readOriginal(own, current, true);
	const isOwn = published && findOwner(own, published.url) === 'production';
	return { ...(isOwn ? published : current), active: false };
}

/** What to send in place of this trigger's own settings. */
async function chooseRestored(
	context: IHookFunctions,
	own: OwnUrl,
	id: string,
	original: SubscriptionState | undefined,
	current: SubscriptionState,
): Promise<SubscriptionState> {
	if (!original) {
		const what = 'its original settings are unknown, so the trigger made it inactive';
		await logWarning(context, what, id);
		return { ...current, active: false };
	}
	const { url, events, active } = original;
	const owner = findOwner(own, url);
	const ask = owner === 'moved' ? isElsewhere : owner === 'other' ? hasWebhook : undefined;
	const isServed = ask && isTriggerUrl(url) ? await ask(context, url) : true;
	const whose = `${describeUrl(url)}, which had it before,`;
	const left = own.isTest || owner !== 'moved' ? undefined : readBack(url);
	// Of this n8n and its copies, another one has to respond: an address that this n8n had before may lead here.
	if (left && isServed !== true) {
		const what = `no other n8n responds at ${whose} so the trigger restores what was there earlier`;
		await logWarning(context, what, id);
		return await chooseRestored(context, own, id, left, current);
	}
	if (events === null) await logWarning(context, nullEvents, id);
	if (!active || isServed === true) return { url, events, active };
	const isGone = isServed === false;
	const what = isGone
		? `the workflow at ${whose} is not published any more, so the trigger made it inactive`
		: `the trigger restored ${whose} but n8n did not see whether deliveries arrive there`;
	await logWarning(context, what, id);
	return { url, events, active: !isGone };
}
