import type { IWebhookFunctions } from 'n8n-workflow';
import { readParameter } from '../../../api/url';
import { deliveryPatience, readSubscription } from '../../service/requests';
import { isOwn, type OwnUrl } from '../../subscription/ownUrl';
import { urlParameters } from '../../subscription/registeredUrl';

/** How long a response counts, and how long the service is not asked again after there was none. */
const responseMs = 60_000;
export const silenceMs = 5_000;

/** The token of the registered URL, or the question under way. One entry per trigger of this process. */
const asked = new Map<string, { until: number; token: Promise<string | undefined> }>();

/**
 * After the API key was changed, the registered URL still carries the token that the old one made. The trigger asks the
 * service for it at most once a minute, whatever is sent.
 */
export async function readRegisteredToken(
	context: IWebhookFunctions,
	own: OwnUrl,
	subscriptionId: string,
): Promise<string | undefined> {
	const key = `${own.id}:${subscriptionId}`;
	const known = asked.get(key);
	if (known && Date.now() < known.until) return await known.token;
	const token = readSubscription(context, subscriptionId, deliveryPatience).then(({ url }) =>
		isOwn(own, url) ? readParameter(url, urlParameters.token) : undefined,
	);
	const entry = { until: Date.now() + responseMs, token };
	asked.set(key, entry);
	token.catch(() => (entry.until = Date.now() + silenceMs));
	return await token;
}
