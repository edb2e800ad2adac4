import type { IHookFunctions, IN8nHttpFullResponse } from 'n8n-workflow';
import { withKeyLock } from '../../runtime/keyLock';
import { isObject } from '../../api/request';
import { describeError } from '../../errors';
import { withBack } from '../address/chain';
import { locate, type OwnUrl, readOwnUrl } from '../address/ownUrl';
import { refuseUnreachable } from '../address/reach';
import { readApiKey, urlParameters } from '../address/registeredUrl';
import { withTestOrder } from '../address/testOrder';
import { withoutQuery, withParameter } from '../../api/url';
import { logWarning } from '../log';
import { readSettings, type Settings } from '../settings';
import { connect, restore } from './applyChange';
import { readTestMemory, writeTestMemory } from './memory';
import { planTest, planTestEnd } from './plans';
import { essentialToken, findRegistered, makeOwnToken } from './publishing';
import type { State } from './state';
import { readSubscription } from './subscription';

/** A test run begins: a person waits for an event in the editor. */
export async function beginTest(context: IHookFunctions): Promise<void> {
	const settings = chooseForTest(readSettings(context));
	const own = readOwnUrl(context, true);
	await refuseUnreachable(context, own);
	await withKeyLock(settings.subscriptionId, async () => await beginOn(context, own, settings));
}

async function beginOn(context: IHookFunctions, own: OwnUrl, settings: Settings): Promise<void> {
	const { subscriptionId } = settings;
	const remote = await readSubscription(context, subscriptionId);
	const plan = planTest(remote, own, settings, await isPublished(context, own, remote.url));
	if (plan.kind === 'beside') {
		const { url, ...state } = plan.wanted;
		const order = withTestOrder(url, await readApiKey(context), own.id, plan.order);
		writeTestMemory(context, { subscriptionId });
		return await connect(context, own, {
			subscriptionId,
			before: remote,
			wanted: { ...state, url: order },
			essential: {
				name: urlParameters.test,
				advice: 'While the workflow is published, choose a Test Subscription for tests.',
			},
		});
	}
	const { kept, wanted } = plan;
	writeTestMemory(context, { subscriptionId, kept });
	const token = await makeOwnToken(context, own, settings);
	const url = token === undefined ? own.href : withParameter(own.href, urlParameters.token, token);
	await connect(context, own, {
		subscriptionId,
		before: remote,
		wanted: { ...wanted, url: kept ? withBack(url, kept) : url },
		// Without `back` only what a crash would need is lost.
		essential: settings.verifyToken ? essentialToken : undefined,
	});
}

/**
 * Whether n8n takes deliveries at production's URL. Of a path that it knows, n8n says to a GET that another method is
 * meant. The subscription may still deliver to a workflow that was unpublished, and no test run would ever get a copy.
 * Where n8n itself says nothing, as behind a proxy, production counts as published: its URL must stay.
 */
async function isPublished(context: IHookFunctions, own: OwnUrl, url: string): Promise<boolean> {
	if (locate(own, url) !== 'production') return false;
	const body = await ask(context, withoutQuery(url)).catch(() => undefined);
	const said = isObject(body) && typeof body.message === 'string' ? body.message : '';
	return !/^The requested webhook .* is not registered\.$/.test(said);
}

async function ask(context: IHookFunctions, url: string): Promise<unknown> {
	const response: unknown = await context.helpers.httpRequest({
		method: 'GET',
		url,
		timeout: 3_000,
		disableFollowRedirect: true,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
	});
	return (response as IN8nHttpFullResponse).body;
}

/**
 * A subscription that was chosen for tests is always the one that is used, also while the workflow is published. The
 * one that production listens through is not touched then.
 */
function chooseForTest(settings: Settings): Settings {
	return { ...settings, subscriptionId: settings.testSubscriptionId ?? settings.subscriptionId };
}

/**
 * A test run ends. It never throws: n8n calls it where nothing catches what it throws, and would go on listening. What
 * could not be restored is in the subscription's own URL, for the next publishing or test run.
 */
export async function endTest(context: IHookFunctions): Promise<void> {
	const { subscriptionId, kept } = readTestMemory(context);
	try {
		const own = readOwnUrl(context, true);
		const used = subscriptionId ?? chooseForTest(readSettings(context)).subscriptionId;
		await endOn(context, own, used, kept);
		// What a crashed test run left, of a subscription that was chosen then.
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
	kept: State | undefined,
): Promise<void> {
	await withKeyLock(subscriptionId, async () => {
		const remote = await readSubscription(context, subscriptionId);
		const plan = planTestEnd(remote, own, kept);
		if (plan?.note) logWarning(context, plan.note, subscriptionId);
		if (plan) await restore(context, subscriptionId, remote, plan.wanted);
	});
}
