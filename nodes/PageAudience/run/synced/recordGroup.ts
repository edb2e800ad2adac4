import { hashContent } from '../../../runtime/canonical';

/** Records that follow each other in the input, with one name for all of them in exactly these versions. */
export interface RecordGroup {
	name: string;
	records: string[];
}

/**
 * A record ends a group by its own name, and not by its place. So a record that comes, goes or changes leaves all other
 * groups as they are. Records are hexadecimal hashes, so a group has 16 of them on average: with fewer, a night without
 * changes takes longer, and with more, one with many.
 */
function endsGroup(record: string): boolean {
	return record.endsWith('0');
}

/** A name for fewer records saves little, and takes room. */
const fewest = 4;

/**
 * Records of no group are left out. So are those before the first end and after the last one: where a list begins and
 * ends, they would have another name as soon as a record comes or goes. Batches of a loop would fill the store with them.
 */
export function groupRecords(records: string[]): RecordGroup[] {
	const groups: string[][] = [[]];
	for (const record of records) {
		groups.at(-1)?.push(record);
		if (endsGroup(record)) groups.push([]);
	}
	return groups
		.slice(1, -1)
		.filter(({ length }) => length >= fewest)
		.map((group) => ({ name: hashContent(group), records: group }));
}
