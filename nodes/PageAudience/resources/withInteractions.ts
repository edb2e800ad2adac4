import type { IDataObject } from 'n8n-workflow';
import { addAnswers, includeInteractions } from '../../parameters/fields';
import { readSessionInteractions } from '../../records/interactions';
import type { Call } from '../operation/call';
import type { AddedField } from '../operation/operation';
import { addFields } from '../operation/output';

const answers = addAnswers.displayName;
const interactions = includeInteractions.displayName;
const either = `${interactions} or ${answers}`;

/** The fields that a session gets with its interactions. */
export const interactionFields = {
	answers: { type: ['object', 'null'], with: answers },
	interactions: { type: ['array', 'null'], with: interactions },
	interactionsFound: { type: ['boolean', 'null'], with: either },
	interactionsError: { type: 'string', with: either },
} as const satisfies Record<string, AddedField>;

const unreadable =
	'The interactions of some sessions could not be read. The field interactionsError says why.';

/** The session with the named fields. */
export async function withInteractions(
	session: IDataObject,
	fields: string[],
	call: Call,
): Promise<IDataObject> {
	if (fields.length === 0) return session;
	const added = await readSessionInteractions(session, call.send, fields);
	if (added.interactionsError !== undefined) call.hint(unreadable);
	return addFields(session, added);
}
