import type { IWebhookFunctions } from 'n8n-workflow';
import { describeUrl } from '../../../parameters/describeUrl';
import { isReachable } from '../../reach';
import { readTestMemory } from '../../staticData';
import { isOwn, type OwnUrl } from '../../subscription/ownUrl';
import { urlParameters } from '../../subscription/registeredUrl';
import type { Delivery } from '../delivery';
import { select } from '../kinds';
import type { Onward } from './send';

/** Counts how often a delivery was forwarded: test runs that took over from each other must not send it in circles. */
const hopHeader = 'x-page-audience-forwarded';
const mostHops = 3;

/**
 * A test run that took over forwards to the previous owner what that one would have got: only if the subscription was
 * active and asked for the kind, and only where the service itself could have sent it.
 */
export async function forwardToPrevious(
	context: IWebhookFunctions,
	own: OwnUrl,
	delivery: Delivery,
	tokens: string[],
): Promise<Onward> {
	const { kept: previous } = readTestMemory(context);
	if (!previous?.active || isOwn(own, previous.url)) return {};
	const hops = Number(delivery.headers[hopHeader] ?? 0);
	if (delivery.query[urlParameters.copy] !== undefined || !(hops < mostHops)) return {};
	if (previous.events !== null && !select(delivery, previous.events)) return {};
	const { url } = previous;
	if (await isReachable(context, own, url))
		return { copy: { url, headers: { [hopHeader]: String(hops + 1) }, tokens } };
	const what = `a delivery was not forwarded to ${describeUrl(url)}, which the service cannot reach`;
	return { warning: ['unreachable', what] };
}
