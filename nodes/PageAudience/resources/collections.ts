import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { collectionField, dateField } from '../../parameters/fields';
import { ItemRefusedError, refuseItem } from '../../parameters/problem';
import { toTitle } from '../../records/shapes';

/** Collections that several operations have under the same label. Each operation adds its own `options`. */

export const additionalFields = collectionField('Additional Fields', 'additionalFields', 'field');

/** The period of sessions and analytics. The API does not say whether its dates are inclusive. */
export const dateFilters = {
	...collectionField('Filters', 'filters', 'filter'),
	options: [
		dateField(
			'Start Date',
			'startDate',
			"Start of the period, e.g. 2026-01-31 or 2026-01-31T08:00:00+01:00. Without an offset, the workflow's time zone applies.",
		),
		dateField(
			'End Date',
			'endDate',
			'End of the period. A day without a time is included completely.',
		),
	],
} as const satisfies INodeProperties;

/**
 * The time span to send.
 * @throws {ItemRefusedError} when the start is not before the end: the service would return nothing, and would not say why
 */
export function checkTimeSpan<T extends { startDate?: string; endDate?: string }>(span: T): T {
	const { startDate, endDate } = span;
	if (startDate && endDate && Date.parse(startDate) >= Date.parse(endDate))
		refuseItem('Filters > Start Date', `(${startDate}) must be before End Date (${endDate})`);
	return span;
}

export const updateFields = collectionField('Update Fields', 'updateFields', 'field');

export const fieldsToClear = {
	displayName: 'Fields to Clear',
	name: 'fieldsToClear',
	type: 'multiOptions',
	default: [],
	description: 'Fields to empty. You cannot set and clear the same field.',
} as const satisfies INodeProperties;

/**
 * The body of an update: the fields that are set, and the cleared ones with the value that clears them.
 * @throws {ItemRefusedError} if a field is both set and cleared, or if there is nothing to change
 */
export function buildUpdate(given: object, cleared: IDataObject = {}): IDataObject {
	const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
	const both = Object.keys(cleared).filter((name) => Object.hasOwn(set, name));
	if (both.length) {
		const message = 'is both set and cleared: remove it from one of the two';
		throw new ItemRefusedError(both.map((name) => ({ parameter: toTitle(name), message })));
	}
	const body = { ...set, ...cleared };
	if (Object.keys(body).length === 0)
		refuseItem('The update', 'changes nothing: add a field to Update Fields or JSON');
	return body;
}

/** Removes lists without rows and collections without fields. */
export function withoutEmpty<T extends object>(parts: T): Partial<T> {
	const given = Object.entries(parts).filter(([, part]) =>
		Object.values(part ?? {}).some((each) => each !== undefined),
	);
	return Object.fromEntries(given) as Partial<T>;
}
