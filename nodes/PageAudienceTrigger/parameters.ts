import type { INodeProperties } from 'n8n-workflow';
import { choiceField, eventKinds, toggleField } from '../parameters/fields';
import { optionalPageId, optionalSubscriptionId, subscriptionId } from '../parameters/locators';

/** The parameters in the trigger's panel. */
export const parameters = [
	{
		displayName:
			'A test uses the subscription, and restores it at the end. While this workflow is published, it needs Options > Test Subscription.',
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
	choiceField(
		'Outputs',
		'outputs',
		'Whether all events share one output, or each has its own',
		{
			one: ['One', 'All events share one output'],
			perEvent: ['One per Event', 'Each event has its own output. Unknown events go to Other.'],
		},
		{ noDataExpression: true },
	),
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
			choiceField(
				'Duplicates',
				'duplicates',
				'What to do with a delivery that has the same Standard Webhooks ID as an earlier one or, without an ID, the same content',
				{
					keep: ['Keep', 'Start the workflow for every delivery'],
					drop: [
						'Drop',
						'Ignore repeats of the last 1,000 deliveries, for up to 24 hours. A restart of n8n forgets them, and each webhook process only knows its own.',
					],
				},
			),
			choiceField('Output Format', 'output', 'What the trigger outputs for each delivery', {
				payload: ['Payload', 'The body. A list becomes one item per entry.'],
				details: [
					'Details',
					'One item with body, raw body, headers, query, event kind, time and a key of the content',
				],
			}),
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
			toggleField(
				'Take Over',
				'takeOver',
				true,
				'Whether to use the subscription even if it already sends events to another URL. That URL gets no events until you unpublish this workflow.',
			),
			{
				...optionalSubscriptionId,
				displayName: 'Test Subscription',
				name: 'testSubscriptionId',
				description:
					'Another webhook subscription to use while you test, so the one above stays unchanged',
			},
			toggleField(
				'Verify Token',
				'verifyToken',
				true,
				'Whether to reject requests without the secret token. Leave this on, unless publishing fails and the message tells you to turn it off.',
			),
			choiceField(
				'When Unpublished',
				'onDeactivate',
				'What to do with the subscription when you unpublish the workflow',
				{
					restore: ['Restore', 'Restore the original URL, events and active state'],
					leave: [
						'Leave',
						'Change nothing. The subscription still delivers to n8n, which rejects the events.',
					],
					pause: ['Pause', 'Make the subscription inactive and keep its URL'],
				},
			),
		],
	},
] as const satisfies INodeProperties[];
