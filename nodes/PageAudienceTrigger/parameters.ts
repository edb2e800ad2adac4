import type { INodeProperties } from 'n8n-workflow';
import { choiceField, collectionField, eventKinds, toggleField } from '../parameters/fields';
import { optionalPageId, optionalSubscriptionId, subscriptionId } from '../parameters/locators';

/** The parameters in the trigger's panel. */
export const parameters = [
	{
		...subscriptionId,
		description:
			'The subscription that delivers the events. A published workflow or a test uses it and then restores it. Create one in the service.',
	},
	{
		displayName: 'Trigger On',
		name: 'events',
		type: 'multiOptions',
		required: true,
		default: [],
		// n8n lists each as an action of the node.
		options: eventKinds.map((kind) => ({ ...kind, action: `On ${kind.name.toLowerCase()}` })),
	},
	{
		...collectionField('Options', 'options', 'option'),
		options: [
			toggleField(
				'Ignore Duplicates',
				'ignoreDuplicates',
				true,
				'Whether to ignore deliveries that repeat one of the last 1,000, for up to 24 hours. A restart of n8n forgets them.',
			),
			toggleField(
				'One Output per Event',
				'outputPerEvent',
				true,
				'Whether each event has its own output. Unknown events go to Other. If you add or remove an event, check the connections: outputs move.',
				{ noDataExpression: true },
			),
			choiceField('Output Format', 'outputFormat', 'What the trigger outputs for each delivery', {
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
						values: [
							{
								...optionalPageId,
								description:
									"Choose the page from the list, or enter its ID. Events that don't name a page start the workflow, too.",
							},
						],
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
				"Whether to reject requests without the trigger's secret token. Turn it off only if a message tells you to.",
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
