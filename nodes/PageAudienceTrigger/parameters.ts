import type { INodeProperties } from 'n8n-workflow';
import { eventKinds } from '../parameters/fields';
import { pageId, subscriptionId } from '../parameters/locators';

/** The parameters in the trigger's panel. */
export const parameters = [
	{
		displayName:
			'While you test, deliveries go to the editor, and also to this workflow if it is published. Afterwards, the trigger restores the subscription.',
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
			{ name: 'One', value: 'one', description: 'All events leave by the same output' },
			{
				name: 'One per Event',
				value: 'perEvent',
				description: 'Each event of Trigger On has an output. Unknown events leave by Other.',
			},
		],
	},
	{
		displayName:
			'Events that you add or remove move the outputs below them. Check the connections afterwards.',
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
							'Skip a delivery equal to one of the last 1,000 within 24 hours. Each n8n process keeps its own list, and a restart empties it. With two webhook processes, the same delivery can start the workflow twice.',
					},
					{ name: 'Keep', value: 'keep', description: 'Start the workflow for every delivery' },
				],
			},
			{
				displayName: 'Output',
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
					'The pages whose events start the workflow. An event that names no page starts it too.',
				options: [
					{
						displayName: 'Page',
						name: 'page',
						values: [{ ...pageId, required: false }],
					},
				],
			},
			{
				displayName: 'Take Over',
				name: 'takeOver',
				type: 'boolean',
				default: true,
				description:
					'Whether to use the subscription even if another receiver is using it. The other receiver gets no events until you unpublish this workflow.',
			},
			{
				...subscriptionId,
				displayName: 'Test Subscription',
				name: 'testSubscriptionId',
				required: false,
				description:
					'Another webhook subscription to use while you test, so the one above stays unchanged',
			},
			{
				displayName: 'Verify Token',
				name: 'verifyToken',
				type: 'boolean',
				default: true,
				description:
					'Whether to accept only deliveries that carry the secret token of the registered URL. Turn it off only if the service does not keep the query of a URL.',
			},
			{
				displayName: 'When Unpublished',
				name: 'onDeactivate',
				type: 'options',
				default: 'restore',
				description: 'What to do with the subscription when you unpublish or change the workflow',
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
