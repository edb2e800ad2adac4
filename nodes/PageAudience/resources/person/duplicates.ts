import type { IDataObject } from 'n8n-workflow';
import type { Call } from '../../operation/call';
import type { PersonTarget } from './target';

/** A person who was created, and what for. */
interface CreatedPerson {
	target: PersonTarget;
	record: IDataObject;
}

/**
 * A second look after everything was created. Without a key, nothing keeps two executions at once from creating the
 * same person, so that they can only be told.
 * @param created whose records get `duplicateIds`
 * @param find the people by now who have the values
 */
export async function reportDuplicates(
	created: readonly CreatedPerson[],
	find: (targets: PersonTarget[]) => Promise<Map<string, IDataObject[]>>,
	hint: Call['hint'],
): Promise<void> {
	const found = await find(created.map(({ target }) => target)).catch(readMessage);
	if (typeof found === 'string')
		return hint('duplicate', `Could not check for duplicates afterwards: ${found}`);
	for (const { target, record } of created) {
		const duplicateIds = (found.get(target.key) ?? [])
			.map(({ personId }) => personId)
			.filter((personId) => personId !== record.personId);
		if (duplicateIds.length === 0) continue;
		record.duplicateIds = duplicateIds;
		const ids = [record.personId, ...duplicateIds].join(', ');
		hint(
			'duplicate',
			`"${target.value}" now has several people: ${ids}. Keep one of them in the service.`,
		);
	}
}

function readMessage(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
