import type { INodeProperties } from 'n8n-workflow';
import { eventKinds } from '../parameters/fields';
import { optionalPageId, optionalSubscriptionId, subscriptionId } from '../parameters/locators';

/** The parameters in the trigger's panel. */
export const parameters = [
	{
		displayName:
			'A test uses the subscription, and restores it at the end. If this workflow is published, it keeps running.',
		name: 'testNotice',
		type: 'notice',
		default: '',
	},
	{
		...subscriptionId,
		description:
			'The webhook subscription that delivers the events. The trigger uses it while the workflow is published. The API cannot create one: do that in the service.',
	},
	{
		displayName: 'Trigger On',
		name: 'events',
		type: 'multiOptions',
		required: true,
		default: [],
		options: eventKinds,
		description: 'The events that start the workflow. Unknown events start it too.',
	},
	{
		displayName: 'Outputs',
		name: 'outputs',
		type: 'options',
		noDataExpression: true,
		default: 'one',
		description: 'Whether all events share one output, or each has its own',
		options: [
			{ name: 'One', value: 'one', description: 'All events share one output' },
			{
				name: 'One per Event',
				value: 'perEvent',
				description: 'Each event has its own output. Unknown events go to Other.',
			},
		],
	},
	{
		displayName:
			'If you add or remove an event, the outputs below it move. Check your connections.',
		name: 'outputsNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { outputs: ['perEvent'] } },
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			{
				displayName: 'Duplicates',
				name: 'duplicates',
				type: 'options',
				default: 'keep',
				description: 'What to do with a delivery that has the same content as an earlier one',
				options: [
					{
						name: 'Drop',
						value: 'drop',
						description:
							'Ignore repeats of the last 1,000 deliveries, for up to 24 hours. A restart of n8n forgets them, and each webhook process only knows its own.',
					},
					{ name: 'Keep', value: 'keep', description: 'Start the workflow for every delivery' },
				],
			},
			{
				displayName: 'Output Format',
				name: 'output',
				type: 'options',
				default: 'payload',
				description: 'What the trigger outputs for each delivery',
				options: [
					{
						name: 'Details',
						value: 'details',
						description:
							'One item with body, raw body, headers, query, event kind, time and a key of the content',
					},
					{
						name: 'Payload',
						value: 'payload',
						description: 'The body. A list becomes one item per entry.',
					},
				],
			},
			{
				displayName: 'Pages',
				name: 'pages',
				type: 'fixedCollection',
				typeOptions: { multipleValues: true },
				placeholder: 'Add page',
				default: {},
				description:
					"Pages whose events start the workflow. Events that don't name a page start it too.",
				options: [
					{
						displayName: 'Page',
						name: 'page',
						values: [optionalPageId],
					},
				],
			},
			{
				displayName: 'Take Over',
				name: 'takeOver',
				type: 'boolean',
				default: true,
				description:
					'Whether to use the subscription even if it already sends events to another URL. That URL gets no events until you unpublish this workflow.',
			},
			{
				...optionalSubscriptionId,
				displayName: 'Test Subscription',
				name: 'testSubscriptionId',
				description:
					'Another webhook subscription to use while you test, so the one above stays unchanged',
			},
			{
				displayName: 'Verify Token',
				name: 'verifyToken',
				type: 'boolean',
				default: true,
				description:
					'Whether to reject requests without the secret token. Leave this on, unless publishing fails and the message tells you to turn it off.',
			},
			{
				displayName: 'When Unpublished',
				name: 'onDeactivate',
				type: 'options',
				default: 'restore',
				description: 'What to do with the subscription when you unpublish the workflow',
				options: [
					{
						name: 'Leave',
						value: 'leave',
						description:
							'Change nothing. The subscription still delivers to n8n, which rejects the events.',
					},
					{
						name: 'Pause',
						value: 'pause',
						description: 'Make the subscription inactive and keep its URL',
					},
					{
						name: 'Restore',
						value: 'restore',
						description: 'Restore the original URL, events and active state',
					},
				],
			},
		],
	},
] as const satisfies INodeProperties[];
