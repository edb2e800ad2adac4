import { unreadable } from '../../nodes/PageAudience/resources/contactFields.ts';
import { toTitle } from '../../nodes/records/shapes.ts';
import { writeTable } from './markdown.mts';

const titles = {
	personLog: 'Person Log > Create',
	person: 'Person > Create, Create or Get',
	account: 'Account > Create, Create or Update, Update',
} as const satisfies Record<keyof typeof unreadable, string>;

/** What becomes of a value that cannot be read, from the table in the code. */
export function writeUnreadableTable(): string {
	const rows = Object.entries(unreadable).map(([record, fields]) => {
		const listFields = (then: string) =>
			Object.entries(fields)
				.filter(([, each]) => each === then)
				.map(([name]) => toTitle(name))
				.join(', ');
		const title = titles[record as keyof typeof titles];
		return [title, listFields('left out') || '–', listFields('refused') || '–'];
	});
	return writeTable(['Operation', 'Left out and told', 'Refused'], rows);
}
