import { DescribedError, hasStatus, isUntouched } from '../api/errors';
import { describeError } from '../nodeErrors';
import { toError } from '../runtime/unknown';
import { describeUrl, isRewritten, parseUrl, withoutQuery } from '../runtime/url';
import { webhookUrlSetting } from '../webhooks/ownWebhooks';
import { logWarning } from './log';
import { hasTest, withoutState } from './registeredUrl';
import type { TriggerContext } from './settings';
import {
	change,
	isSameState,
	listDifferences,
	noteChange,
	readCurrent,
	restore,
	SubscriptionError,
	type SubscriptionState,
} from './subscription';

/** The service stored the URL without its query, or with a part of it. */
class QueryLostError extends SubscriptionError {}

/** Makes a subscription deliver here, with a shorter URL if the service refuses the wanted one. */
export async function connect(
	context: TriggerContext,
	id: string,
	current: SubscriptionState,
	wanted: SubscriptionState,
): Promise<void> {
	await tryToConnect(context, id, current, wanted).catch(async (error: unknown) => {
		const url = withoutState(wanted.url);
		// Some services respond with 500 to a URL that is too long for their database.
		const isRefused = error instanceof QueryLostError || hasStatus(error, 400, 413, 414, 422, 500);
		if (!isRefused || url === wanted.url) throw error;
		await tryToConnect(context, id, current, { ...wanted, url });
	});
}

/**
 * Changes the subscription, and undoes a change that failed: n8n then calls `delete`, which may not know what to restore,
 * because nothing is saved yet. The error says what became of the subscription.
 */
async function tryToConnect(
	context: TriggerContext,
	id: string,
	current: SubscriptionState,
	wanted: SubscriptionState,
): Promise<void> {
	const problem = await change(context, id, current, wanted).then(
		(stored) => findRefusal(stored, wanted),
		toError,
	);
	if (!problem) return;
	const sent = `: it was to deliver ${wanted.events?.join(', ')} to ${describeUrl(wanted.url)}`;
	const aim = hasStatus(problem, 400, 409, 422) ? sent : '';
	if (isUntouched(problem)) throw withOutcome(problem, `The subscription is unchanged${aim}.`);
	const found = await readCurrent(context, id).catch(() => undefined);
	const wasLost = !(problem instanceof SubscriptionError);
	if (wasLost && found && !findRefusal(found, wanted))
		return await noteChange(context, id, [found, current]);
	// If the service does not say what the subscription is now, the change may have been made.
	throw withOutcome(problem, await undo(context, id, found ?? wanted, { current, wanted }));
}

/** @returns what became of the subscription */
async function undo(
	context: TriggerContext,
	id: string,
	found: SubscriptionState,
	{ current, wanted }: { current: SubscriptionState; wanted: SubscriptionState },
): Promise<string> {
	if (isSameState(found, current)) return 'The subscription is unchanged.';
	const target = withoutQuery(found.url);
	if (![current, wanted].some(({ url }) => isRewritten(withoutQuery(url), target)))
		return `It now delivers to ${describeUrl(found.url)}, so the trigger left it unchanged.`;
	try {
		await restore(context, id, found, current);
		return 'The trigger restored the subscription.';
	} catch (error) {
		const { message } = describeError(error);
		await logWarning(context, `could not be restored: ${message}`, id);
		return `The trigger could not restore the subscription: ${message}. It delivered to ${describeUrl(current.url)}.`;
	}
}

/** @returns undefined where the subscription delivers as it should */
function findRefusal(stored: SubscriptionState, wanted: SubscriptionState) {
	const [sentUrl, storedUrl] = [wanted, stored].map(({ url }) => parseUrl(url));
	// A service may insist on https:, and n8n may listen to http: alone.
	if (sentUrl?.host === storedUrl?.host && sentUrl?.protocol !== storedUrl?.protocol)
		return new SubscriptionError(
			`The service changes the webhook URL from ${sentUrl?.protocol}// to ${storedUrl?.protocol}//`,
			`Set ${webhookUrlSetting} to an address of this n8n that begins with ${storedUrl?.protocol}//.`,
		);
	const refused = listDifferences(stored, wanted);
	if (refused.length === 0) return undefined;
	const what = `The service did not accept the new ${refused.join(' and ')} of the webhook subscription`;
	const advice = 'Check in the service whether it allows this change.';
	if (!refused.includes('URL')) return new SubscriptionError(what, advice);
	const length = `The URL that was sent has ${wanted.url.length} characters.`;
	if (!isRewritten(withoutQuery(wanted.url), withoutQuery(stored.url)))
		return new SubscriptionError(what, `${advice} ${length}`);
	return new QueryLostError(
		`The service removes everything after the ? from webhook URLs. ${
			hasTest(wanted.url)
				? 'While the workflow is published, choose a Test Subscription for tests.'
				: "The URL carries this trigger's secret token. To do without it, turn off Verify Token."
		}`,
		'',
	);
}

function withOutcome(problem: Error, outcome: string): Error {
	if (problem instanceof DescribedError)
		problem.description = `${outcome} ${problem.description}`.trim();
	return problem;
}
