import type { IDataObject } from 'n8n-workflow';
import { hasStatus } from '../../../api/failure';
import { path } from '../../../api/path';
import type { ApiRequest } from '../../../api/request';
import { readBareList } from '../../../api/response';
import { describeUrl } from '../../../parameters/describeUrl';
import { readSubscription } from '../../../records/webhookSubscription';
import type { Call } from '../../operation/call';
import {
	describeElsewhere,
	findTroubles,
	gone,
	isCut,
	isExpectedUrl,
	locateUrl,
	type Trouble,
} from './health';
import { urlOf } from './subscription';

/**
 * undefined when it does not exist. A wrong Base URL also leads to 404, so the list must say the same before somebody is
 * told that a subscription is gone.
 */
export async function findSubscription(
	call: Call,
	id: string,
	request: ApiRequest,
): Promise<IDataObject | undefined> {
	return await call.send(request).then(readSubscription, async (error: unknown) => {
		if (!hasStatus(error, 404, 410)) throw error;
		const all = await call.once('webhook subscriptions', async () =>
			readBareList(await call.send({ method: 'GET', path: path`/webhook_subscriptions` })),
		);
		return all.find(({ subscriptionId: each }) => each === id);
	});
}

export interface Expected {
	events?: string[];
	url?: string;
}

/** What keeps the subscription from delivering as expected. undefined is one that does not exist. */
export async function inspectSubscription(
	call: Call,
	subscription: IDataObject | undefined,
	expected: Expected,
): Promise<Trouble[]> {
	if (!subscription) return [gone];
	const troubles = findTroubles(subscription, expected.events ?? []);
	const message = await describeMisplacement(call, urlOf(subscription), expected.url);
	return message === undefined ? troubles : [...troubles, { problem: 'url', message }];
}

async function describeMisplacement(
	call: Call,
	url: string,
	expected: string | undefined,
): Promise<string | undefined> {
	if (!expected) {
		const message = await describeUnserved(call, url);
		if (message !== undefined) return message;
	} else if (!isExpectedUrl(url, expected)) return describeElsewhere(url, expected);
	return isCut(url) ? cut : undefined;
}

const publish = 'Publish the workflow of its trigger.';
const cut = `The URL of the webhook subscription has lost a part of its secret token, so the trigger rejects its events. ${publish}`;

async function describeUnserved(call: Call, url: string): Promise<string | undefined> {
	const base = call.webhooks.findBase();
	const place = locateUrl(url, base);
	if (place === 'elsewhere') return describeElsewhere(url, base);
	if (place === 'test')
		return `The webhook subscription delivers to a test address, ${describeUrl(url)}. ${publish}`;
	// Only n8n itself is asked, never an address that somebody else chose.
	const isServed = base === undefined ? undefined : await call.webhooks.has(url);
	return isServed === false
		? `No published workflow listens at ${describeUrl(url)}. ${publish}`
		: undefined;
}
