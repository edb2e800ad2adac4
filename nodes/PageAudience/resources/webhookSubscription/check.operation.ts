import type { IDataObject } from 'n8n-workflow';
import { RequestFailedError } from '../../../api/failure';
import { path } from '../../../api/path';
import type { ApiRequest } from '../../../api/request';
import { readBareList, readRecord } from '../../../api/response';
import { describeUrl } from '../../../parameters/describeUrl';
import { eventKinds } from '../../../parameters/eventKinds';
import { subscriptionId } from '../../../parameters/locators';
import type { Call } from '../../operation/call';
import { defineOperation } from '../../operation/operation';
import {
	describeElsewhere,
	findTroubles,
	gone,
	isExpectedUrl,
	locateUrl,
	type Trouble,
} from './health';
import { subscriptionUrl } from './subscription';

export const check = defineOperation({
	option: {
		name: 'Check',
		value: 'check',
		action: 'Check webhook subscription',
		description: 'Find out whether a webhook subscription delivers events to the right place',
		builderHint: {
			propertyHint:
				'Use this in a scheduled workflow to find out that a Page Audience Trigger receives nothing any more. Branch on healthy; problems says what is wrong.',
		},
	},
	properties: [
		subscriptionId,
		{
			displayName: 'Expected',
			name: 'expected',
			type: 'collection',
			placeholder: 'Add field',
			default: {},
			options: [
				{
					displayName: 'Events',
					name: 'events',
					type: 'multiOptions',
					default: [],
					description:
						'Events that the subscription must deliver. More are fine. An expression can return an array or comma-separated text.',
					options: eventKinds,
				},
				{
					displayName: 'URL',
					name: 'url',
					type: 'string',
					default: '',
					placeholder: 'e.g. https://example.com/hook',
					description:
						'URL that the subscription must deliver to. Leave empty to expect a published workflow of this n8n. Without a query, any query is fine.',
				},
			],
		},
	],
	uses: ['GET /v0/webhook_subscriptions/{subscription_id}', 'GET /v0/webhook_subscriptions'],
	output: {
		isOwn: true,
		adds: {
			subscriptionId: { type: 'string' },
			healthy: { type: 'boolean' },
			problems: {
				type: 'array',
				items: {
					type: 'object',
					properties: { problem: { type: 'string' }, message: { type: 'string' } },
				},
			},
			active: { type: ['boolean', 'null'] },
			events: { type: ['array', 'null'], items: { type: 'string' } },
			deliversTo: { type: ['string', 'null'] },
		},
	},
	checks: { expected: { url: subscriptionUrl('Leave out the query to accept any.') } },
	request: ({ subscriptionId: id }) => ({
		method: 'GET',
		path: path`/webhook_subscriptions/${id}`,
	}),
	read: async ({ subscriptionId: id, expected }, call, { request }) => {
		const subscription = await findSubscription(call, id, request);
		if (!subscription) return [report(id, [gone])];
		const { url, events, active } = subscription;
		const href = typeof url === 'string' ? url : '';
		const troubles = findTroubles(subscription, expected.events ?? []);
		const message = await describeMisplacement(call, href, expected.url);
		if (message !== undefined) troubles.push({ problem: 'url', message });
		return [{ ...report(id, troubles), active, events, deliversTo: describeUrl(href) }];
	},
});

function report(subscriptionId: string, problems: Trouble[]): IDataObject {
	return {
		subscriptionId,
		healthy: problems.length === 0,
		problems,
		active: null,
		events: null,
		deliversTo: null,
	};
}

/**
 * undefined when it does not exist. A wrong Base URL also leads to 404, so the list must say the same before somebody is
 * told that a subscription is gone.
 */
async function findSubscription(
	call: Call,
	id: string,
	request: ApiRequest,
): Promise<IDataObject | undefined> {
	return await call.send(request).then(readRecord, async (error: unknown) => {
		const isMissing =
			error instanceof RequestFailedError && [404, 410].includes(error.details.status ?? 0);
		if (!isMissing) throw error;
		const all = await call.once('webhook subscriptions', async () =>
			readBareList(await call.send({ method: 'GET', path: path`/webhook_subscriptions` })),
		);
		return all.find(({ subscriptionId: each }) => each === id);
	});
}

async function describeMisplacement(
	call: Call,
	url: string,
	expected: string | undefined,
): Promise<string | undefined> {
	if (expected) return isExpectedUrl(url, expected) ? undefined : describeElsewhere(url, expected);
	const base = call.webhooks.findBase();
	const place = locateUrl(url, base);
	if (place === 'elsewhere') return describeElsewhere(url, base);
	const advice = 'Publish the workflow of its trigger.';
	if (place === 'test')
		return `The webhook subscription delivers to a test address, ${describeUrl(url)}. ${advice}`;
	// Only n8n itself is asked, never an address that somebody else chose.
	const isServed = base === undefined ? undefined : await call.webhooks.has(url);
	return isServed === false
		? `No published workflow listens at ${describeUrl(url)}. ${advice}`
		: undefined;
}
