import type { IWebhookFunctions } from 'n8n-workflow';
import { withoutParameter, withParameter } from '../../../api/url';
import { readApiKey } from '../../apiKey';
import { logRarely } from '../../log';
import type { OwnUrl } from '../../subscription/ownUrl';
import { allUrlParameters, urlParameters } from '../../subscription/registeredUrl';
import { isSameToken, isTokenLike, sign } from '../../subscription/signature';
import { readSignedOrder } from '../../subscription/testOrder';
import type { Delivery } from '../delivery';
import { keepEndToEnd } from '../headers';
import { send } from './send';

/**
 * Production sends a copy to the test run beside it, if there is one.
 * @returns why the published workflow does not start, if it does not
 */
export async function copyToTestRun(
	context: IWebhookFunctions,
	own: OwnUrl,
	delivery: Delivery,
): Promise<string | undefined> {
	const { token, copy, test } = delivery.query;
	if (!isTokenLike(copy) && typeof test !== 'string') return undefined;
	// Without a key nothing can have been signed.
	const apiKey = await readApiKey(context).catch(() => undefined);
	if (apiKey === undefined) return undefined;
	const mark = sign(apiKey, 'copy', own.id);
	if (isTokenLike(copy) && isSameToken(copy, mark)) return 'This is a copy for a test run';
	const order = typeof test === 'string' ? readSignedOrder(test, apiKey, own.id) : undefined;
	if (!order) return undefined;
	const query = withoutParameter(`?${delivery.rawQuery}`, ...allUrlParameters);
	let url = own.origin + order.path + query;
	if (typeof token === 'string') url = withParameter(url, urlParameters.token, token);
	url = withParameter(url, urlParameters.copy, mark);
	send(context, own, url, delivery, keepEndToEnd(delivery.headers));
	if (order.before.active) return undefined;
	const what = 'a delivery went to a test run alone, because the subscription was paused before it';
	logRarely(context, `${own.id}:paused`, `${what}. Publish again to end the pause.`);
	return 'The subscription is paused';
}
