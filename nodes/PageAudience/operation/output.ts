import type { IDataObject } from 'n8n-workflow';
import type { ApiRequest } from '../../api/request';
import { pickFields } from '../../records/shapes';
import type { Operation, OutputGroup } from './operation';

export interface OutputChoice {
	simplify?: boolean;
	/** Only there in an AI tool, in place of `simplify`. */
	output?: 'simplified' | 'raw' | 'selectedFields';
	outputFields?: string[];
}

/** The fields that were asked for. Those that the node adds are among them in every form. */
export function shapeRecord(
	record: IDataObject,
	{ shape, adds = {} }: OutputGroup = {},
	choice: OutputChoice,
): IDataObject {
	if (!shape?.simplified) return record;
	const { simplify, output, outputFields = [] } = choice;
	const added = Object.keys(adds);
	if (output === 'selectedFields') return pickFields(record, [shape.id, ...outputFields, ...added]);
	if (simplify || output === 'simplified')
		return pickFields(record, [...shape.simplified, ...added]);
	return record;
}

/** The values that the node adds to each record of an item. */
export function valuesToAdd(
	{ output }: { output?: OutputGroup },
	values: object,
	request: ApiRequest,
): IDataObject {
	const found = Object.entries(output?.adds ?? {}).map(([name, { value }]) => [
		name,
		value?.(values, request),
	]);
	return Object.fromEntries(found.filter(([, each]) => each !== undefined)) as IDataObject;
}

/** Adds the node's own fields without replacing one that the API sent. */
export function addFields(record: IDataObject, added: IDataObject): IDataObject {
	const missing = Object.entries(added).filter(([name]) => !(name in record));
	return { ...record, ...Object.fromEntries(missing) };
}

/** A record with the fields that the node adds, in the form that was asked for. */
export function finishRecord(
	record: IDataObject,
	{ output }: Pick<Operation, 'output'>,
	values: OutputChoice,
	request: ApiRequest,
	isTool: boolean,
): IDataObject {
	const whole = addFields(record, valuesToAdd({ output }, values, request));
	const shaped = shapeRecord(whole, output, values);
	return isTool && output?.forTools ? pickFields(shaped, output.forTools) : shaped;
}
