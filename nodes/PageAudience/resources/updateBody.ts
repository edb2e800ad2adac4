import type { IDataObject } from 'n8n-workflow';
import { refuseItem } from '../../parameters/problem';

/**
 * The body of an update: what was given, and what Fields to Clear names, with the value that clears it.
 * @param parameter the label of the parameter that holds what is given
 * @throws {ItemRefusedError} when a field is both set and cleared, and when there is nothing to change
 */
export function buildUpdate(
	given: object,
	cleared: IDataObject = {},
	parameter = 'Update Fields',
): IDataObject {
	const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
	const both = Object.keys(cleared).filter((name) => Object.hasOwn(set, name));
	if (both.length) refuseItem('Fields to Clear', `names what is also set: ${both.join(', ')}`);
	const body = { ...set, ...cleared };
	if (Object.keys(body).length === 0) refuseItem(parameter, 'is empty: add what is to change');
	return body;
}

/** Without the lists that have no rows and the collections that have no members: they were not given. */
export function withoutEmpty<T extends object>(parts: T): Partial<T> {
	const given = Object.entries(parts).filter(([, part]) =>
		Object.values(part ?? {}).some((each) => each !== undefined),
	);
	return Object.fromEntries(given) as Partial<T>;
}
