import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../../../api/request';
import { sessionShape } from '../../../records/audienceSession';

/** The fields by which a session is recognized. The first one that any session shares with the texts decides. */
export const identifyingFields = [
	'formSubmissionId',
	sessionShape.id,
	'analyticsSessionId',
] as const satisfies ReadonlyArray<(typeof sessionShape.fields)[number]>;

/** A shorter text may be equal to an ID by chance. */
export const leastLength = 8;

/**
 * All texts and numbers in a value that can be an ID, at any depth. What a delivery contains is not documented, and so is not where
 * its IDs are.
 */
export function listTexts(value: unknown): Set<string> {
	const texts = new Set<string>();
	// Without recursion: a body may be nested deeper than the stack.
	const open: unknown[] = [value];
	while (open.length > 0) {
		const member = open.pop();
		const text = readId(member)?.trim() ?? '';
		if (text.length >= leastLength) texts.add(text);
		if (Array.isArray(member) || isObject(member)) {
			for (const each of Object.values(member)) open.push(each);
		}
	}
	return texts;
}

/** The sessions whose ID of one kind is among the texts. Several only when they share that ID, or the texts have several. */
export function findSessions(sessions: IDataObject[], texts: ReadonlySet<string>): IDataObject[] {
	for (const field of identifyingFields) {
		const found = sessions.filter((session) => isAmong(texts, session[field]));
		// A list that grows while it is read shows a session again on the next page.
		if (found.length > 0) return withoutRepeats(found);
	}
	return [];
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
