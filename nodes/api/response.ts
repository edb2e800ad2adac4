import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../runtime/unknown';
import { refuseResponse } from './errors';
import type { ApiResponse } from './request';

/**
 * The one record of a response.
 * @param id the field of its ID, where it has one: without it, the body may be anything but the record
 */
export function readRecord(response: ApiResponse, id?: string): IDataObject {
	if (!isObject(response.body)) throw refuseResponse('a record', response);
	const record = response.body as IDataObject;
	if (id !== undefined && !isId(record[id])) throw refuseResponse(`a record with ${id}`, response);
	return record;
}

/** Whether a value can tell a record from others. */
export function isId(value: unknown): value is string | number {
	return typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');
}

/** The records of `{items: […]}`. */
export function readItems(response: ApiResponse): IDataObject[] {
	return readRecords(readRecord(response).items, response);
}

export function readBareList(response: ApiResponse): IDataObject[] {
	return readRecords(response.body, response);
}

export function readRecords(list: unknown, response: ApiResponse): IDataObject[] {
	if (!Array.isArray(list) || !list.every(isObject)) throw refuseResponse('a list', response);
	return list;
}
