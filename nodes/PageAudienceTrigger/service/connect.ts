import { sleep } from 'n8n-workflow';
import { RequestFailedError } from '../../api/failure';
import { parseUrl } from '../../api/parseUrl';
import { isRewritten, isSameUrl, normalizePath, readParameter, withoutQuery } from '../../api/url';
import { describeError } from '../../errors';
import { describeUrl } from '../../parameters/describeUrl';
import { isTriggerUrl } from '../../api/triggerUrl';
import { toError } from '../../parameters/problem';
import { logWarning } from '../log';
import type { TriggerContext } from '../settings';
import { readPrevious } from '../subscription/chain';
import { describeReceiver } from '../subscription/ownership';
import { findOwner, isRoutable, type OwnUrl } from '../subscription/ownUrl';
import {
	findMissing,
	isSameState,
	makeRestorable,
	type SubscriptionState,
	toChange,
} from '../subscription/state';
import { SubscriptionError } from '../subscription/subscriptionError';
import { isPast, noteChange, readCurrent, waitUntilMade } from './current';
import { changeSubscription, readSubscription } from './requests';

/** What the trigger wants to make of a subscription. */
export interface Intent {
	subscriptionId: string;
	before: SubscriptionState;
	wanted: SubscriptionState;
}

const withoutToken =
	"The URL carries this trigger's secret token. To do without it, turn off Verify Token.";

/** What to do when the service does not keep a parameter of the URL, the longest first. */
const advice = {
	test: 'While the workflow is published, choose a Test Subscription for tests.',
	back: 'The URL names another workflow, which gets the subscription back. Choose a subscription that no other workflow uses.',
	kept: withoutToken,
	token: withoutToken,
};

/** What became of a change. */
interface Outcome {
	/** The subscription after it; undefined where nobody knows. */
	now?: SubscriptionState;
	problem?: Error;
}

/**
 * Makes a subscription deliver here. If it does not, the trigger restores the subscription before it throws, because
 * n8n's older engine calls `delete` without the snapshot that was just saved.
 * @throws {RequestFailedError | SubscriptionError}
 */
