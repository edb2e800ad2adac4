import type { IDataObject } from 'n8n-workflow';
import { refuse } from '../operation/problem';

/**
 * The body of an update: what was given, and what Fields to Clear names, with the value that clears it.
 * @throws {Refusal} when a field is both set and cleared, and when there is nothing to change
 */
export function buildUpdate(given: object, cleared: IDataObject = {}): IDataObject {
	const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
	const both = Object.keys(cleared).filter((name) => name in set);
	if (both.length) refuse('Fields to Clear', `names what is also set: ${both.join(', ')}`);
	const body = { ...set, ...cleared };
	if (Object.keys(body).length === 0) refuse('Update Fields', 'is empty: add what is to change');
	return body;
}
