import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IWebhookFunctions } from 'n8n-workflow';
import { readConnection } from '../../api/connection';
import { parseUrl } from '../../runtime/url';
import { readKept } from '../kept';
import { readTriggerId } from '../ownUrl';
import type { TriggerContext } from '../settings';

/**
 * It stays the same as long as the API key does, so it can be made again if the static data was lost. A copy of the workflow
 * may have the same webhook ID, but not the same token.
 */
export function makeToken(context: TriggerContext, apiKey: string): string {
	const of = [context.getWorkflow().id, readTriggerId(context)].join('/');
	return createHmac('sha256', apiKey).update(of).digest('hex');
}

/** Whether a URL has the token that this trigger makes: nothing else tells it from a copy of the workflow. */
export function hasOwnToken(context: TriggerContext, url: string, apiKey: string): boolean {
	const token = parseUrl(url)?.searchParams.get('token') ?? '';
	return isSameToken(token, makeToken(context, apiKey));
}

/** Whether a value could be the token of a trigger at all. */
export function isTokenLike(given: unknown): given is string {
	return typeof given === 'string' && /^[\da-f]{64}$/i.test(given);
}

/**
 * Whether a token is the registered one. The static data comes first, because n8n starts an isolate for each credential
 * that a delivery reads, and because the key may have changed since. A test has none.
 * @throws {RangeError} without a key, with which everybody could make the token
 */
export async function isRegisteredToken(
	context: IWebhookFunctions,
	given: string,
): Promise<boolean> {
	if (isSameToken(given, readKept(context).token)) return true;
	const { apiKey } = await readConnection(context);
	return isSameToken(given, makeToken(context, apiKey));
}

/** In constant time, whatever the lengths. A service may lower the letters of a URL, or raise them. */
function isSameToken(given: string, expected: string | undefined): boolean {
	const digest = (text: string) => createHash('sha256').update(text.toLowerCase()).digest();
	return expected !== undefined && timingSafeEqual(digest(given), digest(expected));
}
