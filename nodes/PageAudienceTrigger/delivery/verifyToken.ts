import type { IWebhookFunctions } from 'n8n-workflow';
import { describeError } from '../../errors';
import { isOwn, locate, type OwnUrl } from '../address/ownUrl';
import { readApiKey, urlParameters } from '../address/registeredUrl';
import { isSameToken, isTokenLike, makeToken } from '../address/signature';
import { readParameter } from '../../api/url';
import { deliveryPatience, readSubscription } from '../registration/subscription';

export type Verdict =
	/** With the tokens that must not be seen further on. */
	| { kind: 'accepted'; tokens: string[] }
	| { kind: 'rejected'; reason: string }
	/** It may be right: the service should retry. */
	| { kind: 'unknown'; reason: string };

/**
 * Whether a delivery carries the secret of the URL that was registered.
 * @param readSubscriptions those that may be registered with this URL; may throw
 */
export async function verifyToken(
	context: IWebhookFunctions,
	own: OwnUrl,
	readSubscriptions: () => string[],
	token: unknown,
): Promise<Verdict> {
	if (!isTokenLike(token)) return { kind: 'rejected', reason: 'it carried no token' };
	try {
		const subscriptions = readSubscriptions();
		const key = [own.id, ...subscriptions].join(':');
		if (isRemembered(key, token)) return { kind: 'accepted', tokens: [token] };
		const apiKey = await readApiKey(context);
		const expected = subscriptions.map((each) => makeToken(apiKey, own.id, each));
		if (expected.some((each) => isSameToken(each, token))) {
			remembered.set(key, { until: Date.now() + memoryMs, token });
			return { kind: 'accepted', tokens: [token] };
		}
		let unanswered: unknown;
		for (const each of subscriptions) {
			const registered = await askRegistered(context, own, each).catch(
				(error: unknown) => void (unanswered = error),
			);
			if (registered !== undefined && isSameToken(registered, token))
				return { kind: 'accepted', tokens: [token, ...expected] };
		}
		if (unanswered !== undefined) throw unanswered;
		return { kind: 'rejected', reason: 'its token is not that of the registered URL' };
	} catch (error) {
		const { message } = describeError(error);
		return { kind: 'unknown', reason: `its token could not be checked: ${message}` };
	}
}

/**
 * For each credential that a trigger reads n8n starts an expression isolate, which costs about as much as half of the
 * rest of a delivery. So what the API key has just made is not made again for each delivery of a burst. Nothing is lost
 * where this is forgotten.
 */
const memoryMs = 10_000;

/** The token that was accepted last. One entry per trigger of this process. */
const remembered = new Map<string, { until: number; token: string }>();

function isRemembered(key: string, token: string): boolean {
	const last = remembered.get(key);
	return last !== undefined && Date.now() < last.until && isSameToken(last.token, token);
}

/** How long a response counts, and how long the service is not asked again after there was none. */
const responseMs = 60_000;
export const silenceMs = 5_000;

/** The token of the registered URL, or the question under way. One entry per trigger of this process. */
const asked = new Map<string, { until: number; token: Promise<string | undefined> }>();

/**
 * After the API key was changed, the registered URL still carries the token that the old one made. Asked at most once
 * a minute, whatever is sent.
 */
async function askRegistered(
	context: IWebhookFunctions,
	own: OwnUrl,
	subscriptionId: string,
): Promise<string | undefined> {
	const key = `${own.id}:${subscriptionId}`;
	const known = asked.get(key);
	if (known && Date.now() < known.until) return await known.token;
	const token = readSubscription(context, subscriptionId, deliveryPatience).then(({ url }) =>
		isOwn(locate(own, url)) ? readParameter(url, urlParameters.token) : undefined,
	);
	const entry = { until: Date.now() + responseMs, token };
	asked.set(key, entry);
	token.catch(() => (entry.until = Date.now() + silenceMs));
	return await token;
}
