import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { DescribedError } from '../../api/errors';
import { type ApiRequest, at } from '../../api/request';
import { readTimestamp } from '../../api/timestamp';
import { quote, trimmedText } from '../../parameters/checks';
import {
	addAnswers,
	choiceField,
	includeInteractions,
	numberField,
	textField,
} from '../../parameters/fields';
import { pageId } from '../../parameters/locators';
import { refuseItem } from '../../parameters/problem';
import { listInteractionFields, readSessionInteractions } from '../../records/interactions';
import { sessionShape, addFields } from '../../records/shapes';
import { enumerate } from '../../runtime/text';
import { isObject } from '../../runtime/unknown';
import { defineOperation, type ItemContext, type RunContext } from '../operation/operation';
import { type AddedField } from '../operation/output';
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

const unreadable =
	'The interactions of some sessions could not be read. The field interactionsError says why.';

/** The session with the named fields. */
export async function withInteractions(
	session: IDataObject,
	fields: string[],
	item: ItemContext,
): Promise<IDataObject> {
	if (fields.length === 0) return session;
	const added = await readSessionInteractions(session, item.send, fields);
	if (added.interactionsError !== undefined) item.hint(unreadable);
	return addFields(session, added);
}

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
		// An agent's input item is the whole conversation.
		choiceField(
			'Search In',
			'searchIn',
			'Where the ID of the form submission or session is',
			{
				item: [
					'Input Item',
					'The formSubmissionId, audienceSessionId or analyticsSessionId of the input item, at any depth. In an item without these fields, any value that matches only one session.',
				],
				text: ['Text', 'An ID that you enter'],
			},
			{ displayOptions: { hide: { '@tool': [true] } } },
		),
		choiceField(
			'Search In',
			'searchIn',
			'Where the ID of the form submission or session is',
			{ text: ['Text', 'An ID that you enter'] },
			{ displayOptions: { show: { '@tool': [true] } } },
		),
		textField(
			'Identifier',
			'identifier',
			'The formSubmissionId, audienceSessionId or analyticsSessionId of the session',
			{
				placeholder: 'e.g. submission_0123456789abcdefghijklmnop',
				required: true,
				displayOptions: { show: { searchIn: ['text'] } },
			},
		),
		includeInteractions,
		{
			...ownOptions,
			options: [
				addAnswers,
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
					0,
					'How long to keep checking for the form submission. After that, the best match is returned.',
					{ typeOptions: { minValue: 0, maxValue: 3600, numberPrecision: 0 } },
				),
			],
		},
	],
	checks: { identifier: trimmedText },
	request: ({ pageId: id, searchIn, identifier }, { json }) => {
		const { fields } = readWanted(searchIn, identifier, json);
		if (fields.every(({ texts }) => texts.size === 0))
			refuseItem(
				'The input item',
				'has no ID of a form submission or session. Connect the trigger to this node, or set Search In to Text',
			);
		return { method: 'GET', ...at.page`/pages/${id}/audience_sessions` };
	},
	run: async ({ searchIn, identifier, includeInteractions: include, options }, item) => {
		const { json, request } = item;
		const wanted = readWanted(searchIn, identifier, json);
		const { lookBackHours = 48, waitUpToSeconds = 0 } = options;
		const read = item.once(
			`sessions of ${request.path}, ${lookBackHours} hours, ${waitUpToSeconds} seconds`,
			() => {
				const startDate = DateTime.utc().minus({ hours: lookBackHours }).toISO();
				return openReadings(item, { ...request, query: { startDate } }, waitUpToSeconds * 1_000);
			},
		);
		for (let reading = await read(); ; reading = await read(reading)) {
			const { sessions, isLast } = reading;
			const found = findSession(sessions, wanted);
			if (!isLast && !isCertain(found, wanted)) continue;
			if (!found) return [{ found: false }];
			const fields = listInteractionFields({
				includeInteractions: include,
				addAnswers: options.addAnswers,
			});
			return [await withInteractions(found, fields, item)];
		}
	},
	output: {
		shape: sessionShape,
		adds: { found: { type: 'boolean' }, foundBy: { type: 'string' }, ...interactionFields },
	},
	uses: ['GET /v0/pages/{page_id}/audience_sessions'],
});

/** The pauses between readings. */
const pauseMs = 5_000;

interface Reading {
	sessions: IDataObject[];
	/** Whether the wait is over. */
	isLast: boolean;
}

/**
 * The list, read again and again while items wait. All of them share the readings. Only the newest is kept: in an hour,
 * there are hundreds.
 */
function openReadings(run: RunContext, request: ApiRequest, waitMs: number) {
	const end = Date.now() + waitMs;
	let newest: Reading | undefined;
	let next: Promise<Reading> | undefined;
	const readNext = async () => {
		if (newest) await run.wait(Math.max(0, Math.min(pauseMs, end - Date.now())));
		const isLast = Date.now() >= end;
		const { found } = await run.list(request, {
			id: sessionShape.id,
			pick: (session) => [session],
		});
		next = undefined;
		return (newest = { sessions: found, isLast });
	};
	return async (seen?: Reading): Promise<Reading> =>
		newest && newest !== seen ? newest : await (next ??= readNext());
}

