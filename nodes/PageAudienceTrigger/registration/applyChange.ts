import { RequestFailedError } from '../../api/failure';
import { describeError } from '../../errors';
import { logWarning } from '../log';
import type { TriggerContext } from '../settings';
import { describeUrl, isSameUrl } from '../url';
import { isQueryLost } from './plans';
import { type Change, findChange, findReturn, isEmpty, type State } from './state';
import { changeSubscription, readSubscription } from './subscription';
import { SubscriptionError } from './subscriptionError';

export interface Intent {
	subscriptionId: string;
	before: State;
	wanted: State;
	/** What to do when the service does not keep the query of a URL; undefined when it can do without. */
	adviceWithoutQuery?: string;
}

/**
 * Changes a subscription to what is wanted, and looks whether the service took it. When it did not, what may have
 * been done is undone before that is told: n8n's older engine calls `delete` without what was kept just now.
 * @throws {RequestFailedError | SubscriptionError}
 */
export async function applyIntent(context: TriggerContext, intent: Intent): Promise<void> {
	const { subscriptionId, before, wanted } = intent;
	const change = findChange(before, wanted);
	if (isEmpty(change)) return;
	const problem = await changeSubscription(context, subscriptionId, change).then(
		(after) => judge(after, intent),
		(error: unknown) => (error instanceof Error ? error : new Error(String(error))),
	);
	if (!problem) return;
	if (isUntouched(problem)) throw problem;
	const left = await undo(context, intent).then(
		() => undefined,
		(error: unknown) => describeError(error).message,
	);
	if (left === undefined) throw problem;
	logWarning(context, `it could not be put back as it was: ${left}`, subscriptionId);
	throw new SubscriptionError(
		problem.message,
		`The subscription could not be put back as it was: ${left}. It delivered to ${describeUrl(before.url)}.`,
	);
}

function judge(after: State, { wanted, adviceWithoutQuery }: Intent): Error | undefined {
	const isLost = isQueryLost(wanted.url, after.url);
	if (isLost && adviceWithoutQuery !== undefined) {
		return new SubscriptionError(
			`The service does not keep the query of a webhook URL. ${adviceWithoutQuery}`,
			'The subscription was put back as it was.',
		);
	}
	const missing = Object.keys(findChange(after, isLost ? { ...wanted, url: after.url } : wanted));
	if (missing.length === 0) return undefined;
	return new SubscriptionError(
		`The service did not take the new ${missing.join(' and ')} of the webhook subscription`,
		'It was put back as it was. Look in the service whether the subscription may be changed.',
	);
}

/** Whether the service certainly did nothing: it refused the one request that was sent. */
function isUntouched(problem: Error): boolean {
	if (!(problem instanceof RequestFailedError)) return false;
	const { maybeDone, attempts } = problem.details;
	return !maybeDone && attempts === 1;
}

/** Puts back what this trigger set, unless nothing was set, or somebody else has set something since. */
async function undo(
	context: TriggerContext,
	{ subscriptionId, before, wanted }: Intent,
): Promise<void> {
	const now = await readSubscription(context, subscriptionId);
	const isOurs = isSameUrl(now.url, wanted.url) || isQueryLost(wanted.url, now.url);
	if (!isOurs && !isSameUrl(now.url, before.url)) return;
	const past = now.events === null ? before : { ...before, ...findReturn(before) };
	const change: Change = findChange(now, past);
	if (!isEmpty(change)) await changeSubscription(context, subscriptionId, change);
}
