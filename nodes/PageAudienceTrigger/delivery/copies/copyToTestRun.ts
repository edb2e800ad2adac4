import { withoutParameter, withParameter } from '../../../api/url';
import type { OwnUrl } from '../../subscription/ownUrl';
import { allUrlParameters, urlParameters } from '../../subscription/registeredUrl';
import { isSameToken, isTokenLike, sign } from '../../subscription/signature';
import { readSignedOrder } from '../../subscription/testOrder';
import type { Delivery } from '../delivery';
import type { Onward } from './send';

/** Production sends a copy to the test run beside it, if there is one. */
export async function copyToTestRun(
	own: OwnUrl,
	{ query: { token, copy, test }, rawQuery }: Delivery,
	readKey: () => Promise<string>,
): Promise<Onward> {
	if (!isTokenLike(copy) && typeof test !== 'string') return {};
	// Without a key nothing can have been signed.
	const apiKey = await readKey().catch(() => undefined);
	if (apiKey === undefined) return {};
	const mark = sign(apiKey, 'copy', own.id);
	if (isTokenLike(copy) && isSameToken(copy, mark))
		return { reason: 'This is a copy for a test run' };
	const order = typeof test === 'string' ? readSignedOrder(test, apiKey, own.id) : undefined;
	if (!order) return {};
	let url = own.origin + order.path + withoutParameter(`?${rawQuery}`, ...allUrlParameters);
	if (typeof token === 'string') url = withParameter(url, urlParameters.token, token);
	url = withParameter(url, urlParameters.copy, mark);
	if (order.before.active) return { copy: { url } };
	const what = 'a delivery went to a test run alone, because the subscription was paused before it';
	return {
		copy: { url },
		warning: ['paused', `${what}. Publish again to end the pause.`],
		reason: 'The subscription is paused',
	};
}
