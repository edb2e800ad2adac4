import type { IHookFunctions, IHttpRequestMethods, IN8nHttpFullResponse } from 'n8n-workflow';
import { describeError } from '../../errors';
import { logWarning } from '../log';
import { readSettings, type Settings } from '../settings';
import { withoutQuery } from '../url';
import { applyIntent } from './applyChange';
import { readTestMemory, writeTestMemory } from './memory';
import { locate, type OwnUrl, readOwnUrl } from './ownUrl';
import { planTest, planTestEnd } from './plans';
import { refuseUnreachable } from './reach';
import { withBack, adviceWithoutToken, writeUrl } from './registeredUrl';
import { isEmpty, type State } from './state';
import { changeSubscription, readSubscription } from './subscription';

/** "Listen for test event" begins. */
export async function beginTest(context: IHookFunctions): Promise<void> {
	const settings = readSettings(context);
	const subscriptionId = chooseSubscription(settings);
	const own = readOwnUrl(context, true);
	await refuseUnreachable(context, own);
	const remote = await readSubscription(context, subscriptionId);
	const plan = planTest(remote, own, settings, await isServed(context, own, remote.url));
	if (plan.kind === 'beside') {
		const { wanted } = plan;
		writeTestMemory(context, {
			subscriptionId,
			events: { before: remote.events, during: wanted.events },
		});
		return await applyIntent(context, {
			subscriptionId,
			before: remote,
			wanted,
			adviceWithoutQuery:
				"A test beside the published workflow needs it: choose another subscription in 'Options > Test Subscription'",
		});
	}
	const { kept, events } = plan;
	writeTestMemory(context, { subscriptionId, kept });
	const url = await writeUrl(context, own, subscriptionId, settings);
	const wanted: State = { url: kept ? withBack(url, kept) : url, events, active: true };
	await applyIntent(context, {
		subscriptionId,
		before: remote,
		wanted,
		// Without a token only what a crash would need is lost.
		adviceWithoutQuery: settings.verifyToken ? adviceWithoutToken : undefined,
	});
}

/**
 * Whether n8n takes deliveries at one of its own URLs: it names the methods of a webhook to browsers that ask.
 * A subscription may still deliver to a workflow that was unpublished, and no test would ever get a copy then.
 * Where nothing is said about it, as by a proxy that answers such questions itself, it is taken for granted.
 */
async function isServed(context: IHookFunctions, own: OwnUrl, url: string): Promise<boolean> {
	if (locate(own, url) !== 'production') return false;
	const methods = await askMethods(context, own, url).catch(() => undefined);
	return typeof methods !== 'string' || methods.includes('POST');
}

/** A method that n8n's helper sends, but whose type does not name. */
const preflight: string = 'OPTIONS';

async function askMethods(context: IHookFunctions, own: OwnUrl, url: string): Promise<unknown> {
	const answer: unknown = await context.helpers.httpRequest({
		method: preflight as IHttpRequestMethods,
		url: withoutQuery(url),
		headers: { origin: own.origin },
		timeout: 3_000,
		disableFollowRedirect: true,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
	});
	const { headers } = answer as IN8nHttpFullResponse;
	return headers['access-control-allow-methods'];
}

/**
 * A subscription that was chosen for tests is always the one that is used, also while the workflow is published:
 * nothing that production listens through is touched then.
 */
function chooseSubscription({ subscriptionId, testSubscriptionId }: Settings): string {
	return testSubscriptionId ?? subscriptionId;
}

/**
 * "Listen for test event" ends. It never throws: n8n calls it where nothing catches what it throws, and would go on
 * listening. What could not be put back is in the subscription's own URL, for the next activation or test.
 */
export async function endTest(context: IHookFunctions): Promise<void> {
	const memory = readTestMemory(context);
	const restore = async () => {
		const subscriptionId = memory.subscriptionId ?? chooseSubscription(readSettings(context));
		const remote = await readSubscription(context, subscriptionId);
		const plan = planTestEnd(remote, readOwnUrl(context, true), memory);
		if (plan?.note) logWarning(context, plan.note, subscriptionId);
		if (plan && !isEmpty(plan.change))
			await changeSubscription(context, subscriptionId, plan.change);
	};
	await restore().catch((error: unknown) =>
		logWarning(
			context,
			`the test could not be ended there: ${describeError(error).message}`,
			memory.subscriptionId,
		),
	);
}
