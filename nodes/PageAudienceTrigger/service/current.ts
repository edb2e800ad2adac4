import { sleep } from 'n8n-workflow';
import { readConnection } from '../../api/connection';
import { logWarning } from '../log';
import type { TriggerContext } from '../settings';
import { isSameState, type SubscriptionState } from '../subscription/state';
import { type Changed, readSubscription } from './requests';

/*
 * A service behind a cache or a replica shows a change late. One behind a gateway may make a change after the gateway
 * has responded with 504. So for some seconds, what the service shows does not count if it is what was there before this
 * process changed it.
 */

/** How long a service may take to make a change and to show it. */
const settleMs = 7_000;
/** How long a service may take to make a change. */
const makeMs = 2_500;
/** Between two looks: together `settleMs`. */
const pausesMs = [100, 200, 400, 800, 1_500, 2_000, 2_000];

interface Change {
	/** What the service may still show, and until when by `performance.now()`: the clock of a machine can be set back. */
	past: Array<{ state: SubscriptionState; until: number }>;
	/** What the service said that the subscription now is, if it did. */
	answer?: SubscriptionState;
	/** Before that, this change could overtake the next one. */
	madeAt: number;
}

/** By service and subscription, whatever the API key is by now: what this process changed within the last `settleMs`. */
const changes = new Map<string, Change>();

async function identify(context: TriggerContext, subscriptionId: string): Promise<string> {
	const { baseUrl } = await readConnection(context);
	return `${baseUrl} ${subscriptionId}`;
}

/** @param changed undefined while nobody knows whether the change was made */
export async function noteChange(
	context: TriggerContext,
	subscriptionId: string,
	before: SubscriptionState,
	changed?: Changed,
): Promise<void> {
	const key = await identify(context, subscriptionId);
	const now = performance.now();
	const earlier = changes.get(key);
	for (const [id, { past }] of changes)
		if (past.every(({ until }) => until <= now)) changes.delete(id);
	const over = earlier?.answer ? [earlier.answer, before] : [before];
	const noted = over.map((state) => ({ state, until: now + settleMs }));
	const past = earlier ? noted.concat(earlier.past.filter(({ until }) => until > now)) : noted;
	const { answer, attempts } = changed ?? {};
	// Where it looks like something from before, nobody can see that it was made.
	const isVisible =
		answer && attempts === 1 && !past.some(({ state }) => isSameState(state, answer));
	changes.set(key, { past, answer, madeAt: isVisible ? now : now + makeMs });
}

/** Waits until no earlier change can overtake the next one. */
export async function waitUntilMade(
	context: TriggerContext,
	subscriptionId: string,
	wanted: SubscriptionState,
): Promise<void> {
	const { madeAt = 0, answer } = changes.get(await identify(context, subscriptionId)) ?? {};
	if (answer && isSameState(answer, wanted)) return;
	const waitMs = madeAt - performance.now();
	if (waitMs > 0) await sleep(waitMs);
}

/** Whether the service may show this only because it is late. */
export async function isPast(
	context: TriggerContext,
	subscriptionId: string,
	shown: SubscriptionState,
): Promise<boolean> {
	const change = changes.get(await identify(context, subscriptionId));
	if (!change || (change.answer && isSameState(change.answer, shown))) return false;
	const now = performance.now();
	return change.past.some(({ state, until }) => until > now && isSameState(state, shown));
}

/**
 * The subscription as it is now. It waits while the service shows the past. If the service does so to the end, what it
 * responded to the change counts.
 * @throws {RequestFailedError | SubscriptionError}
 */
export async function readCurrent(
	context: TriggerContext,
	subscriptionId: string,
): Promise<SubscriptionState> {
	const first = await readSubscription(context, subscriptionId);
	if (!(await isPast(context, subscriptionId, first))) return first;
	let shown = first;
	for (const pauseMs of pausesMs) {
		await sleep(pauseMs);
		shown = await readSubscription(context, subscriptionId);
		if (!isSameState(shown, first) && !(await isPast(context, subscriptionId, shown))) return shown;
	}
	const answer = changes.get(await identify(context, subscriptionId))?.answer;
	if (!answer) return shown;
	const what = 'the service accepted a change, but still shows the old settings';
	logWarning(
		context,
		`${what}. If no events arrive, run Webhook Subscription > Check`,
		subscriptionId,
	);
	return answer;
}
