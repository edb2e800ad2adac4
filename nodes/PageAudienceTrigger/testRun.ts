import type { IHookFunctions } from 'n8n-workflow';
import { hasWebhook } from '../api/ownWebhooks';
import { isTriggerUrl } from '../api/triggerUrl';
import { withoutParameter } from '../api/url';
import { describeError } from '../errors';
import { toError } from '../parameters/problem';
import { withKeyLock } from '../runtime/keyLock';
import { makeOwnToken, readApiKey, readOwnUrl } from './identity';
import { logWarning } from './log';
import { refuseUnreachable } from './reach';
import { mendAbandoned, release } from './release';
import { connect } from './service/connect';
import { readCurrent } from './service/current';
import { isTooLong } from './service/refusal';
import { readSettings, type Settings } from './settings';
import { readTestMemory, writeTestMemory } from './staticData';
import { makeRegisteredUrl, planTest } from './subscription/changes';
import type { OwnUrl } from './subscription/ownUrl';
import { type Ownership, readOwnership } from './subscription/ownership';
import { urlParameters } from './subscription/registeredUrl';
import { withTestOrder } from './subscription/testOrder';
import { findRegistered } from './unpublish';
import { noteUse } from './uses';

/** A test run begins: a person waits for an event in the editor. */
export async function beginTest(context: IHookFunctions): Promise<void> {
	const settings = chooseForTest(readSettings(context));
	const own = readOwnUrl(context, true);
	await refuseUnreachable(context, own);
	const mended = mendAbandoned(context, own);
	await withKeyLock(settings.subscriptionId, async () => await beginOn(context, own, settings));
	await mended();
}

async function beginOn(context: IHookFunctions, own: OwnUrl, settings: Settings): Promise<void> {
	const { subscriptionId } = settings;
	const stored = await readCurrent(context, subscriptionId);
	const ownership = readOwnership(own, stored);
	const plan = planTest(ownership, settings, await isPublished(context, ownership));
	writeTestMemory(context, { subscriptionId, kept: plan.snapshot });
	const use = { own, subscriptionId, saved: plan.snapshot, onDeactivate: 'restore' } as const;
	await noteUse(context, use, { isAbandoned: false });
	const connectTo = async (url: string) =>
		await connect(context, own, {
			subscriptionId,
			before: stored,
			wanted: { ...plan.wanted, url },
		});
	if (plan.kind === 'beside') {
		const apiKey = await readApiKey(context);
		return await connectTo(withTestOrder(plan.wanted.url, apiKey, own.id, plan.order));
	}
	const long = makeRegisteredUrl(ownership, await makeOwnToken(context, own, settings));
	const short = withoutParameter(long, urlParameters.back);
	const refusal = await connectTo(long).catch(toError);
	if (!refusal) return;
	// Without `back` only a crash loses something, unless another trigger has to find itself there.
	const isChain = plan.snapshot !== undefined && isTriggerUrl(plan.snapshot.url);
	if (isChain || long === short || !isTooLong(long, refusal)) throw refusal;
	await connectTo(short);
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
		const end = { own, onDeactivate: 'restore' } as const;
		await release(context, { ...end, subscriptionId: used, saved: kept });
		// A test run that crashed may have used another subscription.
		const found = await findRegistered(context, own).catch(() => []);
		for (const other of found)
			if (other !== used) await release(context, { ...end, subscriptionId: other });
	} catch (error) {
		const what = `could not be restored after the test run: ${describeError(error).message}`;
		logWarning(context, what, subscriptionId);
	}
}
