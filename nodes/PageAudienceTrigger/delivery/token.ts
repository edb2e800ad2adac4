import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { readParameter } from '../../api/url';
import { describeError } from '../../errors';
import { RecentMap } from '../../runtime/recentMap';
import { logRarely } from '../log';
import { deliveryPatience, readSubscription } from '../service/requests';
import { isOwn, type OwnUrl } from '../subscription/ownUrl';
import { urlParameters } from '../subscription/registeredUrl';
import { isSameToken, isTokenLike, makeToken } from '../subscription/signature';

export type TokenCheck =
	/** With the tokens that must not be seen further on. */
	| { kind: 'accepted'; tokens: string[] }
	/** `unknown`: it may be right, and the service should retry. */
	| { kind: 'rejected' | 'unknown'; reason: string };

/**
 * For each credential that a trigger reads n8n starts an expression isolate, which costs about as much as half of the
 * rest of a delivery. So during a burst the trigger makes the expected token only once. Nothing is lost where this is
 * forgotten.
 */
const memoryMs = 10_000;
const mostTriggers = 10_000;

/** The token that was accepted last. One entry per trigger of this process. */
const remembered = new RecentMap<string, { until: number; token: string }>(mostTriggers);

/**
 * Whether a delivery carries the secret of the URL that was registered.
 * @param readSubscriptions those that may be registered with this URL; may throw
 */
export async function verifyToken(
	context: IWebhookFunctions,
	own: OwnUrl,
	token: unknown,
	readSubscriptions: () => string[],
	readKey: () => Promise<string>,
): Promise<TokenCheck> {
	if (!isTokenLike(token)) return { kind: 'rejected', reason: 'it carried no token' };
	const compare = async (): Promise<TokenCheck> => {
		const subscriptions = readSubscriptions();
		const key = [own.id, ...subscriptions].join(':');
		const last = remembered.get(key);
		if (last && performance.now() < last.until && isSameToken(last.token, token))
			return { kind: 'accepted', tokens: [token] };
		const apiKey = await readKey();
		const expected = subscriptions.map((each) => makeToken(apiKey, own.id, each));
		if (expected.some((each) => isSameToken(each, token))) {
			remembered.set(key, { until: performance.now() + memoryMs, token });
			return { kind: 'accepted', tokens: [token] };
		}
		let unanswered: unknown;
		for (const each of subscriptions) {
			const registered = await readRegisteredToken(context, own, each).catch(
				(error: unknown) => void (unanswered = error),
			);
			if (registered !== undefined && isSameToken(registered, token))
				return { kind: 'accepted', tokens: [token, ...expected] };
		}
		if (unanswered !== undefined) throw unanswered;
		return { kind: 'rejected', reason: 'its token is not that of the registered URL' };
	};
	return await compare().catch((error: unknown) => {
		const { message } = describeError(error);
		return { kind: 'unknown', reason: `its token could not be checked: ${message}` };
	});
}

/** How long a response counts, and how long the service is not asked again after there was none. */
const responseMs = 60_000;
const silenceMs = 5_000;

/** The token of the registered URL, or the question under way. One entry per trigger of this process. */
const asked = new RecentMap<string, { until: number; token: Promise<string | undefined> }>(
	mostTriggers,
);

/**
 * After the API key was changed, the registered URL still carries the token that the old one made. The trigger asks the
 * service for it at most once a minute, or once in five seconds while there is no response, whatever is sent.
 */
async function readRegisteredToken(
	context: IWebhookFunctions,
	own: OwnUrl,
	subscriptionId: string,
): Promise<string | undefined> {
	const key = `${own.id}:${subscriptionId}`;
	const known = asked.get(key);
	if (known && performance.now() < known.until) return await known.token;
	const token = readSubscription(context, subscriptionId, deliveryPatience).then(({ url }) =>
		isOwn(own, url) ? readParameter(url, urlParameters.token) : undefined,
	);
	const entry = { until: performance.now() + responseMs, token };
	asked.set(key, entry);
	token.catch(() => (entry.until = performance.now() + silenceMs));
	return await token;
}

/** The response is sent here, because n8n would make a failed execution of anything thrown. */
export function reject(
	context: IWebhookFunctions,
	own: OwnUrl,
	{ kind, reason }: Exclude<TokenCheck, { kind: 'accepted' }>,
): IWebhookResponseData {
	const isWrong = kind === 'rejected';
	const status = isWrong ? 401 : 503;
	logRarely(context, own.id, `rejected a delivery (${status}), because ${reason}`);
	const response = context.getResponseObject().status(status);
	if (!isWrong) response.setHeader('retry-after', String(silenceMs / 1_000));
	response.json({
		started: false,
		reason: isWrong
			? 'The token is not the registered one'
			: 'The token cannot be checked at the moment',
	});
	return { noWebhookResponse: true };
}
