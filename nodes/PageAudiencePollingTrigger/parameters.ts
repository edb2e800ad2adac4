import type { INodeProperties } from 'n8n-workflow';
import {
	addAnswers,
	choiceField,
	collectionField,
	concurrency,
	dateField,
	groupField,
	includeDeleted,
	includeInteractions,
	includePersonActivity,
	listChoices,
	numberField,
	requestLimits,
	requestsPerSecond,
	timeout,
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

const ofSessions = { displayOptions: { show: { '/event': sessionEvents } } };
const ofActivity = { displayOptions: { show: { '/event': ['accountActivity'] } } };

/** A record counts as changed when one of these differs. */
const fieldsToWatch = (event: string, shape: RecordShape) =>
	({
		displayName: 'Fields to Watch',
		name: 'onlyFields',
		type: 'multiOptions',
		default: [],
		displayOptions: { show: { '/event': [event] } },
		description:
			'Fields whose changes start the workflow. Their names come out as changedFields. Leave empty to watch all.',
		options: listFieldOptions(shape),
	}) as const satisfies INodeProperties;

const existingRecords = groupField(
	'Existing Records',
	'existingRecords',
	'Existing records that the first poll outputs, too',
	[
		choiceField(
			'Output',
			'from',
			'Existing records that the first poll outputs, too. Without this option, only new ones.',
			{ all: 'All', date: 'From a Date' },
		),
		dateField(
			'Start Date',
			'startDate',
			"The first poll outputs records from this date on. Without an offset, the workflow's time zone applies.",
			{ required: true, displayOptions: { show: { from: ['date'] } } },
		),
	],
);

/** The parameters in the trigger's panel. */
export const parameters = [
	{
		displayName: 'Trigger On',
		name: 'event',
		type: 'options',
		noDataExpression: true,
		required: true,
		default: 'formSubmission',
		options: listChoices({
			accountActivity: ['New Account Activity', 'A new entry in the activity of an account'],
			formSubmission: ['New Form Submission', 'A visitor submitted the form of a page'],
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
		}),
	},
	{ ...pageId, displayOptions: { show: { event: sessionEvents } } },
	{ ...accountId, displayOptions: { show: { event: ['accountActivity'] } } },
	// A submission without what was answered is not what one asks for.
	{ ...addAnswers, displayOptions: { show: { event: ['formSubmission'] } } },
	{
		...addAnswers,
		default: false,
		displayOptions: { show: { event: ['newSession', 'changedSession'] } },
	},
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
		...collectionField('Options', 'options', 'option'),
		options: [
			existingRecords,
			fieldsToWatch('changedPerson', personShape),
			fieldsToWatch('changedSession', sessionShape),
			{ ...includeDeleted, ...ofActivity },
			{ ...includeInteractions, ...ofSessions },
			{ ...includePersonActivity, ...ofActivity },
			numberField(
				'Look Back (Hours)',
				'lookBackHours',
				48,
				'Each poll rereads this many hours, to find sessions that show up or change late. Even later ones are missed.',
				{ typeOptions: { minValue: 1, maxValue: 8760, numberPrecision: 0 }, ...ofSessions },
			),
			{
				displayName: 'More Pages',
				name: 'morePages',
				type: 'fixedCollection',
				typeOptions: { multipleValues: true },
				placeholder: 'Add page',
				default: {},
				...ofSessions,
				description: 'More pages to watch. You can add and remove pages at any time.',
				options: [{ displayName: 'Page', name: 'page', values: [pageId] }],
			},
			requestLimits([{ ...concurrency, ...ofSessions }, requestsPerSecond, timeout]),
		],
	},
] as const satisfies INodeProperties[];
