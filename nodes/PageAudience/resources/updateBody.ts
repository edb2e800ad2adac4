import type { IDataObject } from 'n8n-workflow';
import { enumerate } from '../../api/text';
import { ItemRefusedError, refuseItem } from '../../parameters/problem';
import { toTitle } from '../operation/output';

/**
 * The body of an update: the fields that are set, and the cleared ones with the value that clears them.
 * @param places the labels of the parameters where a field can be set or cleared
 * @throws {ItemRefusedError} if a field is both set and cleared, or if there is nothing to change
 */
export function buildUpdate(
	given: object,
	cleared: IDataObject = {},
	places: [string, ...string[]] = ['Update Fields'],
): IDataObject {
	const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
	const both = Object.keys(cleared).filter((name) => Object.hasOwn(set, name));
	if (both.length) {
		const message = 'is both set and cleared: remove it from one of the two';
		throw new ItemRefusedError(both.map((name) => ({ parameter: toTitle(name), message })));
	}
	const body = { ...set, ...cleared };
	if (Object.keys(body).length === 0) {
		if (Object.keys(given).length > 0) refuseItem(places[0], 'has only blank fields: fill one in');
		const are = places.length > 1 ? 'are' : 'is';
		refuseItem(enumerate(places), `${are} empty: add a field to change`);
	}
	return body;
}

/** Removes lists without rows and collections without fields. */
export function withoutEmpty<T extends object>(parts: T): Partial<T> {
	const given = Object.entries(parts).filter(([, part]) =>
		Object.values(part ?? {}).some((each) => each !== undefined),
	);
	return Object.fromEntries(given) as Partial<T>;
}
