import { unusable } from '../../nodes/PageAudience/resources/contactFields.ts';
import { toTitle } from '../../nodes/records/shapes.ts';
import { writeTable } from './markdown.mts';

const titles = {
	personLog: 'Person Log > Create',
	person: 'Person > Create, Create or Get: Name, and what is matched on',
	personDetails: 'Person > Create, Create or Get: the other fields',
	account: 'Account > Create, Create or Update, Update',
} as const satisfies Record<keyof typeof unusable, string>;

/** What becomes of a value that cannot be used, from the table in the code. */
export function writeUnreadableTable(): string {
	const rows = Object.entries(unusable).map(([record, fields]) => {
		const listFields = (then: string) =>
			Object.entries(fields)
				.filter(([, each]) => each === then)
				.map(([name]) => toTitle(name))
				.join(', ');
		const title = titles[record as keyof typeof titles];
		const columns = ['left out', 'left out if absent', 'refused'].map(
			(then) => listFields(then) || '–',
		);
		return [title, ...columns];
	});
	return writeTable(
		['Operation', 'Left out and told', 'Left out if it says that there is none', 'Refused'],
		rows,
	);
}
