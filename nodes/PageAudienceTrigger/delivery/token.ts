import { createHash, timingSafeEqual } from 'node:crypto';
import type { IWebhookFunctions } from 'n8n-workflow';
import { readParameter } from '../../runtime/url';
import { RecentMap } from '../../runtime/recentMap';
import { findOwner, readOwnUrl, readTriggerId } from '../ownUrl';
import { makeToken } from '../registeredUrl';
import { findSubscriptionId } from '../settings';
import { readData } from '../staticData';
import { readCurrent } from '../subscription';

/**
 * Whether a token is the registered one. The static data comes first, because n8n starts an isolate for each credential
 * that a delivery reads. If n8n has lost the token there, the API key makes it again. If the key has changed since, only
 * the service knows which URL is registered.
 * @throws {RangeError} without a key
 * @throws {RequestFailedError | SubscriptionError} if the service does not say it
 */
export async function isRegisteredToken(
	context: IWebhookFunctions,
	given: string,
): Promise<boolean> {
	return (
		isSameToken(given, readData(context).token) ||
		isSameToken(given, await makeToken(context)) ||
		isSameToken(given, await askForToken(context))
	);
}

/** In constant time, whatever the lengths. A service may lower the letters of a URL, or raise them. */
function isSameToken(given: string, expected: string | undefined): boolean {
	const digest = (text: string) => createHash('sha256').update(text.toLowerCase()).digest();
	return expected !== undefined && timingSafeEqual(digest(given), digest(expected));
}

const pauseMs = 60_000;
/** When each trigger last asked the service, and for which answer. */
const lastAsked = new RecentMap<string, { at: number; token: Promise<string | undefined> }>(10_000);

/** Asks at most once a minute, because anybody can send wrong tokens. */
async function askForToken(context: IWebhookFunctions): Promise<string | undefined> {
	const triggerId = readTriggerId(context);
	const last = lastAsked.get(triggerId);
	if (last && performance.now() - last.at < pauseMs) return await last.token;
	const token = readShownToken(context);
	lastAsked.set(triggerId, { at: performance.now(), token });
	return await token;
}

async function readShownToken(context: IWebhookFunctions): Promise<string | undefined> {
	const id = findSubscriptionId(context);
	if (id === undefined) return undefined;
	const { url } = await readCurrent(context, id);
	const isOwn = findOwner(readOwnUrl(context, false), url) === 'production';
	return isOwn ? readParameter(url, 'token') : undefined;
}
