import { RequestFailedError } from '../../api/failure';
import { toError } from '../../parameters/problem';
import type { TriggerContext } from '../settings';
import { findMissing, isSameState, type SubscriptionState, toChange } from '../subscription/state';
import { noteChange, readCurrent, waitUntilMade } from './current';
import { changeSubscription } from './requests';

/** What became of a change. */
export interface Outcome {
	/** The subscription after it; undefined where nobody knows. */
	now?: SubscriptionState;
	problem?: Error;
}

/** The response to the change counts. If there is none, or it repeats what was before, the trigger looks. */
export async function change(
	context: TriggerContext,
	subscriptionId: string,
	before: SubscriptionState,
	wanted: SubscriptionState,
): Promise<Outcome> {
	const look = async () => await readCurrent(context, subscriptionId).catch(() => undefined);
	await waitUntilMade(subscriptionId);
	try {
		const changed = await changeSubscription(context, subscriptionId, toChange(wanted));
		const { answer } = changed;
		const isOld = isSameState(answer, before) && findMissing(answer, wanted).length > 0;
		noteChange(subscriptionId, before, isOld ? undefined : changed);
		return { now: isOld ? ((await look()) ?? answer) : answer };
	} catch (error) {
		const problem = toError(error);
		if (isUntouched(problem)) return { problem };
		noteChange(subscriptionId, before);
		return { now: await look(), problem };
	}
}

/** Whether the service certainly did nothing. */
export function isUntouched(problem: Error): boolean {
	return problem instanceof RequestFailedError && !problem.details.maybeDone;
}
