import type { IDataObject } from 'n8n-workflow';
import type { Call } from '../../operation/call';
import type { PersonLookup, Target } from './personLookup';

/**
 * A second look after everything was created. Without a key, nothing keeps two executions at once from creating the
 * same person, so that they can only be told.
 * @param created the records of people who were created, which get `duplicateIds`
 * @param targets what each of them was created for
 */
export async function reportDuplicates(
	lookup: PersonLookup,
	created: readonly IDataObject[],
	targets: readonly Target[],
	call: Pick<Call, 'hint'>,
): Promise<void> {
	const ids = new Set(created.map(({ personId }) => personId));
	const found = await lookup.findDuplicates(targets, ids.size).catch(readMessage);
	if (typeof found === 'string')
		return call.hint('duplicate', `Could not check for duplicates afterwards: ${found}`);
	for (const [index, record] of created.entries()) {
		const { key, value } = targets[index];
		const duplicateIds = (found.get(key) ?? [])
			.map(({ personId }) => personId)
			.filter((personId) => personId !== record.personId);
		if (duplicateIds.length === 0) continue;
		record.duplicateIds = duplicateIds;
		const all = [record.personId, ...duplicateIds].join(', ');
		call.hint(
			'duplicate',
			`"${value}" now has several people: ${all}. Keep one of them in the service.`,
		);
	}
}

function readMessage(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
