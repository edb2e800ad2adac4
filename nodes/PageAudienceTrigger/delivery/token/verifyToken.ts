import type { IWebhookFunctions } from 'n8n-workflow';
import { describeError } from '../../../errors';
import type { OwnUrl } from '../../subscription/ownUrl';
import { isSameToken, isTokenLike, makeToken } from '../../subscription/signature';
import { readRegisteredToken } from './registeredToken';

export type TokenCheck =
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
	token: unknown,
	readSubscriptions: () => string[],
	readKey: () => Promise<string>,
): Promise<TokenCheck> {
	if (!isTokenLike(token)) return { kind: 'rejected', reason: 'it carried no token' };
	try {
		return await compareTokens(context, own, token, readSubscriptions(), readKey);
	} catch (error) {
		const { message } = describeError(error);
		return { kind: 'unknown', reason: `its token could not be checked: ${message}` };
	}
}

async function compareTokens(
	context: IWebhookFunctions,
	own: OwnUrl,
	token: string,
	subscriptions: string[],
	readKey: () => Promise<string>,
): Promise<TokenCheck> {
	const key = [own.id, ...subscriptions].join(':');
	if (isRemembered(key, token)) return { kind: 'accepted', tokens: [token] };
	const apiKey = await readKey();
	const expected = subscriptions.map((each) => makeToken(apiKey, own.id, each));
	if (expected.some((each) => isSameToken(each, token))) {
		remembered.set(key, { until: Date.now() + memoryMs, token });
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
}

/**
 * For each credential that a trigger reads n8n starts an expression isolate, which costs about as much as half of the
 * rest of a delivery. So during a burst the trigger makes the expected token only once. Nothing is lost where this is
 * forgotten.
 */
const memoryMs = 10_000;

/** The token that was accepted last. One entry per trigger of this process. */
const remembered = new Map<string, { until: number; token: string }>();

function isRemembered(key: string, token: string): boolean {
	const last = remembered.get(key);
	return last !== undefined && Date.now() < last.until && isSameToken(last.token, token);
}
