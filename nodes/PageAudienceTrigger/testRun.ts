import type { IHookFunctions } from 'n8n-workflow';
import { hasWebhook } from '../api/ownWebhooks';
import { withParameter } from '../api/url';
import { describeError } from '../errors';
import { withKeyLock } from '../runtime/keyLock';
import { makeOwnToken, readApiKey, readOwnUrl } from './identity';
import { logWarning } from './log';
import { refuseUnreachable } from './reach';
import { connect, restore } from './service/connect';
import { readSubscription } from './service/requests';
import { readSettings, type Settings } from './settings';
import { readTestMemory, writeTestMemory } from './staticData';
import { withPrevious } from './subscription/chain';
import { planTest, planTestEnd } from './subscription/changes';
import type { OwnUrl } from './subscription/ownUrl';
import { type Ownership, readOwnership } from './subscription/ownership';
import { urlParameters } from './subscription/registeredUrl';
import type { SubscriptionState } from './subscription/state';
import { withTestOrder } from './subscription/testOrder';
import { findRegistered } from './unpublish';

/** A test run begins: a person waits for an event in the editor. */
export async function beginTest(context: IHookFunctions): Promise<void> {
	const settings = chooseForTest(readSettings(context));
	const own = readOwnUrl(context, true);
	await refuseUnreachable(context, own);
	await withKeyLock(settings.subscriptionId, async () => await beginOn(context, own, settings));
}

async function beginOn(context: IHookFunctions, own: OwnUrl, settings: Settings): Promise<void> {
	const { subscriptionId } = settings;
	const stored = await readSubscription(context, subscriptionId);
	const ownership = readOwnership(own, stored);
	const plan = planTest(ownership, settings, await isPublished(context, ownership));
	if (plan.kind === 'beside') {
		const url = withTestOrder(plan.wanted.url, await readApiKey(context), own.id, plan.order);
		writeTestMemory(context, { subscriptionId });
		const wanted = { ...plan.wanted, url };
		const essential = 'test';
		return await connect(context, own, { subscriptionId, before: stored, wanted, essential });
	}
	const { snapshot } = plan;
	writeTestMemory(context, { subscriptionId, kept: snapshot });
	const token = await makeOwnToken(context, own, settings);
	const url = token === undefined ? own.href : withParameter(own.href, urlParameters.token, token);
	await connect(context, own, {
		subscriptionId,
		before: stored,
		wanted: { ...plan.wanted, url: snapshot ? withPrevious(url, snapshot) : url },
		// `back` is not essential: only a test run that crashes needs it.
		essential: settings.verifyToken ? 'token' : undefined,
	});
}

/**
 * Whether n8n takes deliveries at production's URL. The subscription may still deliver to a workflow that was
 * unpublished, and a test run beside it would never get a copy. If n8n does not tell, for example because a proxy
 * stands before it, production counts as published and keeps its URL.
 */
async function isPublished(
	context: IHookFunctions,
	{ owner, stored: { url } }: Ownership,
): Promise<boolean> {
	if (owner !== 'production') return false;
	return (await hasWebhook(context, url)) ?? true;
}

/**
 * A test run always uses the Test Subscription if there is one, even while the workflow is published. The subscription
 * of production then stays unchanged.
 */
function chooseForTest(settings: Settings): Settings {
	return { ...settings, subscriptionId: settings.testSubscriptionId ?? settings.subscriptionId };
}

/**
 * A test run ends. It never throws: n8n does not catch what a test run throws at its end, and would go on listening. If
 * restoring fails, the registered URL still carries what the next publishing or test run needs to restore.
 */
export async function endTest(context: IHookFunctions): Promise<void> {
	const { subscriptionId, kept } = readTestMemory(context);
	try {
		const own = readOwnUrl(context, true);
		const used = subscriptionId ?? chooseForTest(readSettings(context)).subscriptionId;
		await endOn(context, own, used, kept);
		// A test run that crashed may have used another subscription.
		const found = await findRegistered(context, own).catch(() => []);
		for (const other of found) if (other !== used) await endOn(context, own, other, undefined);
	} catch (error) {
		const what = `could not be restored after the test run: ${describeError(error).message}`;
		logWarning(context, what, subscriptionId);
	}
}

async function endOn(
	context: IHookFunctions,
	own: OwnUrl,
	subscriptionId: string,
	snapshot: SubscriptionState | undefined,
): Promise<void> {
	await withKeyLock(subscriptionId, async () => {
		const stored = await readSubscription(context, subscriptionId);
		const plan = planTestEnd(readOwnership(own, stored, snapshot));
		if (plan?.note) logWarning(context, plan.note, subscriptionId);
		if (plan) await restore(context, subscriptionId, stored, plan.wanted);
	});
}
