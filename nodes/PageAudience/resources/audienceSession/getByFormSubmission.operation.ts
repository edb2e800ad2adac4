import type { IDataObject } from 'n8n-workflow';
import { DateTime } from 'luxon';
import { path } from '../../../api/path';
import { trimmedText } from '../../../parameters/checks';
import { addAnswers, includeInteractions } from '../../../parameters/interactions';
import { pageId } from '../../../parameters/locators';
import { refuseItem } from '../../../parameters/problem';
import { sessionShape } from '../../../records/audienceSession';
import { listInteractionFields } from '../../../records/sessionInteractions';
import { nameSome, SeveralRecordsError } from '../../operation/lookupError';
import { defineOperation } from '../../operation/operation';
import { ownOptions } from '../../operation/sharedParameters';
import {
	findSessions,
	isCertain,
	isEmpty,
	leastLength,
	listIds,
	type SessionMatch,
	type SoughtIds,
} from './matching';
import { openReadings } from './sessionReadings';
import { interactionFields, withInteractions } from './withInteractions';

export const getByFormSubmission = defineOperation({
	option: {
		name: 'Get by Form Submission',
		value: 'getByFormSubmission',
		action: 'Get audience session by form submission',
		description: 'Find the session that an event or an ID belongs to',
		builderHint: {
			propertyHint:
				'Connect this to the Page Audience Trigger to get the documented fields of the session behind a form event. Set waitUpToSeconds, because the session can appear after the event. Branch on found. For what the visitor answered, set options.addAnswers.',
		},
	},
	properties: [
		pageId,
		{
			displayName: 'Search In',
			name: 'searchIn',
			type: 'options',
			default: 'item',
			// An agent's input item is the whole conversation.
			displayOptions: { hide: { '@tool': [true] } },
			description: 'Where the ID of the form submission or session is',
			options: [
				{
					name: 'Input Item',
					value: 'item',
					description: 'Any field of the input item, such as the event of a trigger',
				},
				{ name: 'Text', value: 'text', description: 'An ID that you enter' },
			],
		},
		{
			displayName: 'Search In',
			name: 'searchIn',
			type: 'options',
			default: 'text',
			displayOptions: { show: { '@tool': [true] } },
			description: 'Where the ID of the form submission or session is',
			options: [{ name: 'Text', value: 'text', description: 'An ID that you enter' }],
		},
		{
			displayName: 'Identifier',
			name: 'identifier',
			type: 'string',
			default: '',
			required: true,
			displayOptions: { show: { searchIn: ['text'] } },
			placeholder: 'e.g. submission_0123456789abcdefghijklmnop',
			description: 'The formSubmissionId, audienceSessionId or analyticsSessionId of the session',
		},
		includeInteractions,
		{
			...ownOptions,
			options: [
				addAnswers,
				{
					displayName: 'Look Back (Hours)',
					name: 'lookBackHours',
					type: 'number',
					default: 48,
					typeOptions: { minValue: 1, maxValue: 8760, numberPrecision: 0 },
					description: 'How old the session can be, up to a year',
				},
				{
					displayName: 'Wait up to (Seconds)',
					name: 'waitUpToSeconds',
					type: 'number',
					default: 0,
					typeOptions: { minValue: 0, maxValue: 3600, numberPrecision: 0 },
					description:
						'How long to wait for the session with the form submission. A session that only another ID leads to is returned at the end of that time. The list is read again for all items that wait.',
				},
			],
		},
	],
	checks: { identifier: trimmedText },
	request: ({ pageId: id, searchIn }, { json }) => {
		if (searchIn === 'item' && isEmpty(listIds(json)))
			refuseItem(
				'The input item',
				`holds no ID: it has no field such as submissionId or sessionId, and no other text or exact number of at least ${leastLength} characters that can be one. Pass the event of a trigger to this node, or set Search In to Text`,
			);
		return { method: 'GET', path: path`/pages/${id}/audience_sessions` };
	},
	read: async (
		{ searchIn, identifier, includeInteractions: include, options },
		call,
		{ json, request },
	) => {
		const ids = searchIn === 'item' ? listIds(json) : listIds(identifier, 1);
		const { lookBackHours = 48, waitUpToSeconds = 0 } = options;
		const takeReading = call.once(
			`sessions of ${request.path}, ${lookBackHours} hours, ${waitUpToSeconds} seconds`,
			() => {
				const startDate = DateTime.utc().minus({ hours: lookBackHours }).toISO();
				return openReadings({ ...request, query: { startDate } }, waitUpToSeconds * 1_000);
			},
		);
		const match = await findMatch(ids, async (turn) => await takeReading(turn, call));
		if (!match) return [{ found: false }];
		const fields = listInteractionFields({
			includeInteractions: include,
			addAnswers: options.addAnswers,
		});
		return [await withInteractions(describeMatch(match), fields, call)];
	},
	readsOnce: true,
	output: {
		shape: sessionShape,
		adds: { found: { type: 'boolean' }, foundBy: { type: 'string' }, ...interactionFields },
	},
	uses: ['GET /v0/pages/{page_id}/audience_sessions'],
});

/** What the last reading found, unless an earlier one is certain. */
async function findMatch(
	ids: SoughtIds,
	takeReading: (turn: number) => Promise<IDataObject[] | undefined>,
): Promise<SessionMatch | undefined> {
	let match: SessionMatch | undefined;
	for (let turn = 0; ; turn++) {
		const sessions = await takeReading(turn);
		if (!sessions) return match;
		match = findSessions(sessions, ids);
		if (match && isCertain(match, ids)) return match;
	}
}

/** @throws {SeveralRecordsError} when several sessions match */
function describeMatch({ sessions, foundBy }: SessionMatch): IDataObject {
	if (sessions.length > 1) throw describeSeveral(sessions);
	return { ...sessions[0], found: true, foundBy };
}

/** Nothing tells which of the sessions is meant. */
function describeSeveral(sessions: IDataObject[]): SeveralRecordsError {
	const audienceSessionIds = sessions.map((each) => String(each[sessionShape.id] ?? '')).sort();
	return new SeveralRecordsError(
		`${sessions.length} sessions match: ${nameSome(audienceSessionIds)}`,
		'Search by the formSubmissionId or the audienceSessionId of the session instead.',
		{ audienceSessionIds },
	);
}
