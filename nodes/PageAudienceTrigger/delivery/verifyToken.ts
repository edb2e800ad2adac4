import { createHash, timingSafeEqual } from 'node:crypto';
import type { IWebhookFunctions } from 'n8n-workflow';
import { describeError } from '../../errors';
import { isOwn, locate, type OwnUrl } from '../registration/ownUrl';
import { makeToken, readApiKey, urlParameters } from '../registration/registeredUrl';
import { deliveryPatience, readSubscription } from '../registration/subscription';
import { readParameter } from '../url';

export type Verdict =
	/** With the tokens that must not be seen further on. */
	{ accepted: true; tokens: string[] } | { accepted: false; reason: string };

/**
 * Whether a delivery carries the secret of the URL that was registered.
 * @param subscriptions those that may be registered with this URL
 */
export async function verifyToken(
	context: IWebhookFunctions,
	own: OwnUrl,
	subscriptions: string[],
	token: unknown,
): Promise<Verdict> {
	if (!isTokenLike(token)) return { accepted: false, reason: 'it carried no token' };
	const key = [own.id, ...subscriptions].join(':');
	if (isRemembered(key, token)) return { accepted: true, tokens: [token] };
	try {
		const apiKey = await readApiKey(context);
		const expected = subscriptions.map((each) => makeToken(apiKey, own.id, each));
		if (expected.some((each) => isSameToken(each, token))) {
			remembered.set(key, { until: Date.now() + memoryMs, token });
			return { accepted: true, tokens: [token] };
		}
		let unanswered: unknown;
		for (const each of subscriptions) {
			const registered = await askRegistered(context, own, each).catch(
				(error: unknown) => void (unanswered = error),
			);
			if (registered !== undefined && isSameToken(registered, token))
				return { accepted: true, tokens: [token, ...expected] };
		}
		return unanswered === undefined
			? { accepted: false, reason: 'its token is not that of the registered URL' }
			: describeUncheckable(unanswered);
	} catch (error) {
		return describeUncheckable(error);
	}
}

function describeUncheckable(error: unknown): Verdict {
	return {
		accepted: false,
		reason: `its token could not be checked: ${describeError(error).message}`,
	};
}

/**
 * For each credential that a trigger reads n8n starts an expression isolate, which costs about as much as half of the
 * rest of a delivery. So what the API key has just made is not made again for each delivery of a burst. Nothing is
 * lost where this is forgotten.
 */
const memoryMs = 10_000;

/** The token that was accepted last. One entry per trigger of this process. */
const remembered = new Map<string, { until: number; token: string }>();

function isRemembered(key: string, token: string): boolean {
	const last = remembered.get(key);
	return last !== undefined && Date.now() < last.until && isSameToken(last.token, token);
}

/** How long an answer counts, and how long none is asked for again after there was none. */
const answerMs = 60_000;
const silenceMs = 5_000;

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
	const entry = { until: Date.now() + answerMs, token };
	asked.set(key, entry);
	token.catch(() => (entry.until = Date.now() + silenceMs));
	return await token;
}

/** In constant time, whatever the lengths. */
export function isSameToken(one: string, other: string): boolean {
	const [a, b] = [one, other].map((token) => createHash('sha256').update(token).digest());
	return timingSafeEqual(a, b);
}

/** Whether it could be a token at all: 256 bits in base64url. */
export function isTokenLike(value: unknown): value is string {
	return typeof value === 'string' && /^[\w-]{43}$/.test(value);
}
