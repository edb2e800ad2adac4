import type { INodeProperties } from 'n8n-workflow';
import { activityFilters, addAnswers, includeInteractions } from '../parameters/fields';
import { accountId, pageId } from '../parameters/locators';
import { onlyPersonFields, onlySessionFields } from './onlyFields';

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
				description: 'A new person in the service, or one whose fields changed',
			},
			{
				name: 'New or Changed Session',
				value: 'changedSession',
				description: 'A new session on a page, or one whose fields changed',
			},
			{ name: 'New Person', value: 'newPerson', description: 'A new person in the service' },
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
			{ ...addAnswers, displayOptions: { show: { '/event': sessionEvents } } },
			{
				displayName: 'Concurrency',
				name: 'concurrency',
				type: 'number',
				default: 10,
				typeOptions: { minValue: 1, maxValue: 100, numberPrecision: 0 },
				displayOptions: { show: { '/event': sessionEvents } },
				description:
					'Number of sessions to read the interactions of at once. Only used with Include Interactions or Add Answers.',
			},
			{
				...includeInteractions,
				default: true,
				displayOptions: { show: { '/event': sessionEvents } },
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
				displayName: 'More Pages',
				name: 'morePages',
				type: 'fixedCollection',
				typeOptions: { multipleValues: true },
				placeholder: 'Add page',
				default: {},
				displayOptions: { show: { '/event': sessionEvents } },
				description:
					'Other pages to read. You can add and remove pages at any time: each page has its own memory.',
				options: [{ displayName: 'Page', name: 'page', values: [pageId] }],
			},
			onlyPersonFields,
			onlySessionFields,
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
					"The first poll skips records from before this date, e.g. 2026-01-31. Not used with Start From > All or Now. Without an offset, the workflow's time zone applies.",
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
					{
						name: 'Now',
						value: 'now',
						description: 'None: only records that appear after publishing',
					},
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
