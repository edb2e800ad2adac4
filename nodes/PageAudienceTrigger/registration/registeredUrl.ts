import { createHmac } from 'node:crypto';
import { readConnection } from '../../api/connection';
import type { Settings, TriggerContext } from '../settings';
import { readParameter, withParameter } from '../url';
import type { OwnUrl } from './ownUrl';
import { readState, type State } from './state';

/** What the trigger puts into the query of the URL that it registers. */
export const urlParameters = {
	/** The secret that deliveries must carry. */
	token: 'token',
	/** The path, of this trigger's own origin, that gets copies while somebody listens for a test event. */
	test: 'test',
	/** How the subscription was before a test borrowed it. */
	back: 'back',
} as const;

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
		urlParameters.token,
		makeToken(await readApiKey(context), own.id, subscriptionId),
	);
}

/** What to do when the service drops what `writeUrl` put into the query. */
export const adviceWithoutToken =
	"It carries this trigger's secret token: to go on without one, switch off 'Options > Verify Token'";

/** @throws {RangeError} when there is none: everybody could make its tokens */
export async function readApiKey(context: TriggerContext): Promise<string> {
	const { apiKey } = await readConnection(context);
	if (apiKey === '') throw new RangeError("'API Key' in the credential is empty");
	return apiKey;
}

/**
 * A test that borrows the subscription carries its earlier state in its own URL: when n8n crashes during the test,
 * nothing else remembers it.
 */
export function withBack(url: string, kept: State): string {
	const text = Buffer.from(JSON.stringify(kept)).toString('base64url');
	return withParameter(url, urlParameters.back, text);
}

export function readBack(url: string): State | undefined {
	const text = readParameter(url, urlParameters.back);
	if (text === undefined) return undefined;
	try {
		return readState(JSON.parse(Buffer.from(text, 'base64url').toString()));
	} catch {
		return undefined;
	}
}
