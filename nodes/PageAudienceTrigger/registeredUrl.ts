import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IWebhookFunctions } from 'n8n-workflow';
import { readConnection } from '../api/connection';
import { parseJson } from '../runtime/unknown';
import { readParameter, withoutParameter, withParameter } from '../runtime/url';
import { findOwner, type OwnUrl, readTriggerId } from './ownUrl';
import type { TriggerContext, TriggerSettings } from './settings';
import { readToken } from './staticData';
import { readState, type SubscriptionState } from './subscription';

/*
 * The query of the URL that the trigger registers with the service: the `token` that deliveries must carry, and during a
 * test run `back`, what it restores, and beside production `test`, where production sends copies.
 */

/** This trigger's URL with its token, unless Verify Token is off. */
export async function makeRegisteredUrl(
	context: TriggerContext,
	{ href }: OwnUrl,
	{ verifyToken }: TriggerSettings,
): Promise<string> {
	return verifyToken ? withParameter(href, 'token', await makeToken(context)) : href;
}

/**
 * The token stays the same as long as the API key does, so it can be made again if the static data was lost.
 * @throws {RangeError} without a key, because everybody could make it
 */
async function makeToken(context: TriggerContext): Promise<string> {
	const { apiKey } = await readConnection(context);
	if (apiKey === '') throw new RangeError('The API Key in the credential is empty');
	return createHmac('sha256', apiKey).update(readTriggerId(context)).digest('hex');
}

/**
 * Whether it is the registered token, or the one that the present API key makes: n8n may have lost what was registered,
 * and the key may have changed since. For each credential that a delivery reads, n8n starts an isolate, so the registered
 * one comes first.
 * @throws {RangeError} without a key
 */
export async function isRegistered(context: IWebhookFunctions, given: string): Promise<boolean> {
	const registered = readToken(context);
	if (registered !== undefined && isSameToken(given, registered)) return true;
	return isSameToken(given, await makeToken(context));
}

/** In constant time, whatever the lengths. A service may lower the letters of a URL, or raise them. */
function isSameToken(one: string, other: string): boolean {
	const digest = (text: string) => createHash('sha256').update(text.toLowerCase()).digest();
	return timingSafeEqual(digest(one), digest(other));
}

/** In hexadecimal, because a service may change the case of letters. */
export function withBack(url: string, original: SubscriptionState): string {
	return withParameter(url, 'back', Buffer.from(JSON.stringify(original)).toString('hex'));
}

export function readBack(url: string): SubscriptionState | undefined {
	const text = Buffer.from(readParameter(url, 'back') ?? '', 'hex').toString();
	return readState(parseJson(text));
}

/** What a test run has to restore, as its URL says. For production, its own URL is nothing to restore. */
export function readLeft(own: OwnUrl, url: string): SubscriptionState | undefined {
	return !own.isTest && readProduction(own, url) ? undefined : readBack(url);
}

/** The same, where it is what the published workflow had. */
export function readProduction(own: OwnUrl, url: string): SubscriptionState | undefined {
	const back = readBack(url);
	return back && findOwner(own, back.url) === 'production' ? back : undefined;
}

/** Production's URL, with where the test run beside it takes its copies, e.g. `test=webhook-test`. */
export function withTest(url: string, { prefix }: OwnUrl): string {
	return withParameter(url, 'test', prefix.slice(1));
}

export function withoutTest(url: string): string {
	return withoutParameter(withoutParameter(url, 'test'), 'back');
}

export function hasTest(url: string): boolean {
	return readParameter(url, 'test') !== undefined;
}

/** Where a test run takes copies, if the query of a delivery to production names one: at this n8n, and this trigger. */
export function readTestUrl(
	own: OwnUrl,
	{ test, token }: Record<string, unknown>,
): string | undefined {
	if (typeof test !== 'string' || !/^[\w-]+(?:\/[\w-]+)*$/.test(test)) return undefined;
	// That is production, which would start twice. n8n ignores the case of letters there.
	if (`/${test}`.toLowerCase() === own.prefix.toLowerCase()) return undefined;
	const url = `${own.origin}/${test}${own.tail}`;
	return typeof token === 'string' ? withParameter(url, 'token', token) : url;
}
