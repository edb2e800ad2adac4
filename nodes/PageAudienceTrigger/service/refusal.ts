import { RequestFailedError } from '../../api/errors';
import { parseUrl } from '../../api/parseUrl';
import { isTriggerUrl } from '../../api/triggerUrl';
import { readParameter, withoutQuery } from '../../api/url';
import { readPrevious } from '../subscription/chain';
import { findOwner, isRoutable, type OwnUrl } from '../subscription/ownUrl';
import { findMissing, type SubscriptionState } from '../subscription/state';
import { SubscriptionError } from '../subscription/subscriptionError';

/* What is wrong with what a service made of a registered URL, and what a person can do about it. */

const withoutToken =
	"The URL carries this trigger's secret token. To do without it, turn off Verify Token.";

/** What to do when the service does not keep a parameter of the URL, the longest first. */
const advice = {
	test: 'While the workflow is published, choose a Test Subscription for tests.',
	back: 'The URL names another workflow, which gets the subscription back. Choose a subscription that no other workflow uses.',
	kept: withoutToken,
	token: withoutToken,
};

/** @returns undefined where the subscription delivers as it should */
export function findRefusal(
	own: OwnUrl,
	now: SubscriptionState,
	wanted: SubscriptionState,
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
	const others = findMissing(now, wanted).filter((name) => name !== 'url');
	const missing = isHere && !changed ? others : ['url', ...others];
	if (missing.length === 0) return undefined;
	if (from && to && from.host === to.host && from.protocol !== to.protocol)
		return new SubscriptionError(
			`The service changes the webhook URL from ${from.protocol}// to ${to.protocol}//`,
			`Set WEBHOOK_URL to an address of this n8n that begins with ${to.protocol}//.`,
		);
	const isCut =
		now.url !== '' && now.url.length < wanted.url.length && wanted.url.startsWith(now.url);
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
	if (url.length <= safeLength || !(error instanceof RequestFailedError)) return false;
	const { status = 0 } = error.details;
	if (status === 413 || status === 414) return true;
	const isTold = /\b(url|uri)\b|long|length|characters/i.test(error.description);
	return (status === 400 || status === 422) && (isTold || !error.description.includes('said'));
}

/** @param outcome what became of the subscription */
export function explain(
	own: OwnUrl,
	problem: Error | undefined,
	outcome: string,
	url: string,
): Error {
	const { message = '' } = problem ?? {};
	const description = problem && 'description' in problem ? String(problem.description) : '';
	if (!(problem instanceof RequestFailedError))
		return new SubscriptionError(message, join(outcome, description));
	const length = isTooLong(url, problem) ? describeLength(own, url) : '';
	problem.description = join(outcome, length, description);
	return problem;
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