export async function connect(context: TriggerContext, own: OwnUrl, intent: Intent): Promise<void> {
	const { subscriptionId, before, wanted } = intent;
	const { now, problem } = await change(context, subscriptionId, before, wanted);
	const refusal = now && judge(now, own, intent);
	if (now && !refusal) return problem ? undefined : await refuseCrossing(context, own, intent);
	const isUnchanged = problem !== undefined && isUntouched(problem);
	const outcome = isUnchanged
		? 'The subscription is unchanged.'
		: await undo(context, own, intent, now);
	throw explain(own, problem ?? refusal, outcome, wanted.url);
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

/** The response to the change counts. If there is none, or it repeats what was before, the trigger looks. */
async function change(
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
function isUntouched(problem: Error): boolean {
	return problem instanceof RequestFailedError && !problem.details.maybeDone;
}

function judge(
	now: SubscriptionState,
	own: OwnUrl,
	{ wanted }: Intent,
): SubscriptionError | undefined {
	const [from, to] = [wanted.url, now.url].map((url) => parseUrl(url));
	const isHere =
		findOwner(own, now.url) === findOwner(own, wanted.url) &&
		isRoutable(own, now.url) &&
		from?.protocol === to?.protocol;
	const essential = listEssential(own, wanted.url);
	const changed = essential.find((name) => {
		const [sent, stored] = [wanted.url, now.url].map((url) => readParameter(url, name));
		return stored !== sent;
	});
	const others = findMissing(now, { ...wanted, url: now.url });
	const missing = isHere && !changed ? others : ['url', ...others];
	if (missing.length === 0) return undefined;
	if (from && to && from.host === to.host && from.protocol !== to.protocol)
		return new SubscriptionError(
			`The service changes the webhook URL from ${from.protocol}// to ${to.protocol}//`,
			`Set WEBHOOK_URL to an address of this n8n that begins with ${to.protocol}//.`,
		);
	const isCut = now.url.length < wanted.url.length && wanted.url.startsWith(now.url);
	if (isCut && now.url !== withoutQuery(wanted.url))
		return new SubscriptionError(
			`The service cuts the webhook URL to ${now.url.length} characters`,
			describeLength(own, wanted.url),
		);
	if (isHere && changed) {
		const does = readParameter(now.url, changed) === undefined ? 'does not keep' : 'changes';
		return new SubscriptionError(
			`The service ${does} the query of a webhook URL. ${advice[changed]}`,
			'',
		);
	}
	return new SubscriptionError(
		`The service did not accept the new ${missing.join(' and ')} of the webhook subscription`,
		'Check in the service whether the subscription may be changed.',
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
): Promise<void> {
	const owner = findOwner(own, wanted.url);
	const isTakeover = findOwner(own, before.url) !== owner;
	// A person waits for a test run.
	if (isTakeover && !own.isTest) await sleep(Math.random() * mostCrossingMs);
	const read = own.isTest ? readSubscription : readCurrent;
	const shown = await read(context, subscriptionId).catch(() => undefined);
	if (!shown || findOwner(own, shown.url) === owner || isPast(subscriptionId, shown)) return;
	const what = `taken at the same moment by ${describeReceiver(shown.url, own)}`;
	logWarning(context, what, subscriptionId);
	throw new SubscriptionError(
		`This webhook subscription was ${what}. Choose another one, or turn on Take Over.`,
		'The trigger left it unchanged.',
	);
}

/**
 * Restores what this trigger changed, unless nothing was changed, or another receiver has taken the subscription since.
 * @param made what the change made of the subscription, however the service writes it
 * @returns what really happened, for the person
 */
async function undo(
	context: TriggerContext,
	own: OwnUrl,
	{ subscriptionId, before, wanted }: Intent,
	made: SubscriptionState | undefined,
): Promise<string> {
	try {
		const shown = await readCurrent(context, subscriptionId);
		const isBefore = isRewritten(before.url, shown.url);
		const isOurs =
			findOwner(own, shown.url) === findOwner(own, wanted.url) ||
			(made !== undefined && isSameUrl(made.url, shown.url) && isCutFrom(wanted.url, shown.url));
		if (!isBefore && !isOurs)
			return `It now delivers to ${describeUrl(shown.url)}, so the trigger left it unchanged.`;
		const past = shown.events === null ? before : makeRestorable(before);
		const back = isBefore ? { ...past, url: shown.url } : past;
		if (isSameState(shown, back)) return 'The subscription is unchanged.';
		await restore(context, subscriptionId, shown, back);
		return 'The trigger restored the subscription.';
	} catch (error) {
		const left = describeError(error).message;
		logWarning(context, `could not be restored: ${left}`, subscriptionId);
		return `The trigger could not restore the subscription: ${left}. It delivered to ${describeUrl(before.url)}.`;
	}
}

/** Whether a service may have made the second URL from the first one: it has the same host, and nothing else. */
function isCutFrom(sent: string, stored: string): boolean {
	const [from, to] = [sent, stored].map((url) => parseUrl(url));
	if (from?.host === undefined || from.host !== to?.host) return false;
	return normalizePath(from.pathname).startsWith(normalizePath(to.pathname));
}

/**
 * The parameters that the service must return unchanged. Where a test run took over from another service, `back` is for
 * a crash only.
 */
function listEssential(own: OwnUrl, url: string): Array<keyof typeof advice> {
	const isSpare = findOwner(own, url) === 'test' && !isTriggerUrl(readPrevious(url)?.url ?? '');
	return (['test', 'back', 'kept', 'token'] as const).filter(
		(name) => readParameter(url, name) !== undefined && !(isSpare && name === 'back'),
	);
}

/** A usual limit of services. */
const safeLength = 255;

/** Whether the service may have refused a change because of a long URL. */
export function isTooLong(url: string, error: unknown): boolean {
	return (
		url.length > safeLength &&
		error instanceof RequestFailedError &&
		[400, 413, 414, 422].includes(error.details.status ?? 0)
	);
}

function explain(own: OwnUrl, problem: Error | undefined, outcome: string, url: string): Error {
	const { message = '' } = problem ?? {};
	const description = problem && 'description' in problem ? String(problem.description) : '';
	if (!(problem instanceof RequestFailedError))
		return new SubscriptionError(message, join(outcome, description));
	const length = isTooLong(url, problem) ? describeLength(own, url) : '';
	const told = join(outcome, length, description);
	return new RequestFailedError({ message, description: [told], details: problem.details });
}

function describeLength(own: OwnUrl, url: string): string {
	const [most] = listEssential(own, url);
	return join(
		`The URL has ${url.length} characters, which may be more than the service accepts.`,
		most ? advice[most] : '',
	);
}

function join(...sentences: string[]): string {
	return sentences.filter(Boolean).join(' ');
}
