import { isUntouched, RequestFailedError } from '../../api/errors';
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
	await waitUntilMade(context, subscriptionId, wanted);
	try {
		const changed = await changeSubscription(context, subscriptionId, toChange(wanted));
		const { answer } = changed;
		const isOld = isSameState(answer, before) && findMissing(answer, wanted).length > 0;
		await noteChange(context, subscriptionId, before, isOld ? undefined : changed);
		return { now: isOld ? ((await look()) ?? answer) : answer };
	} catch (error) {
		const problem = toError(error);
		if (isUntouched(problem)) return { problem };
		// What makes no difference cannot be seen either.
		if (isSameState(before, wanted)) {
			await noteChange(context, subscriptionId, before, { answer: before, attempts: 2 });
			// The service accepted it, and only said so in another way than the API documents.
			const isAccepted = !(problem instanceof RequestFailedError);
			return isAccepted ? { now: await look(), problem } : { problem };
		}
		await noteChange(context, subscriptionId, before);
		return { now: await look(), problem };
	}
}
