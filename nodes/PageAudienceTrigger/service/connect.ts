import { sleep } from 'n8n-workflow';
import { RequestFailedError } from '../../api/failure';
import { isRewritten, readParameter } from '../../api/url';
import { describeError } from '../../errors';
import { describeUrl } from '../../parameters/describeUrl';
import { toError } from '../../parameters/problem';
import { logWarning } from '../log';
import type { TriggerContext } from '../settings';
import { describeReceiver } from '../subscription/ownership';
import { findOwner, isRoutable, type OwnUrl } from '../subscription/ownUrl';
import {
	findChange,
	findMissing,
	isEmpty,
	makeRestorable,
	type SubscriptionChange,
	type SubscriptionState,
} from '../subscription/state';
import { SubscriptionError } from '../subscription/subscriptionError';
import { changeSubscription, readSubscription } from './requests';

/** What the trigger wants to make of a subscription. */
export interface Intent {
	subscriptionId: string;
	before: SubscriptionState;
	wanted: SubscriptionState;
	/** The parameter of the URL that the service must return unchanged. */
	essential?: keyof typeof advice;
}

/** What to do when the service does not keep the parameter. */
const advice = {
	token: "The URL carries this trigger's secret token. To do without it, turn off Verify Token.",
	test: 'While the workflow is published, choose a Test Subscription for tests.',
};

/**
 * Makes a subscription deliver here, and looks at whether it does. If it does not, the trigger restores the
 * subscription before it throws, because n8n's older engine calls `delete` without the snapshot that was just saved.
 * @throws {RequestFailedError | SubscriptionError}
 */
export async function connect(context: TriggerContext, own: OwnUrl, intent: Intent): Promise<void> {
	const change = findChange(intent.before, intent.wanted);
	if (isEmpty(change)) return;
	const { after, problem } = await send(context, intent.subscriptionId, change);
	const refusal = after && judge(after, own, intent);
	const told = refusal && problem ? problem : (refusal ?? (after ? undefined : problem));
	if (!told) return problem ? undefined : await lookAgain(context, own, intent);
	const isUnchanged = !after && isUntouched(told);
	const outcome = isUnchanged ? 'The subscription is unchanged.' : await undo(context, own, intent);
	throw addOutcome(told, outcome);
}

/**
 * Makes a subscription deliver where it did before.
 * @throws {RequestFailedError | SubscriptionError}
 */
export async function restore(
	context: TriggerContext,
	subscriptionId: string,
	remote: SubscriptionState,
	wanted: SubscriptionState,
): Promise<void> {
	const change = findChange(remote, wanted);
	if (isEmpty(change)) return;
	const { after, problem } = await send(context, subscriptionId, change);
	const missing = after ? findMissing(after, wanted) : [];
	if (after && missing.length === 0) return;
	throw (
		problem ??
		new SubscriptionError(
			`The service did not restore the ${missing.join(' and ')} of webhook subscription ${subscriptionId}`,
			`It should deliver to ${describeUrl(wanted.url)}. Correct it in the service.`,
		)
	);
}

/** A change that failed may have been made, even late. So the trigger reads the subscription again. */
async function send(
	context: TriggerContext,
	subscriptionId: string,
	change: SubscriptionChange,
): Promise<{ after?: SubscriptionState; problem?: Error }> {
	try {
		return { after: await changeSubscription(context, subscriptionId, change) };
	} catch (error) {
		const problem = toError(error);
		if (isUntouched(problem)) return { problem };
		const after = await readSubscription(context, subscriptionId).catch(() => undefined);
		return { after, problem };
	}
}

/** Whether the service certainly did nothing: it refused the one request that was sent. */
function isUntouched(problem: Error): boolean {
	if (!(problem instanceof RequestFailedError)) return false;
	const { maybeDone, attempts } = problem.details;
	return !maybeDone && attempts === 1;
}

function judge(
	after: SubscriptionState,
	own: OwnUrl,
	{ wanted, essential }: Intent,
): SubscriptionError | undefined {
	const isHere =
		findOwner(own, after.url) === findOwner(own, wanted.url) && isRoutable(own, after.url);
	if (isHere && essential) {
		const [sent, stored] = [wanted.url, after.url].map((url) => readParameter(url, essential));
		if (stored !== sent) {
			const does = stored === undefined ? 'does not keep' : 'changes';
			return new SubscriptionError(
				`The service ${does} the query of a webhook URL. ${advice[essential]}`,
				'',
			);
		}
	}
	const others = findMissing(after, { ...wanted, url: after.url });
	const missing = isHere ? others : ['url', ...others];
	if (missing.length === 0) return undefined;
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
 */
async function lookAgain(
	context: TriggerContext,
	own: OwnUrl,
	{ subscriptionId, before, wanted }: Intent,
): Promise<void> {
	const owner = findOwner(own, wanted.url);
	const isTakeover = findOwner(own, before.url) !== owner;
	// A person waits for a test run.
	if (isTakeover && !own.isTest) await sleep(Math.random() * mostCrossingMs);
	const now = await readSubscription(context, subscriptionId).catch(() => undefined);
	if (!now || findOwner(own, now.url) === owner) return;
	const what = `taken at the same moment by ${describeReceiver(now.url, own)}`;
	logWarning(context, what, subscriptionId);
	throw new SubscriptionError(
		`This webhook subscription was ${what}. Choose another one, or turn on Take Over.`,
		'The trigger left it unchanged.',
	);
}

/**
 * Restores what this trigger changed, unless nothing was changed, or another receiver has taken the subscription since.
 * @returns what really happened, for the person
 */
async function undo(
	context: TriggerContext,
	own: OwnUrl,
	{ subscriptionId, before, wanted }: Intent,
): Promise<string> {
	try {
		const now = await readSubscription(context, subscriptionId);
		const isBefore = isRewritten(before.url, now.url);
		if (!isBefore && findOwner(own, now.url) !== findOwner(own, wanted.url))
			return `It now delivers to ${describeUrl(now.url)}, so the trigger left it unchanged.`;
		const past = now.events === null ? before : makeRestorable(before);
		const change = findChange(now, isBefore ? { ...past, url: now.url } : past);
		if (isEmpty(change)) return 'The subscription is unchanged.';
		await restore(context, subscriptionId, now, { ...now, ...change });
		return 'The trigger restored the subscription.';
	} catch (error) {
		const left = describeError(error).message;
		logWarning(context, `could not be restored: ${left}`, subscriptionId);
		return `The trigger could not restore the subscription: ${left}. It delivered to ${describeUrl(before.url)}.`;
	}
}

function addOutcome(problem: Error, outcome: string): Error {
	const { message } = problem;
	const description = 'description' in problem ? String(problem.description) : '';
	const told = [outcome, description].filter(Boolean).join(' ');
	return problem instanceof RequestFailedError
		? new RequestFailedError({ message, description: [told], details: problem.details })
		: new SubscriptionError(message, told);
}