/** The texts and whole numbers in a value, at any depth: where a delivery has its IDs is not documented. */
function listTexts(value: unknown): string[] {
	if (typeof value === 'string') return value.trim() === '' ? [] : [value.trim()];
	if (Number.isSafeInteger(value)) return [String(value)];
	if (Array.isArray(value)) return value.flatMap(listTexts);
	return isObject(value) ? Object.values(value).flatMap(listTexts) : [];
}

/** The fields by which a session is recognized, the most exact first. */
const identifyingFields = ['formSubmissionId', sessionShape.id, 'analyticsSessionId'] as const;

/** What an item says of its session. */
interface Wanted {
	/** What to look for in each field of a session. */
	fields: Array<{ foundBy: string; texts: ReadonlySet<string> }>;
	/** Otherwise, a visitor may have typed each of the texts. */
	isNamed: boolean;
}

function readWanted(searchIn: unknown, identifier: unknown, json: IDataObject): Wanted {
	if (searchIn === 'text') return lookEverywhere(identifier, true);
	const outermost = findOutermost(json);
	if (outermost.length === 0) return lookEverywhere(json, false);
	const fields = identifyingFields.map((name) => ({
		foundBy: name,
		texts: new Set(outermost.flatMap((each) => listTexts(valuesOf(each, name)))),
	}));
	for (const { foundBy, texts } of fields)
		if (texts.size > 1)
			refuseItem(
				'The input item',
				`has several values of ${foundBy}: ${enumerate([...texts].map(quote), 3)}. A visitor may have typed one of them. Set Search In to Text, and drag the right one into Identifier`,
			);
	return { fields, isNamed: true };
}

function lookEverywhere(value: unknown, isNamed: boolean): Wanted {
	const texts = new Set(listTexts(value));
	return { fields: identifyingFields.map((foundBy) => ({ foundBy, texts })), isNamed };
}

/** The objects in which such fields stand outermost: what a visitor sends, also under one of their names, stands deeper. */
function findOutermost(json: IDataObject): IDataObject[] {
	let level: unknown[] = [json];
	while (level.length > 0) {
		const found = level.filter(hasIdentifyingField);
		if (found.length > 0) return found;
		level = level.flatMap((each): unknown[] =>
			typeof each === 'object' && each !== null ? Object.values(each) : [],
		);
	}
	return [];
}

function hasIdentifyingField(value: unknown): value is IDataObject {
	return isObject(value) && identifyingFields.some((name) => valuesOf(value, name).length > 0);
}

/** A table writes the name in its own way: form_submission_id, Form Submission ID, data.formSubmissionId. */
function valuesOf(object: object, name: string): unknown[] {
	return Object.entries(object)
		.filter(([written]) => plainName(written) === plainName(name))
		.map(([, value]): unknown => value);
}

const plainName = (name: string) =>
	name
		.replace(/^.*\./, '')
		.replace(/[^a-z\d]/gi, '')
		.toLowerCase();

/**
 * The newest one that matches: a visitor has several sessions.
 * @throws {DescribedError} where texts without a name match several sessions: some are not the item's
 */
function findSession(sessions: IDataObject[], wanted: Wanted): IDataObject | undefined {
	const matches = wanted.fields.map(({ foundBy, texts }) =>
		sessions
			.filter((session) => listTexts(session[foundBy]).some((id) => texts.has(id)))
			.map((session): IDataObject => ({ ...session, found: true, foundBy })),
	);
	const ids = new Set(matches.flat().map((session) => String(session[sessionShape.id])));
	if (!wanted.isNamed && ids.size > 1) throw describeSeveral([...ids]);
	return matches
		.find((found) => found.length > 0)
		?.sort((one, other) => startOf(other) - startOf(one))[0];
}

function describeSeveral(ids: string[]): DescribedError {
	return new DescribedError(
		`The values of the input item match ${ids.length} sessions: ${enumerate(ids, 3)}`,
		'A visitor may have typed the ID of another session. Set Search In to Text, and drag the ID into Identifier.',
		{ audienceSessionIds: ids },
	);
}

function startOf({ sessionStartedAt }: IDataObject): number {
	return readTimestamp(sessionStartedAt) ?? 0;
}

/**
 * Whether a later reading can find nothing better. A session exists before its submission, and after one that another text
 * of the item matches.
 */
function isCertain(found: IDataObject | undefined, { fields, isNamed }: Wanted): boolean {
	if (!found?.formSubmissionId || found.foundBy === 'analyticsSessionId') return false;
	const texts = new Set(fields.flatMap((field) => [...field.texts]));
	const exact = fields.find((field) => field.texts.size > 0);
	const isExact = isNamed && exact?.texts.size === 1 && exact.foundBy === found.foundBy;
	return isExact || texts.size === 1;
}
