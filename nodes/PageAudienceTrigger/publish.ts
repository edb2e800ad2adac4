import type { IHookFunctions } from 'n8n-workflow';
import { describeError } from '../nodeErrors';
import { withKeyLock } from '../runtime/keyLock';
import { ended } from '../webhooks/ownWebhooks';
import { claim, isStart } from './claim';
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

/**
 * Triggers whose publishing failed, with the subscription that it took. n8n then calls `delete`, which only cleans up. While
 * a publishing is under way, it is a person who unpublishes.
 */
const unfinished = new Map<string, string | undefined>();

/**
 * The workflow is published: the trigger saves how the subscription was, and makes it deliver here. It owns the
 * subscription until the workflow is unpublished.
 */
export async function publish(context: IHookFunctions): Promise<void> {
	const triggerId = readTriggerId(context);
	unfinished.delete(triggerId);
	await takeChosen(context).catch((error: unknown) => {
		if (!unfinished.has(triggerId)) unfinished.set(triggerId, undefined);
		throw error;
	});
}

async function takeChosen(context: IHookFunctions): Promise<void> {
	const settings = readSettings(context);
	const own = readOwnUrl(context, false);
	ended.delete(own.href);
	await refuseUnreachable(context, own);
	const { subscriptionId } = settings;
	await withKeyLock(subscriptionId, async () => await take(context, own, settings));
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
	const wanted = { url, events, active: true };
	await connect(context, subscriptionId, current, wanted).catch((error: unknown) => {
		// A start only renews what is this trigger's already: there is nothing to give back.
		if (!isStart(context)) unfinished.set(readTriggerId(context), subscriptionId);
		throw error;
	});
	saveRegistration(context, subscriptionId, url, original);
}

/**
 * The workflow is unpublished, or its trigger changed: the trigger releases every subscription that it owns, even
 * if the parameters name another one now.
 */
export async function unpublish(context: IHookFunctions): Promise<void> {
	const triggerId = readTriggerId(context);
	if (unfinished.has(triggerId)) return await cleanUp(context, unfinished.get(triggerId));
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
			await logFailure(context, id)(error);
		});
	if (problems.length > 0) throw problems[0];
}

/**
 * Gives back what a publishing took that failed after that. It never throws: n8n would count the workflow as published, and
 * not call `create` any more.
 */
async function cleanUp(context: IHookFunctions, id: string | undefined): Promise<void> {
	unfinished.delete(readTriggerId(context));
	if (id === undefined) return;
	await release(context, readOwnUrl(context, false), id, 'restore').catch(logFailure(context, id));
}

function logFailure(context: IHookFunctions, id: string) {
	return async (error: unknown) => {
		const what = `could not be released: ${describeError(error).message}. If it still delivers here, publish and unpublish the workflow again, or change the URL of the subscription in the service`;
		await logWarning(context, what, id);
	};
}
