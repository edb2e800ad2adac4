import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { type ApiRequest, at, GET } from '../../api/request';
import { isId } from '../../api/response';
import { readTimestamp } from '../../api/timestamp';
import { quote, trimmedText } from '../../parameters/checks';
import { addAnswers, includeInteractions, numberField, textField } from '../../parameters/fields';
import { pageId } from '../../parameters/locators';
import { refuseItem } from '../../parameters/problem';
import { listInteractionFields, readSessionInteractions } from '../../records/interactions';
import { sessionShape, addFields } from '../../records/shapes';
import { share } from '../../runtime/shared';
import { enumerate } from '../../runtime/text';
import { isObject } from '../../runtime/unknown';
import { defineOperation, type ItemContext, type RunContext } from '../operation/operation';
import { type AddedField, outputFields } from '../operation/output';
import { ownOptions } from '../operation/sharedParameters';

const answers = addAnswers.displayName;
const interactions = includeInteractions.displayName;
const either = `${interactions} or ${answers}`;

/** The fields that a session gets with its interactions. */
export const interactionFields = {
	answers: { type: ['object', 'null'], requires: answers },
	interactions: { type: ['array', 'null'], requires: interactions },
	interactionsFound: { type: ['boolean', 'null'], requires: either },
	interactionsError: { type: 'string', requires: either },
} as const satisfies Record<string, AddedField>;

const someUnread =
	'The interactions of some sessions could not be read. The field interactionsError says why.';

/** The session with the named fields. */
export async function withInteractions(
	session: IDataObject,
	fields: string[],
	run: ItemContext,
): Promise<IDataObject> {
	if (fields.length === 0) return session;
	const added = await readSessionInteractions(session, run.send, fields);
	if (added.interactionsError !== undefined) run.hint(someUnread);
	return addFields(session, added);
}

const identifier = textField(
	'Form Submission or Session ID',
	'identifier',
	'The formSubmissionId, audienceSessionId or analyticsSessionId of the session',
	{ placeholder: 'e.g. submission_0123456789abcdefghijklmnop' },
);

export const getByFormSubmission = defineOperation({
	name: 'Get by Form Submission',
	value: 'getByFormSubmission',
	action: 'Get audience session by form submission',
	description: 'Find the session that an event or an ID belongs to',
	forModels:
		'Connect this to the Page Audience Trigger to get the documented fields of the session behind a form event. Set waitUpToSeconds, because the session can appear after the event. Branch on found. addAnswers adds what the visitor answered.',
	properties: [
		pageId,
		{
			...identifier,
			hint: 'Leave empty to use the ID in the input item',
			displayOptions: { hide: { '@tool': [true] } },
		},
		// An agent's input item is the whole conversation.
		{ ...identifier, required: true, displayOptions: { show: { '@tool': [true] } } },
		addAnswers,
		{
			...ownOptions,
			options: [
				includeInteractions,
				numberField(
					'Look Back (Hours)',
					'lookBackHours',
					48,
					'How many hours back to look, up to a year',
					{ typeOptions: { minValue: 1, maxValue: 8760, numberPrecision: 0 } },
				),
				numberField(
					'Wait up to (Seconds)',
					'waitUpToSeconds',
					60,
					"How long to wait for a session that isn't there yet",
					{ typeOptions: { minValue: 0, maxValue: 3600, numberPrecision: 0 } },
				),
				outputFields(sessionShape),
			],
		},
	],
	checks: { identifier: trimmedText },
	keepsWhole: ['identifier'],
	request: ({ pageId: id, identifier: given }, { json }) => {
		if (listWanted(given, json).length === 0)
			refuseItem(
				'The input item',
				'has no ID of a form submission or session, such as formSubmissionId. Connect the trigger to this node, or drag the ID into Form Submission or Session ID',
			);
		return GET(at.page`/pages/${id}/audience_sessions`);
	},
	run: async ({ identifier: given, addAnswers: isAnswered, options }, run) => {
		const { json, request } = run;
		const wanted = listWanted(given, json);
		const { lookBackHours = 48, waitUpToSeconds = 0 } = options;
		const readings = run.once(
			`sessions of ${request.path}, ${lookBackHours} hours, ${waitUpToSeconds} seconds`,
			() => {
				const startDate = DateTime.utc().minus({ hours: lookBackHours }).toISO();
				return openReadings(run, { ...request, query: { startDate } }, waitUpToSeconds * 1_000);
			},
		);
		let list = await readings.get();
		while (!list.isLast && !isFinal(findSession(list.sessions, wanted), wanted)) {
			const newest = await readings.get();
			list = newest === list ? await readings.renew() : newest;
		}
		const found = findSession(list.sessions, wanted);
		if (!found) return [{ found: false }];
		const fields = listInteractionFields({ ...options, addAnswers: isAnswered });
		return [await withInteractions(found, fields, run)];
	},
	output: {
		shape: sessionShape,
		adds: { found: { type: 'boolean' }, foundBy: { type: 'string' }, ...interactionFields },
	},
	uses: ['GET /v0/pages/{page_id}/audience_sessions'],
});

