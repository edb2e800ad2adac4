import { RequestFailedError } from '../../api/failure';
import { describeError } from '../../errors';
import { describeUrl } from '../../parameters/describeUrl';
import { isRoutable, locate, type OwnUrl } from '../address/ownUrl';
import { isRewritten, readParameter } from '../../api/url';
import { logWarning } from '../log';
import type { TriggerContext } from '../settings';
import { describeReceiver } from './plans';
import { type Change, findChange, findMissing, findReturn, isEmpty, type State } from './state';
import { changeSubscription, readSubscription } from './subscription';
import { SubscriptionError } from './subscriptionError';

export interface Intent {
	subscriptionId: string;
	before: State;
	wanted: State;
	/** The parameter of the URL that the service must return unchanged, and what to do when it does not. */
	essential?: { name: string; advice: string };
}

/**
 * Makes a subscription deliver here, and looks at whether it does. When it does not, the trigger undoes what may have
 * been done before it throws: n8n's older engine calls `delete` without what was kept just now.
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
	throw addOutcome(
		told,
		isUnchanged ? 'The subscription is unchanged.' : await undo(context, own, intent),
	);
}

/**
 * Makes a subscription deliver where it did before.
 * @throws {RequestFailedError | SubscriptionError}
 */
export async function restore(
	context: TriggerContext,
	subscriptionId: string,
	remote: State,
	wanted: State,
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

/** A change that brought no success may have been made all the same, also late: so the subscription is read. */
async function send(
	context: TriggerContext,
	subscriptionId: string,
	change: Change,
): Promise<{ after?: State; problem?: Error }> {
	try {
		return { after: await changeSubscription(context, subscriptionId, change) };
	} catch (error) {
		const problem = error instanceof Error ? error : new Error(String(error));
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
	after: State,
	own: OwnUrl,
	{ wanted, essential }: Intent,
): SubscriptionError | undefined {
	const isHere = locate(own, after.url) === locate(own, wanted.url) && isRoutable(own, after.url);
	if (isHere && essential) {
		const [sent, stored] = [wanted.url, after.url].map((url) => readParameter(url, essential.name));
		if (stored !== sent) {
			const does = stored === undefined ? 'does not keep' : 'changes';
			return new SubscriptionError(
				`The service ${does} the query of a webhook URL. ${essential.advice}`,
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

/** Another n8n process, or a person, may have read "free" at the same moment. */
async function lookAgain(
	context: TriggerContext,
	own: OwnUrl,
	{ subscriptionId, wanted }: Intent,
): Promise<void> {
	const now = await readSubscription(context, subscriptionId).catch(() => undefined);
	if (!now || locate(own, now.url) === locate(own, wanted.url)) return;
	throw new SubscriptionError(
		`This webhook subscription was taken at the same moment by ${describeReceiver(now.url, own)}. Choose another one, or turn on Take Over.`,
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
		if (!isBefore && locate(own, now.url) !== locate(own, wanted.url))
			return `It now delivers to ${describeUrl(now.url)}, so the trigger left it unchanged.`;
		const past = now.events === null ? before : findReturn(before);
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
