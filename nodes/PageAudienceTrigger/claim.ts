import type { IHookFunctions } from 'n8n-workflow';
import { describeUrl } from '../runtime/url';
import { findOwner, isOfThisN8n, type OwnUrl } from './ownUrl';
import { readLeft, withoutTest } from './registeredUrl';
import { findSnapshot, saveSnapshot } from './staticData';
import { readCurrent, SubscriptionError, type SubscriptionState } from './subscription';

interface Claim {
	current: SubscriptionState;
	/** How the subscription was before this trigger. undefined where neither its URL nor the static data says it. */
	original?: SubscriptionState;
	/** Whether an earlier publishing had saved the original already. */
	wasSaved: boolean;
}

/**
 * What publishing and a test run do before they change a subscription: read it, refuse it if another receiver uses it,
 * and save what to restore, because n8n may be killed at any moment. Their rules differ in one thing: for a test run, the
 * settings of the published workflow are an original.
 * @throws {RequestFailedError | UnexpectedResponseError | SubscriptionError}
 */
export async function claim(
	context: IHookFunctions,
	own: OwnUrl,
	{ subscriptionId, takeOver }: { subscriptionId: string; takeOver: boolean },
): Promise<Claim> {
	const current = await readCurrent(context, subscriptionId);
	refuseInUse(own, current, takeOver);
	const saved = findSnapshot(context, subscriptionId);
	const original = findOriginal(own, current, saved);
	if (original) saveSnapshot(context, { subscriptionId, ...original, stayed: false });
	return { current, original, wasSaved: saved !== undefined };
}

/** @throws {SubscriptionError} when another receiver uses the subscription */
function refuseInUse(own: OwnUrl, { url, active }: SubscriptionState, takeOver: boolean): void {
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

function findOriginal(
	own: OwnUrl,
	current: SubscriptionState,
	saved: SubscriptionState | undefined,
): SubscriptionState | undefined {
	const owner = findOwner(own, current.url);
	// Another receiver may have parameters of the same names.
	if (owner === 'other') return current;
	if (owner === 'moved') return saved ?? current;
	// What a test run that crashed has left in its URL.
	const left = readLeft(own, current.url);
	if (left) return left;
	const isOfPublished = own.isTest && owner === 'production';
	return isOfPublished ? { ...current, url: withoutTest(current.url) } : saved;
}
