import type { INodeProperties } from 'n8n-workflow';
import { activityFilters } from '../parameters/activityFilters';
import { accountId, pageId } from '../parameters/locators';

const sessionEvents = ['formSubmission', 'newSession', 'changedSession'];

/** The parameters in the trigger's panel. */
export const parameters = [
	{
		displayName: 'Trigger On',
		name: 'event',
		type: 'options',
		noDataExpression: true,
		required: true,
		default: 'formSubmission',
		options: [
			{
				name: 'Account Activity',
				value: 'accountActivity',
				description: 'A new entry in the activity of an account',
			},
			{
				name: 'Form Submission',
				value: 'formSubmission',
				description: 'A session in which a visitor submitted the form of a page',
			},
			{
				name: 'New or Changed Person',
				value: 'changedPerson',
				description: 'A new person in your account, or one whose fields changed',
			},
			{
				name: 'New or Changed Session',
				value: 'changedSession',
				description: 'A new session on a page, or one whose fields changed',
			},
			{ name: 'New Person', value: 'newPerson', description: 'A new person in your account' },
			{
				name: 'New Session',
				value: 'newSession',
				description: "A new visit to one of a page's audiences",
			},
		],
	},
	{ ...pageId, displayOptions: { show: { event: sessionEvents } } },
	{ ...accountId, displayOptions: { show: { event: ['accountActivity'] } } },
	{
		displayName: 'Simplify',
		name: 'simplify',
		type: 'boolean',
		default: true,
		displayOptions: { show: { event: [...sessionEvents, 'accountActivity'] } },
		description: 'Whether to return a simplified version of the response instead of the raw data',
	},
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add filter',
		default: {},
		displayOptions: { show: { event: ['accountActivity'] } },
		options: activityFilters,
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			{
				displayName: 'Concurrency',
				name: 'concurrency',
				type: 'number',
				default: 10,
				typeOptions: { minValue: 1, maxValue: 100, numberPrecision: 0 },
				displayOptions: { show: { '/event': sessionEvents } },
				description: 'Number of sessions to read the interactions of at once',
			},
			{
				displayName: 'Include Interactions',
				name: 'includeInteractions',
				type: 'boolean',
				default: false,
				displayOptions: { show: { '/event': sessionEvents } },
				description: 'Whether to add what the visitor did to each session. Needs one request each.',
			},
			{
				displayName: 'Look Back',
				name: 'lookBackHours',
				type: 'number',
				default: 48,
				typeOptions: { minValue: 1, maxValue: 8760, numberPrecision: 0 },
				displayOptions: { show: { '/event': sessionEvents } },
				description:
					'How many hours before the previous poll each poll begins to read. Sessions that appear or change later than this are not found.',
			},
			{
				displayName: 'Requests per Second',
				name: 'requestsPerSecond',
				type: 'number',
				default: 0,
				typeOptions: { minValue: 0 },
				description: 'Maximum number of requests per second. Set to 0 for no limit.',
			},
			{
				displayName: 'Start Date',
				name: 'startDate',
				type: 'dateTime',
				default: '',
				description:
					"The first poll skips records from before this date, e.g. 2026-01-31. Only for Start From > Date. Without an offset, the workflow's time zone applies.",
			},
			{
				displayName: 'Start From',
				name: 'startFrom',
				type: 'options',
				default: 'now',
				description: 'Which of the existing records the first poll outputs',
				options: [
					{ name: 'All', value: 'all', description: 'All existing records' },
					{ name: 'Date', value: 'date', description: 'Records from the Start Date on' },
					{ name: 'Now', value: 'now', description: 'None: only what comes after publishing' },
				],
			},
			{
				displayName: 'Timeout',
				name: 'timeout',
				type: 'number',
				default: 60000,
				typeOptions: { minValue: 1, numberPrecision: 0 },
				description: 'How long to wait for data from the service, in milliseconds',
			},
		],
	},
] as const satisfies INodeProperties[];
