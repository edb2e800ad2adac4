import type { INodeProperties } from 'n8n-workflow';
import { eventKinds } from '../parameters/eventKinds';
import { subscriptionId } from '../parameters/locators';

/** The parameters in the trigger's panel. */
export const parameters = [
	{
		displayName:
			'Listening for a test event points the webhook subscription at this editor until an event came and then gives it back; while this workflow is published, the test gets copies of its deliveries instead.',
		name: 'testNotice',
		type: 'notice',
		default: '',
	},
	{
		...subscriptionId,
		description:
			'The webhook subscription to listen through. It is borrowed while the workflow is published: the API cannot create one.',
	},
	{
		displayName: 'Trigger On',
		name: 'events',
		type: 'multiOptions',
		required: true,
		default: [],
		options: eventKinds,
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
				description: 'What to do with a delivery whose content has come before',
				options: [
					{
						name: 'Drop',
						value: 'drop',
						description:
							'A delivery equal to one of the last 1,000 within 24 hours starts nothing. Each n8n process remembers for itself, until it ends.',
					},
					{ name: 'Keep', value: 'keep', description: 'Every delivery starts the workflow' },
				],
			},
			{
				displayName: 'On Deactivation',
				name: 'onDeactivate',
				type: 'options',
				default: 'restore',
				description: 'What happens to the subscription when the workflow is unpublished or changed',
				options: [
					{
						name: 'Leave',
						value: 'leave',
						description: 'It goes on delivering here, where nothing listens any more',
					},
					{ name: 'Pause', value: 'pause', description: 'It stays here and is made inactive' },
					{
						name: 'Restore',
						value: 'restore',
						description: 'Its URL, events and whether it is active are put back as they were',
					},
				],
			},
			{
				displayName: 'Output',
				name: 'output',
				type: 'options',
				default: 'payload',
				description: 'What an event brings into the workflow',
				options: [
					{
						name: 'Details',
						value: 'details',
						description:
							'One item per delivery: body, headers, query, event kind, time and a key of its content',
					},
					{ name: 'Payload', value: 'payload', description: 'The body of the delivery' },
				],
			},
			{
				displayName: 'Take Over',
				name: 'takeOver',
				type: 'boolean',
				default: false,
				description:
					'Whether to use the subscription although it is active and delivers elsewhere. Whoever listens there hears nothing until it is given back.',
			},
			{
				...subscriptionId,
				displayName: 'Test Subscription',
				name: 'testSubscriptionId',
				required: false,
				description:
					"Another webhook subscription to use for 'Listen for test event', so that the one above is left alone",
			},
			{
				displayName: 'Verify Token',
				name: 'verifyToken',
				type: 'boolean',
				default: true,
				description:
					'Whether to take only deliveries that carry the secret token of the URL that was registered. Switch it off only for a service that does not keep the query of a URL.',
			},
		],
	},
] as const satisfies INodeProperties[];
