import type { IDataObject } from 'n8n-workflow';
import { type ApiRequest, type ApiResponse, at, GET } from '../api/request';
import { RequestFailedError } from '../api/errors';
import { isId, readRecord, readRecords } from '../api/response';
import { pickFields, sessionShape } from './shapes';

export const requestInteractions = (id: string): ApiRequest =>
	GET(at.audienceSession`/audience_sessions/${id}/interactions`);

/** @returns `found` where the service says whether it found the session, else null */
export function readInteractions(response: ApiResponse) {
	const { found, interactions } = readRecord(response);
	// What `found: false` means for the list is not documented, so an absent list is an empty one then.
	const list = found === false ? (interactions ?? []) : interactions;
	return { found: typeof found === 'boolean' ? found : null, records: readRecords(list, response) };
}

/**
 * The names of the fields that a session gets. Either choice has the interactions read, so that the answers need no
 * second switch. Without any, nothing is read.
 */
export function listInteractionFields(choice: {
	includeInteractions?: boolean;
	addAnswers?: boolean;
}): string[] {
	const wanted = [
		...(choice.addAnswers ? ['answers'] : []),
		...(choice.includeInteractions ? ['interactions'] : []),
	];
	return wanted.length > 0 ? [...wanted, 'interactionsFound', 'interactionsError'] : [];
}

/**
 * What the interactions add to one session of a list. A session whose interactions cannot be read says so, instead of
 * failing the sessions around it.
 * @param fields the names of what to return
 * @throws the abort's reason when the execution was cancelled
 */
export async function readSessionInteractions(
	session: IDataObject,
	send: (request: ApiRequest) => Promise<ApiResponse>,
	fields: string[],
): Promise<IDataObject> {
	const unread = { answers: null, interactions: null, interactionsFound: null };
	const { [sessionShape.id]: id } = session;
	const read = async (): Promise<IDataObject> => {
		if (!isId(id)) return { ...unread, interactionsError: `The session has no ${sessionShape.id}` };
		const { found, records } = readInteractions(await send(requestInteractions(String(id))));
		return { answers: collectAnswers(records), interactions: records, interactionsFound: found };
	};
	const added = await read().catch((error: unknown) => {
		if (!(error instanceof RequestFailedError)) throw error;
		return { ...unread, interactionsError: error.message };
	});
	return pickFields(added, fields);
}

/**
 * What the visitor answered: the responses by their labels, in the order of the interactions. A label that comes again
 * gets the next number that makes no other label, so that each answer has a name of its own.
 */
export function collectAnswers(interactions: IDataObject[]): IDataObject {
	const answered = interactions
		.filter(({ responseText }) => String(responseText ?? '').trim() !== '')
		.map(({ label, responseText }) => ({
			label: String(label ?? '')
				.replace(/\s+/g, ' ')
				.trim(),
			responseText,
		}));
	const labels = new Set(answered.map(({ label }) => label));
	const counts = new Map<string, number>();
	const answers = new Map<string, IDataObject[string]>();
	for (const { label, responseText } of answered) {
		const base = label || 'No label';
		let count = counts.get(label) ?? 0;
		let name: string;
		do {
			count++;
			name = count === 1 ? base : `${base} (${count})`;
		} while (answers.has(name) || (name !== label && labels.has(name)));
		counts.set(label, count);
		answers.set(name, responseText);
	}
	return Object.fromEntries(answers);
}
