import type { INodeProperties } from 'n8n-workflow';
import {
	activityFilters,
	addAnswers,
	choiceField,
	dateField,
	includeInteractions,
	numberField,
	toggleField,
} from '../parameters/fields';
import { accountId, pageId } from '../parameters/locators';
import {
	activityShape,
	describeSimplified,
	listFieldOptions,
	personShape,
	sessionShape,
} from '../records/shapes';

const sessionEvents = ['formSubmission', 'newSession', 'changedSession'];

/** A record counts as changed when one of these differs. */
const onlyFields = {
	displayName: 'Only These Fields',
	name: 'onlyFields',
	type: 'multiOptions',
	default: [],
	description:
		'The fields whose changes start the workflow. Adds changedFields to the output: the names of those that changed. Leave empty for all fields.',
} as const satisfies INodeProperties;

/** The documented fields of a session, of which some may count. */
const onlySessionFields = {
	...onlyFields,
	displayOptions: { show: { '/event': ['changedSession'] } },
	options: listFieldOptions(sessionShape),
} as const satisfies INodeProperties;

/** The same of a person. */
const onlyPersonFields = {
	...onlyFields,
	displayOptions: { show: { '/event': ['changedPerson'] } },
	options: listFieldOptions(personShape),
} as const satisfies INodeProperties;

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
	toggleField(
		'Simplify',
		'simplify',
		true,
		'Whether to return a simplified version of the response instead of the raw data',
		{
			builderHint: {
				propertyHint: `For account activity, returns ${describeSimplified(activityShape)}. For sessions and form submissions, returns ${describeSimplified(sessionShape)}. For other fields, set it to false.`,
			},
			displayOptions: { show: { event: [...sessionEvents, 'accountActivity'] } },
		},
	),
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
			numberField(
				'Concurrency',
				'concurrency',
				10,
				'How many sessions to load interactions for at the same time',
				{
					typeOptions: { minValue: 1, maxValue: 100, numberPrecision: 0 },
					displayOptions: { show: { '/event': sessionEvents } },
				},
			),
			{
				...includeInteractions,
				default: true,
				displayOptions: { show: { '/event': sessionEvents } },
			},
			numberField(
				'Look Back (Hours)',
				'lookBackHours',
				48,
				'Each poll rereads this many hours, to find sessions that show up or change late. Even later ones are missed.',
				{
					typeOptions: { minValue: 1, maxValue: 8760, numberPrecision: 0 },
					displayOptions: { show: { '/event': sessionEvents } },
				},
			),
			{
				displayName: 'More Pages',
				name: 'morePages',
				type: 'fixedCollection',
				typeOptions: { multipleValues: true },
				placeholder: 'Add page',
				default: {},
				displayOptions: { show: { '/event': sessionEvents } },
				description: 'More pages to watch. You can add and remove pages at any time.',
				options: [{ displayName: 'Page', name: 'page', values: [pageId] }],
			},
			onlyPersonFields,
			onlySessionFields,
			numberField(
				'Requests per Second',
				'requestsPerSecond',
				0,
				'Limit for all polls and executions with the same API key and the same number, e.g. 1.6 for 100 requests a minute. 0 means no limit.',
				{ typeOptions: { minValue: 0 } },
			),
			dateField(
				'Start Date',
				'startDate',
				"The first poll outputs existing records from this date on, e.g. 2026-01-31. Not used with Start From > All or Now. Without an offset, the workflow's time zone applies.",
			),
			choiceField(
				'Start From',
				'startFrom',
				'Whether the first poll outputs records that already exist',
				{
					now: ['Now', 'Only new records'],
					all: ['All', 'All existing records'],
					date: ['Date', 'Existing records from the Start Date on'],
				},
			),
			numberField(
				'Timeout',
				'timeout',
				60000,
				'How long to wait for data from the service, in milliseconds',
				{ typeOptions: { minValue: 1, numberPrecision: 0 } },
			),
		],
	},
] as const satisfies INodeProperties[];
