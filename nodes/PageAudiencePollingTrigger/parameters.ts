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
	type RecordShape,
	sessionShape,
} from '../records/shapes';

const sessionEvents = ['formSubmission', 'newSession', 'changedSession'];
const ofSessions = { show: { '/event': sessionEvents } };
const whole = { minValue: 1, numberPrecision: 0 };

/** A record counts as changed when one of these differs. */
const onlyFields = (event: string, shape: RecordShape) =>
	({
		displayName: 'Only These Fields',
		name: 'onlyFields',
		type: 'multiOptions',
		default: [],
		description:
			'The fields whose changes start the workflow. Adds changedFields to the output: the names of those that changed. Leave empty for all fields.',
		displayOptions: { show: { '/event': [event] } },
		options: listFieldOptions(shape),
	}) as const satisfies INodeProperties;

/** The parameters in the trigger's panel. */
export const parameters = [
	choiceField(
		'Trigger On',
		'event',
		'What starts the workflow',
		{
			formSubmission: [
				'Form Submission',
				'A session in which a visitor submitted the form of a page',
			],
			accountActivity: ['Account Activity', 'A new entry in the activity of an account'],
			changedPerson: [
				'New or Changed Person',
				'A new person in the service, or one whose fields changed',
			],
			changedSession: [
				'New or Changed Session',
				'A new session on a page, or one whose fields changed',
			],
			newPerson: ['New Person', 'A new person in the service'],
			newSession: ['New Session', "A new visit to one of a page's audiences"],
		},
		{ noDataExpression: true, required: true },
	),
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
			{ ...addAnswers, displayOptions: ofSessions },
			numberField(
				'Concurrency',
				'concurrency',
				10,
				'How many sessions to load interactions for at the same time',
				{ typeOptions: { ...whole, maxValue: 100 }, displayOptions: ofSessions },
			),
			{ ...includeInteractions, default: true, displayOptions: ofSessions },
			numberField(
				'Look Back (Hours)',
				'lookBackHours',
				48,
				'Each poll rereads this many hours, to find sessions that show up or change late. Even later ones are missed.',
				{ typeOptions: { ...whole, maxValue: 8760 }, displayOptions: ofSessions },
			),
			{
				displayName: 'More Pages',
				name: 'morePages',
				type: 'fixedCollection',
				typeOptions: { multipleValues: true },
				placeholder: 'Add page',
				default: {},
				displayOptions: ofSessions,
				description: 'More pages to watch. You can add and remove pages at any time.',
				options: [{ displayName: 'Page', name: 'page', values: [pageId] }],
			},
			onlyFields('changedPerson', personShape),
			onlyFields('changedSession', sessionShape),
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
				{ typeOptions: whole },
			),
		],
	},
] as const satisfies INodeProperties[];