/** The pause between two readings. */
const readAgainAfterMs = 5_000;

/** The list, read again and again while items wait. All of them share the readings. */
function openReadings(run: RunContext, request: ApiRequest, waitMs: number) {
	const end = Date.now() + waitMs;
	let isFirst = true;
	return share(async () => {
		if (!isFirst) await run.wait(Math.max(0, Math.min(readAgainAfterMs, end - Date.now())));
		const isLast = Date.now() >= end;
		const { id } = sessionShape;
		const { found } = await run.list(request, { id, pick: (session) => [session] });
		isFirst = false;
		return { sessions: found, isLast };
	});
}

/** An ID to look for in one field of the sessions. */
interface WantedId {
	foundBy: string;
	id: string;
}

/** The fields by which a session is recognized, the most exact first. */
const idFields = ['formSubmissionId', sessionShape.id, 'analyticsSessionId'] as const;

/**
 * The IDs that the person has entered or, without that, those of the input item where it names any outermost: what a
 * visitor sends, also under one of these names, stands deeper.
 */
function listWanted(given: string | undefined, json: IDataObject): WantedId[] {
	if (given) return idFields.map((foundBy) => ({ foundBy, id: given }));
	let level: unknown[] = [json];
	while (level.length > 0) {
		const fields = level.flatMap((each) => (isObject(each) ? Object.entries(each) : []));
		const named = idFields.map((foundBy) => fields.filter(([name]) => isNamed(name, foundBy)));
		if (named.some((values) => values.length > 0))
			return idFields.flatMap((foundBy, i) => takeOnlyId(foundBy, named[i] ?? []));
		level = level.flatMap((each): unknown[] =>
			typeof each === 'object' && each !== null ? Object.values(each) : [],
		);
	}
	return [];
}

/** A table writes the name in its own way: form_submission_id, Form Submission ID, data.formSubmissionId. */
function isNamed(written: string, name: string): boolean {
	const [, last = written] = /\.([^.]*)$/.exec(written) ?? [];
	return last.replace(/[^a-z\d]/gi, '').toLowerCase() === name.toLowerCase();
}

function takeOnlyId(foundBy: string, fields: Array<[name: string, value: unknown]>): WantedId[] {
	const ids = new Set(fields.flatMap(([, value]) => (isId(value) ? [String(value).trim()] : [])));
	if (ids.size > 1)
		refuseItem(
			'The input item',
			`has several values of ${foundBy}: ${enumerate([...ids].map(quote), 3)}. A visitor may have typed one of them. Drag the right one into Form Submission or Session ID`,
		);
	return [...ids].map((id) => ({ foundBy, id }));
}

/** The newest one that matches: a visitor has several sessions. */
function findSession(sessions: IDataObject[], wanted: WantedId[]): IDataObject | undefined {
	for (const { foundBy, id } of wanted) {
		const [newest] = sessions
			.filter(({ [foundBy]: value }) => isId(value) && String(value).trim() === id)
			.sort((one, other) => startOf(other) - startOf(one));
		if (newest) return { ...newest, found: true, foundBy };
	}
	return undefined;
}

const startOf = ({ sessionStartedAt }: IDataObject): number => readTimestamp(sessionStartedAt) ?? 0;

/** Whether a later reading can find nothing better: a session exists before its submission. */
function isFinal(found: IDataObject | undefined, [first, ...others]: WantedId[]): boolean {
	if (!found?.formSubmissionId || found.foundBy === 'analyticsSessionId') return false;
	return found.foundBy === first?.foundBy || others.every(({ id }) => id === first?.id);
}
