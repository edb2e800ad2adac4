import type { IHookFunctions } from 'n8n-workflow';
import { describeError } from '../nodeErrors';
import { withKeyLock } from '../runtime/keyLock';
import { ended } from '../webhooks/ownWebhooks';
import { claim } from './claim';
import { connect } from './connect';
import { logWarning } from './log';
import { type OwnUrl, readOwnUrl, readTriggerId, refuseUnreachable } from './ownUrl';
import { makeRegisteredUrl } from './registeredUrl';
import { nullEvents, release } from './release';
import {
	findSubscriptionId,
	readOnDeactivate,
	readSettings,
	type TriggerSettings,
} from './settings';
import { forgetOriginal, readData, saveRegistration } from './staticData';

/** Not published yet, or in vain. If the `delete` that follows fails too, n8n calls nothing at the next publishing. */
const failed = new Set<string>();

/** Whether `delete` cleans up after a publishing that failed. */
export const isCleanUp = (context: IHookFunctions) => failed.delete(readTriggerId(context));

/**
 * The workflow is published: the trigger saves how the subscription was, and makes it deliver here. It owns the
 * subscription until the workflow is unpublished.
 */
export async function publish(context: IHookFunctions): Promise<void> {
	failed.add(readTriggerId(context));
	const settings = readSettings(context);
	const own = readOwnUrl(context, false);
	ended.delete(own.href);
	await refuseUnreachable(context, own);
	const { subscriptionId } = settings;
	await withKeyLock(subscriptionId, async () => await take(context, own, settings));
	failed.delete(readTriggerId(context));
	// Subscriptions that were chosen earlier, and could not be restored then.
	for (const { subscriptionId: id } of readData(context).snapshots) {
		if (id === subscriptionId) continue;
		await release(context, own, id, 'restore').catch(async (error: unknown) => {
			await logWarning(context, `could not be restored: ${describeError(error).message}`, id);
		});
	}
}

async function take(context: IHookFunctions, own: OwnUrl, settings: TriggerSettings) {
	const { subscriptionId, events } = settings;
	const claimed = await claim(context, own, settings);
	if (!claimed) return;
	const { current, original } = claimed;
	if (original?.events === null)
		await logWarning(context, `when the trigger restores it, ${nullEvents}`, subscriptionId);
	const url = await makeRegisteredUrl(context, own, settings, original);
	await connect(context, subscriptionId, current, { url, events, active: true });
	saveRegistration(context, subscriptionId, url, original);
}

/**
 * The workflow is unpublished, or its trigger changed: the trigger releases every subscription that it owns, even
 * if the parameters name another one now.
 */
export async function unpublish(context: IHookFunctions): Promise<void> {
	const own = readOwnUrl(context, false);
	ended.set(own.href, true);
	const onDeactivate = readOnDeactivate(context);
	const owned = readData(context).snapshots.map(({ subscriptionId }) => subscriptionId);
	if (onDeactivate === 'leave') return owned.forEach((id) => forgetOriginal(context, id));
	// n8n may have lost the original of the subscription in the parameters.
	const ids = new Set([...owned, findSubscriptionId(context) ?? []].flat());
	const problems: unknown[] = [];
	for (const id of ids)
		await release(context, own, id, onDeactivate).catch(async (error: unknown) => {
			problems.push(error);
			const what = `could not be released: ${describeError(error).message}. If it still delivers here, publish and unpublish the workflow again, or change the URL of the subscription in the service`;
			await logWarning(context, what, id);
		});
	if (problems.length > 0) throw problems[0];
}
