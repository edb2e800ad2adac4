import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { withoutParameter, withParameter } from '../../../api/url';
import { describeUrl } from '../../../parameters/describeUrl';
import { isReachable } from '../../reach';
import { readTestMemory } from '../../staticData';
import { isOwn, type OwnUrl } from '../../subscription/ownUrl';
import { allUrlParameters, urlParameters } from '../../subscription/registeredUrl';
import { isSameToken, isTokenLike, sign } from '../../subscription/signature';
import { isSameSet } from '../../subscription/state';
import { readSignedOrder, type TestOrder } from '../../subscription/testOrder';
import type { Delivery } from '../delivery';
import type { Part } from '../parts';

/*
 * What must hold for all copies: nothing that arrives in a request decides where a copy goes, unless this trigger
 * signed it; a copy is never copied; and one request starts the published workflow at most once, and a test run at most
 * once.
 */

/** What becomes of a delivery elsewhere. */
export interface Onward {
	copy?: {
		url: string;
		/** Beside those of the delivery. */
		headers?: IDataObject;
	};
	/** For the log. */
	warning?: string;
	/** Why the workflow does not start, if it does not. */
	reason?: string;
	/** The workflow starts only with events of a known kind. */
	onlyNamed?: boolean;
}

/** Production sends a copy to the test run beside it, if there is one. */
export async function copyToTestRun(
	own: OwnUrl,
	delivery: Delivery,
	readKey: () => Promise<string>,
): Promise<Onward> {
	const { token, copy, test } = delivery.query;
	if (!isTokenLike(copy) && typeof test !== 'string') return {};
	// Without a key nothing can have been signed.
	const apiKey = await readKey().catch(() => undefined);
	if (apiKey === undefined) return {};
	const mark = sign(apiKey, 'copy', own.id);
	if (isTokenLike(copy) && isSameToken(copy, mark))
		return { reason: 'This is a copy for a test run' };
	const order = typeof test === 'string' ? readSignedOrder(test, apiKey, own.id) : undefined;
	if (!order) return {};
	let url =
		own.origin + order.path + withoutParameter(`?${delivery.rawQuery}`, ...allUrlParameters);
	if (typeof token === 'string') url = withParameter(url, urlParameters.token, token);
	url = withParameter(url, urlParameters.copy, mark);
	if (order.before.active) return { copy: { url }, ...skipUnknown(delivery, order) };
	const what =
		'a delivery reached only the test run, because the subscription was inactive before it';
	return {
		copy: { url },
		warning: `${what}. Publish again to make it active.`,
		reason: 'The subscription is inactive',
	};
}

/**
 * While a test run has added kinds to the subscription, an unknown kind may be one of these, which nobody published. The
 * test run still gets it.
 */
function skipUnknown(delivery: Delivery, { before, during }: TestOrder): Onward {
	const isKnown = delivery.parts.every(({ kind }) => kind !== null);
	if (isSameSet(before.events, during) || isKnown) return {};
	const what = 'a delivery reached only the test run, because it does not name its event';
	return {
		warning: `${what}, and the test run added events to the subscription`,
		onlyNamed: true,
	};
}

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
): Promise<Onward> {
	const { kept: previous } = readTestMemory(context);
	if (!previous?.active || isOwn(own, previous.url)) return {};
	const hops = Number(delivery.headers[hopHeader] ?? 0);
	if (delivery.query[urlParameters.copy] !== undefined || !(hops < mostHops)) return {};
	const { url, events } = previous;
	const isWanted = (kind: Part['kind']) => kind === null || (events?.includes(kind) ?? true);
	if (!delivery.parts.some(({ kind }) => isWanted(kind))) return {};
	if (await isReachable(context, own, url))
		return { copy: { url, headers: { [hopHeader]: String(hops + 1) } } };
	return {
		warning: `a delivery was not forwarded to ${describeUrl(url)}, which the service cannot reach`,
	};
}
