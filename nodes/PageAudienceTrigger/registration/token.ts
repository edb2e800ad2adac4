import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { readConnection } from '../../api/connection';
import type { OwnUrl } from './ownUrl';
import { withParameter } from '../url';
import type { Settings, TriggerContext } from '../settings';

/**
 * The secret in the registered URL: it needs no state, so that it can be checked in tests, in n8n's webhook
 * processes and after a restart, none of which see what activating wrote down.
 */
export function makeToken(apiKey: string, id: string, subscriptionId: string): string {
	return createHmac('sha256', apiKey).update(`${id}:${subscriptionId}`).digest('base64url');
}

/** The URL to register for a subscription; `verifyToken` puts the token into it. */
export async function writeUrl(
	context: TriggerContext,
	own: OwnUrl,
	subscriptionId: string,
	{ verifyToken }: Settings,
): Promise<string> {
	if (!verifyToken) return own.href;
	return withParameter(
		own.href,
		'token',
		makeToken(await readApiKey(context), own.id, subscriptionId),
	);
}

/** What to do when the service drops what `writeUrl` put into the query. */
export const adviceWithoutToken =
	"It carries this trigger's secret token: to go on without one, switch off 'Options > Verify Token'";

/** In constant time, whatever the lengths. */
export function isSameToken(one: string, other: string): boolean {
	const [a, b] = [one, other].map((token) => createHash('sha256').update(token).digest());
	return timingSafeEqual(a, b);
}

/** Whether it could be a token at all: 256 bits in base64url. */
export function isTokenLike(value: unknown): value is string {
	return typeof value === 'string' && /^[\w-]{43}$/.test(value);
}

/** @throws {RangeError} when there is none: everybody could make its tokens */
export async function readApiKey(context: TriggerContext): Promise<string> {
	const { apiKey } = await readConnection(context);
	if (apiKey === '') throw new RangeError("'API Key' in the credential is empty");
	return apiKey;
}
