import { sleep } from 'n8n-workflow';
import { parseUrl } from '../../api/parseUrl';
import { isUntouched } from '../../api/errors';
import { isRewritten, isSameUrl, normalizePath } from '../../api/url';
import { describeError } from '../../errors';
import { describeUrl } from '../../parameters/describeUrl';
import { logWarning } from '../log';
import type { TriggerContext } from '../settings';
import { describeReceiver } from '../subscription/ownership';
import { findOwner, type OwnUrl } from '../subscription/ownUrl';
import {
	findMissing,
	isSameState,
	makeRestorable,
	type SubscriptionState,
} from '../subscription/state';
import { SubscriptionError } from '../subscription/subscriptionError';
import { change } from './change';
import { isPast, noteChange, readCurrent } from './current';
import { explain, findRefusal } from './refusal';
import { readSubscription } from './requests';

/** What the trigger wants to make of a subscription. */
export interface Intent {
	subscriptionId: string;
	before: SubscriptionState;
	wanted: SubscriptionState;
	/** Called where it failed, and the subscription certainly is as it was before. */
	onUndone?: () => Promise<void>;
}

/**
 * Makes a subscription deliver here. If it does not, the trigger restores the subscription before it throws, because
 * n8n's older engine calls `delete` without the snapshot that was just saved.
 * @throws {RequestFailedError | SubscriptionError}
 */
export async function connect(context: TriggerContext, own: OwnUrl, intent: Intent): Promise<void> {
	const { subscriptionId, before, wanted } = intent;
	const { now, problem } = await change(context, subscriptionId, before, wanted);
	const refusal = now && findRefusal(own, now, wanted);
	if (now && !refusal) return await refuseCrossing(context, own, intent, now);
	const isUntouchedBy = problem !== undefined && isUntouched(problem);
	const end = isUntouchedBy ? unchanged : await undo(context, own, intent, now);
	if (end.isUndone) await intent.onUndone?.();
	throw explain(own, problem ?? refusal, end.told, wanted.url);
}

/**
 * Makes a subscription deliver where it did before.
 * @throws {RequestFailedError | SubscriptionError}
 */
export async function restore(
	context: TriggerContext,
	subscriptionId: string,
	before: SubscriptionState,
	wanted: SubscriptionState,
): Promise<void> {
	const { now, problem } = await change(context, subscriptionId, before, wanted);
	const missing = now ? findMissing(now, wanted) : [];
	if (now && missing.length === 0) return;
	throw (
		problem ??
		new SubscriptionError(
			`The service did not restore the ${missing.join(' and ')} of webhook subscription ${subscriptionId}`,
			`It should deliver to ${describeUrl(wanted.url)}. Correct it in the service.`,
		)
	);
}

/** How long two n8n may take to see each other: each reads "free", and both then change the subscription. */
const mostCrossingMs = 2_000;

/**
 * Another n8n process, or a person, may have read "free" at the same moment, and its change may come after this one. So
 * the look waits, each time for another while. The key lock keeps the triggers of one process apart already.
 * @throws {SubscriptionError}
 */
async function refuseCrossing(
	context: TriggerContext,
	own: OwnUrl,
	{ subscriptionId, before, wanted }: Intent,
	made: SubscriptionState,
): Promise<void> {
	const owner = findOwner(own, wanted.url);
	const isTakeover = findOwner(own, before.url) !== owner;
	// A person waits for a test run.
	if (isTakeover && !own.isTest) await sleep(Math.random() * mostCrossingMs);
	const read = own.isTest ? readSubscription : readCurrent;
	const shown = await read(context, subscriptionId).catch(() => undefined);
	if (!shown || findOwner(own, shown.url) === owner) return;
	if (isSameState(shown, before) || (await isPast(context, subscriptionId, shown))) return;
	// From now on, what this trigger made of it is the past.
	await noteChange(context, subscriptionId, made, { answer: shown, attempts: 1 });
	const what = `taken at the same moment by ${describeReceiver(shown.url, own)}`;
	logWarning(context, what, subscriptionId);
	throw new SubscriptionError(
		`This webhook subscription was ${what}. Choose another one, or turn on Options > Take Over.`,
		'The trigger left it unchanged.',
	);
}

/** How a change that failed ended. */
interface Undone {
	/** What really happened, for the person. */
	told: string;
	/** The subscription is as it was before. */
	isUndone: boolean;
}

const unchanged: Undone = { told: 'The subscription is unchanged.', isUndone: true };

/**
 * Restores what this trigger changed, unless nothing was changed, or another receiver has taken the subscription since.
 * @param made what the change made of the subscription, however the service writes it
 */
async function undo(
	context: TriggerContext,
	own: OwnUrl,
	{ subscriptionId, before, wanted }: Intent,
	made: SubscriptionState | undefined,
): Promise<Undone> {
	try {
		const shown = await readCurrent(context, subscriptionId);
		const isBefore = isRewritten(before.url, shown.url);
		const isOurs =
			findOwner(own, shown.url) === findOwner(own, wanted.url) ||
			(made !== undefined && isSameUrl(made.url, shown.url) && isCutFrom(wanted.url, shown.url));
		if (!isBefore && !isOurs) {
			const told = `It now delivers to ${describeUrl(shown.url)}, so the trigger left it unchanged.`;
			return { told, isUndone: false };
		}
		const past = shown.events === null ? before : makeRestorable(before);
		const back = isBefore ? { ...past, url: shown.url } : past;
		if (isSameState(shown, back)) return unchanged;
		await restore(context, subscriptionId, shown, back);
		return { told: 'The trigger restored the subscription.', isUndone: true };
	} catch (error) {
		const left = describeError(error).message;
		logWarning(context, `could not be restored: ${left}`, subscriptionId);
		const told = `The trigger could not restore the subscription: ${left}. It delivered to ${describeUrl(before.url)}.`;
		return { told, isUndone: false };
	}
}

/** Whether a service may have made the second URL from the first one: it has the same host, and nothing else. */
function isCutFrom(sent: string, stored: string): boolean {
	const [from, to] = [sent, stored].map((url) => parseUrl(url));
	if (from?.host === undefined || from.host !== to?.host) return false;
	return normalizePath(from.pathname).startsWith(normalizePath(to.pathname));
}
