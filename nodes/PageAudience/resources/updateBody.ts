import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';
import { refuseItem } from '../../parameters/problem';

/** What Fields to Clear holds. */
export interface Clearing {
	/** The options of the parameter, for their labels. */
	clearable: readonly INodePropertyOptions[];
	names: string[];
	/** The value that clears a field. */
	empty: (name: string) => IDataObject[string];
}

/**
 * The body of an update: the fields that are set, and those to clear.
 * @param parameter the label of the parameter that holds what is set
 * @throws {ItemRefusedError} when a field is both set and cleared, and when there is nothing to change
 */
export function buildUpdate(
	given: object,
	{ clearable, names, empty }: Clearing = { clearable: [], names: [], empty: () => null },
	parameter = 'Update Fields',
): IDataObject {
	const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
	const both = clearable.filter(
		({ value }) => names.includes(String(value)) && String(value) in set,
	);
	if (both.length) {
		const labels = both.map(({ name }) => name).join(' and ');
		refuseItem(
			'Fields to Clear',
			`holds ${labels}, which is also set: remove it from one of the two`,
		);
	}
	const body = { ...set, ...Object.fromEntries(names.map((name) => [name, empty(name)])) };
	if (Object.keys(body).length === 0) refuseItem(parameter, 'is empty: add a field to change');
	return body;
}

/** Without the lists that have no rows and the collections that have no members: they were not given. */
export function withoutEmpty<T extends object>(parts: T): Partial<T> {
	const given = Object.entries(parts).filter(([, part]) =>
		Object.values(part ?? {}).some((each) => each !== undefined),
	);
	return Object.fromEntries(given) as Partial<T>;
}
