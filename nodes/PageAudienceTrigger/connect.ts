import { isOfService, isUntouched } from '../api/errors';
import { describeUrl, isRewritten, parseUrl, withoutQuery } from '../api/url';
import { describeError } from '../errors';
import { toError } from '../parameters/problem';
import { logWarning } from './log';
import { hasTest } from './registeredUrl';
import type { TriggerContext } from './settings';
import {
	change,
	isSameState,
	listDifferences,
	readCurrent,
	restore,
	SubscriptionError,
	type SubscriptionState,
} from './subscription';

/** The service stored another URL than was sent, apart from its own way of writing URLs. */
export class UrlChangedError extends SubscriptionError {}

/**
 * Makes a subscription deliver here. If that fails, this undoes it, because n8n's older engine then calls `delete`
 * without what was just saved. The error says what became of the subscription.
 */
export async function connect(
	context: TriggerContext,
	id: string,
	before: SubscriptionState,
	wanted: SubscriptionState,
): Promise<void> {
	const problem = await change(context, id, before, wanted).then(
		(now) => findRefusal(now, wanted),
		toError,
	);
	if (!problem) return;
	if (isUntouched(problem)) throw explain(problem, 'The subscription is unchanged.');
	// If the service does not say what the subscription is now, the change is undone as well.
	const now = await readCurrent(context, id).catch(() => wanted);
	const isLost = !(problem instanceof SubscriptionError) && now !== wanted;
	if (isLost && !findRefusal(now, wanted)) return;
	throw explain(problem, await undo(context, id, now, { before, wanted }));
}

/** @returns what became of the subscription */
async function undo(
	context: TriggerContext,
	id: string,
	now: SubscriptionState,
	{ before, wanted }: { before: SubscriptionState; wanted: SubscriptionState },
): Promise<string> {
	if (isSameState(now, before)) return 'The subscription is unchanged.';
	const place = withoutQuery(now.url);
	if (![before, wanted].some(({ url }) => isRewritten(withoutQuery(url), place)))
		return `It now delivers to ${describeUrl(now.url)}, so the trigger left it unchanged.`;
	try {
		await restore(context, id, now, before);
		return 'The trigger restored the subscription.';
	} catch (error) {
		const { message } = describeError(error);
		await logWarning(context, `could not be restored: ${message}`, id);
		return `The trigger could not restore the subscription: ${message}. It delivered to ${describeUrl(before.url)}.`;
	}
}

/** @returns undefined where the subscription delivers as it should */
function findRefusal(
	now: SubscriptionState,
	wanted: SubscriptionState,
): SubscriptionError | undefined {
	const [sent, stored] = [wanted, now].map(({ url }) => parseUrl(url));
	const missing = listDifferences(now, wanted);
	// A service may insist on https:, and n8n may listen to http: alone.
	if (sent?.host === stored?.host && sent?.protocol !== stored?.protocol)
		return new SubscriptionError(
			`The service changes the webhook URL from ${sent?.protocol}// to ${stored?.protocol}//`,
			`Set WEBHOOK_URL to an address of this n8n that begins with ${stored?.protocol}//.`,
		);
	if (missing.length === 0) return undefined;
	const what = `The service did not accept the new ${missing.join(' and ')} of the webhook subscription`;
	const advice = 'Check in the service whether the subscription may be changed.';
	if (!missing.includes('url')) return new SubscriptionError(what, advice);
	if (!isRewritten(withoutQuery(wanted.url), withoutQuery(now.url)))
		return new UrlChangedError(
			what,
			`${advice} The URL that was sent has ${wanted.url.length} characters.`,
		);
	return new UrlChangedError(
		`The service does not keep the query of a webhook URL. ${
			hasTest(wanted.url)
				? 'While the workflow is published, choose a Test Subscription for tests.'
				: "The URL carries this trigger's secret token. To do without it, turn off Verify Token."
		}`,
	);
}

function explain(problem: Error, outcome: string): Error {
	if (problem instanceof SubscriptionError || isOfService(problem))
		problem.description = `${outcome} ${problem.description}`.trim();
	return problem;
}
