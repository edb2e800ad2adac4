import { path } from '../../../api/path';
import { copyMasked } from '../../../api/triggerUrl';
import { eventKinds } from '../../../parameters/eventKinds';
import { subscriptionId } from '../../../parameters/locators';
import { readSubscription } from '../../../records/webhookSubscription';
import { defineOperation } from '../../operation/operation';
import { updateFields } from '../collections';
import { buildUpdate } from '../updateBody';
import { subscriptionUrl } from './subscription';

export const update = defineOperation({
	option: {
		name: 'Update',
		value: 'update',
		action: 'Update webhook subscription',
		description: 'Change the URL or events of a webhook subscription, or turn it on or off',
		builderHint: {
			propertyHint:
				'To start a workflow when an event occurs, use the Page Audience Trigger node instead: it takes over and restores the subscription by itself. Use this operation only for a subscription that delivers elsewhere.',
		},
	},
	properties: [
		subscriptionId,
		{
			...updateFields,
			options: [
				{
					displayName: 'Active',
					name: 'active',
					type: 'boolean',
					default: true,
					description: 'Whether the service delivers events',
				},
				{
					displayName: 'Events',
					name: 'events',
					type: 'multiOptions',
					default: [],
					hint: 'Replaces the whole list. Include the events to keep.',
					description:
						'Events to deliver. An expression can return an array or comma-separated text.',
					options: eventKinds,
				},
				{
					displayName: 'URL',
					name: 'url',
					type: 'string',
					default: '',
					placeholder: 'e.g. https://example.com/hook',
					description: 'Full URL to deliver events to',
				},
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
	request: ({ subscriptionId: id, updateFields }) => ({
		method: 'PATCH',
		path: path`/webhook_subscriptions/${id}`,
		body: buildUpdate(updateFields),
	}),
	records: (response) => [copyMasked(readSubscription(response))],
});
