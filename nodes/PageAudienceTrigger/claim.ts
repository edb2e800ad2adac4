import type { IHookFunctions } from 'n8n-workflow';
import { describeUrl } from '../runtime/url';
import { isTestUrl } from '../webhooks/triggerUrl';
import { logWarning } from './log';
import { findOwner, hasLeft, type OwnUrl } from './ownUrl';
import { readOriginal, readBack } from './registeredUrl';
import { findSavedOriginal } from './staticData';
import { readCurrent, SubscriptionError, type SubscriptionState } from './subscription';

interface Claim {
	current: SubscriptionState;
	/** How the subscription was before this trigger. undefined where neither its URL nor the static data says it. */
	original?: SubscriptionState;
}

/**
 * What publishing and a test run do before they change a subscription: read it, refuse it if another receiver uses it,
 * and find what to restore at the end. For a test run, the settings of the published workflow are an original, too. A mere
 * start of n8n, which publishes again with n8n's older engine, takes nothing from another receiver.
 * @returns undefined where the subscription stays with another receiver
 * @throws {RequestFailedError | SubscriptionError}
 */
export async function claim(
	context: IHookFunctions,
	own: OwnUrl,
	{ subscriptionId, takeOver }: { subscriptionId: string; takeOver: boolean },
): Promise<Claim | undefined> {
	const current = await readCurrent(context, subscriptionId);
	const owner = findOwner(own, current.url);
	const isOfOther = owner === 'other' || owner === 'moved';
	if (isOfOther && ['init', 'leadershipChange'].includes(context.getActivationMode())) {
		const what = `left unchanged at the start of n8n, because it now delivers to ${describeUrl(current.url)}. To use it, unpublish and publish the workflow`;
		await logWarning(context, what, subscriptionId);
		return undefined;
	}
	if (isOfOther && current.active && !(await hasLeft(context, own, current.url))) {
		if (!takeOver) throw explainUse(own, current.url);
		const what = `taken over from ${describeUrl(current.url)}, which gets no events meanwhile`;
		await logWarning(context, what, subscriptionId);
	}
	const saved = findSavedOriginal(context, subscriptionId);
	// A URL without `back`, of a service that refuses long ones: only static data knows the earlier settings.
	const isShort = owner === 'moved' && readBack(current.url) === undefined;
	const original = isShort && saved ? saved : (readOriginal(own, current) ?? saved);
	return { current, original };
}

function explainUse(own: OwnUrl, url: string): SubscriptionError {
	const tested = isTestUrl(url) && ', where a workflow is tested, or a test was interrupted';
	const here = url.startsWith(`${own.origin}/`) && ', which may be another trigger of this n8n';
	// n8n's tests have the address of the editor, unless N8N_WEBHOOK_URL is set.
	const split = own.isTest ? ', or this n8n itself, which lacks N8N_WEBHOOK_URL' : '';
	const moved = `, which is this trigger's URL on another n8n: a copy of this n8n, or this n8n before its address changed${split}`;
	const whose = findOwner(own, url) === 'moved' ? moved : tested || here || '';
	return new SubscriptionError(
		`This webhook subscription is in use by ${describeUrl(url)}${whose}. Choose another one, or turn on Options > Take Over: the other receiver then gets no events until ${own.isTest ? 'the test ends' : 'you unpublish this workflow'}.`,
		'Nothing was changed.',
	);
}
