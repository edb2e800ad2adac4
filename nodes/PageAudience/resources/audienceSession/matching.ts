import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../../../api/request';
import { readTimestamp } from '../../../api/serviceTime';
import { eventKinds } from '../../../parameters/eventKinds';
import { sessionShape } from '../../../records/audienceSession';

/** The fields by which a session is recognized. The first one that any session shares with the IDs decides. */
export const identifyingFields = [
	'formSubmissionId',
	sessionShape.id,
	'analyticsSessionId',
] as const satisfies ReadonlyArray<(typeof sessionShape.fields)[number]>;

type IdentifyingField = (typeof identifyingFields)[number];

/** The texts to look for, by the field of a session that probably holds them. */
export interface SoughtIds extends Record<IdentifyingField, Set<string>> {
	/**
	 * All that are long enough. What is named or looks like something else can be an ID nevertheless, but a number has
	 * another meaning in another place.
	 */
	any: Set<string>;
}

/** A shorter text may be equal to an ID by chance, unless the name of its field says that it is one. */
export const leastLength = 8;

/** The kinds of the ID in a field, by the end of its name. The first end that fits counts. */
const kindsByName: Array<[end: string, kinds: readonly IdentifyingField[]]> = [
	['submission', ['formSubmissionId']],
	['audiencesession', [sessionShape.id]],
	['analyticssession', ['analyticsSessionId']],
	['session', [sessionShape.id, 'analyticsSessionId']],
	...['page', 'audience', 'tenant', 'person', 'prospect', 'account', 'subscription', 'version'].map(
		(end): [string, []] => [end, []],
	),
];

/** A sentence, an address or a moment. */
const noId = /[\s@]|:\/\/|^\d{4}-\d\d-\d\d/;

const kindsOfEvents = new Set<string>(eventKinds.map(({ value }) => value));

/** Only the end of a name is looked at. With its separators, a known one is shorter than this. */
const longestName = 100;

/**
 * All texts and numbers in a value that can be an ID, at any depth. What a delivery contains is not documented, and so is not where
 * its IDs are.
 * @param least the length from which a text can be an ID in a field with any name
 */
export function listIds(value: unknown, least = leastLength): SoughtIds {
	const ids: SoughtIds = {
		formSubmissionId: new Set(),
		audienceSessionId: new Set(),
		analyticsSessionId: new Set(),
		any: new Set(),
	};
	// Without recursion: a body may be nested deeper than the stack.
	const open = [{ value, name: '', parent: '' }];
	for (let member = open.pop(); member; member = open.pop()) {
		const { value: inner, name, parent } = member;
		const text = readId(inner)?.trim();
		if (text) {
			const isLong = text.length >= least;
			const isLikely = isLong && !noId.test(text) && !kindsOfEvents.has(text);
			const fields = findKinds(name, parent) ?? (isLikely ? identifyingFields : []);
			for (const field of fields) ids[field].add(text);
			if (isLong && /\D/.test(text)) ids.any.add(text);
		} else if (Array.isArray(inner)) {
			for (const each of inner) open.push({ value: each, name, parent });
		} else if (isObject(inner)) {
			for (const [key, each] of Object.entries(inner))
				open.push({ value: each, name: simplifyName(key), parent: name });
		}
	}
	return ids;
}

/** What the name of a field says about the ID in it: `submission_id`, `Submission IDs`, or `id` in `submission`. */
function findKinds(name: string, parent: string): readonly IdentifyingField[] | undefined {
	const owner = name.replace(/ids?$/, '');
	if (owner === name) return undefined;
	const one = (owner || parent).replace(/s$/, '');
	return kindsByName.find(([end]) => one.endsWith(end))?.[1];
}

function simplifyName(name: string): string {
	return name
		.slice(-longestName)
		.toLowerCase()
		.replace(/[^a-z0-9]/g, '');
}

/** Whether nothing is probably an ID. An address, a moment or the ID of a page alone leads to no session. */
export function isEmpty(ids: SoughtIds): boolean {
	return identifyingFields.every((field) => ids[field].size === 0);
}

/** The sessions that one of the IDs leads to. */
export interface SessionMatch {
	foundBy: IdentifyingField;
	/** Several only if nothing tells which of them is meant. */
	sessions: IDataObject[];
}

export function findSessions(sessions: IDataObject[], ids: SoughtIds): SessionMatch | undefined {
	const tries = [
		ids,
		{ formSubmissionId: ids.any, audienceSessionId: ids.any, analyticsSessionId: ids.any },
	];
	for (const sought of tries)
		for (const foundBy of identifyingFields) {
			const found = sessions.filter((session) => isAmong(sought[foundBy], session[foundBy]));
			if (found.length === 0) continue;
			// A list that grows while it is read shows a session again on the next page.
			const each = withoutRepeats(found);
			return { foundBy, sessions: foundBy === 'formSubmissionId' ? each : takeNewest(each) };
		}
	return undefined;
}

/**
 * Whether a later reading can find nothing better. A visitor has several sessions, and a session exists before its
 * submission. So only the ID of the submission is certain, or that of a session with one, if it is the only ID.
 */
export function isCertain({ foundBy, sessions }: SessionMatch, ids: SoughtIds): boolean {
	if (foundBy === 'formSubmissionId') return true;
	const [session = {}] = sessions;
	if (foundBy !== sessionShape.id || !readId(session.formSubmissionId)) return false;
	const id = readId(session[sessionShape.id]);
	return [...ids.formSubmissionId, ...ids[sessionShape.id]].every((sought) => sought === id);
}

function takeNewest(sessions: IDataObject[]): IDataObject[] {
	const starts = sessions.map(({ sessionStartedAt }) => readTimestamp(sessionStartedAt) ?? 0);
	const latest = starts.reduce((one, other) => Math.max(one, other));
	return sessions.filter((_, i) => starts[i] === latest);
}

function isAmong(texts: ReadonlySet<string>, id: unknown): boolean {
	const text = readId(id);
	return text !== undefined && texts.has(text);
}

/** A number that JSON.parse may have rounded is no ID: it could be the text of another one. */
function readId(value: unknown): string | undefined {
	if (typeof value === 'string') return value;
	return Number.isSafeInteger(value) && Number(value) >= 0 ? String(value) : undefined;
}

function withoutRepeats(sessions: IDataObject[]): IDataObject[] {
	const seen = new Set<unknown>();
	return sessions.filter((session) => {
		const id = session[sessionShape.id] ?? session;
		const isNew = !seen.has(id);
		seen.add(id);
		return isNew;
	});
}
