import { path } from '../../../api/path';
import { absoluteUrl } from '../../../parameters/checks';
import { eventKinds } from '../../../parameters/eventKinds';
import { subscriptionId } from '../../../parameters/locators';
import { defineOperation } from '../../operation/operation';
import { updateFields } from '../collections';
import { buildUpdate } from '../updateBody';

export const update = defineOperation({
	option: {
		name: 'Update',
		value: 'update',
		action: 'Update webhook subscription',
		description:
			'Change where a webhook subscription delivers, which events, and whether it is active',
		builderHint: {
			propertyHint:
				'To start a workflow when something happens, use the Page Audience Trigger node instead: it changes and restores the subscription by itself. Use this only to change a subscription that delivers elsewhere.',
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
					description: 'Whether events are delivered',
				},
				{
					displayName: 'Events',
					name: 'events',
					type: 'multiOptions',
					default: [],
					description:
						'The events to deliver. Replaces the whole list; include the entries to keep. Several can be given as comma-separated text.',
					options: eventKinds,
				},
				{
					displayName: 'URL',
					name: 'url',
					type: 'string',
					default: '',
					placeholder: 'e.g. https://example.com/hook',
					description: 'The whole address to deliver to',
				},
			],
		},
	],
	checks: { updateFields: { url: absoluteUrl } },
	request: ({ subscriptionId: id, updateFields }) => ({
		method: 'PATCH',
		path: path`/webhook_subscriptions/${id}`,
		body: buildUpdate(updateFields),
	}),
	writesTo: ({ subscriptionId: id }) => [`webhook subscription ${id}`],
});
