import type { IDataObject } from 'n8n-workflow';
import { addAnswers, includeInteractions } from '../../parameters/fields';
import { readSessionInteractions } from '../../records/interactions';
import type { ItemContext } from '../operation/context';
import type { AddedField } from '../operation/operation';
import { addFields } from '../operation/output';

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
	call: ItemContext,
): Promise<IDataObject> {
	if (fields.length === 0) return session;
	const added = await readSessionInteractions(session, call.send, fields);
	if (added.interactionsError !== undefined) call.hint(unreadable);
	return addFields(session, added);
}
