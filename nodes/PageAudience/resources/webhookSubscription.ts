import { type ApiResponse, at, GET, PATCH } from '../../api/request';
import { readBareList, readRecord } from '../../api/response';
import { subscriptionUrl } from '../../parameters/checks';
import { toggleField } from '../../parameters/fields';
import { subscriptionId } from '../../parameters/locators';
import { copyMasked } from '../../webhooks/triggerUrl';
import { defineOperation, type Operation } from '../operation/operation';
import { keepEmpty, ownOptions } from '../operation/sharedParameters';
import { buildUpdate, updateFields } from './collections';
import { check, events, url } from './subscriptionCheck';

const readMasked = (response: ApiResponse) => [copyMasked(readRecord(response, 'subscriptionId'))];

const get = defineOperation({
	name: 'Get',
	value: 'get',
	action: 'Get webhook subscription',
	description: 'Get a webhook subscription by its ID',
	properties: [subscriptionId],
	request: ({ subscriptionId: id }) => GET(at.webhookSubscription`/webhook_subscriptions/${id}`),
	records: readMasked,
});

const getAll = defineOperation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many webhook subscriptions',
	description: 'List the webhook subscriptions',
	properties: [{ ...ownOptions, options: [keepEmpty] }],
	request: () => GET(at.webhookSubscription`/webhook_subscriptions`),
	records: (response) => readBareList(response).map(copyMasked),
});

const update = defineOperation({
	name: 'Update',
	value: 'update',
	action: 'Update webhook subscription',
	description: 'Change the URL, events or active state of a webhook subscription',
	forModels:
		'To start a workflow when an event occurs, use the Page Audience Trigger node instead: it takes over and restores the subscription by itself. Use this operation only for a subscription that delivers elsewhere.',
	properties: [
		subscriptionId,
		{
			...updateFields,
			options: [
				toggleField('Active', 'active', true, 'Whether the service delivers events'),
				{ ...events, hint: 'Replaces the whole list. Include the events to keep.' },
				url,
			],
		},
	],
	checks: {
		updateFields: {
			url: subscriptionUrl(
				'Publish the workflow of the trigger to register its URL, or copy the URL from the service.',
			),
		},
	},
	writes: {
		id: 'subscriptionId',
		changes: ({ subscriptionId: id }) => [`webhook subscription ${id}`],
	},
	request: ({ subscriptionId: id, updateFields }) =>
		PATCH(at.webhookSubscription`/webhook_subscriptions/${id}`, buildUpdate(updateFields)),
	records: readMasked,
});

export const webhookSubscription: Operation[] = [check, get, getAll, update];
