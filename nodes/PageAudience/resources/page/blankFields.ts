import type { INodeProperties } from 'n8n-workflow';
import { enumerate } from '../../../api/enumerate';
import { isObject } from '../../../api/request';

/**
 * The fields that the rows of a list send as "" or as an empty list. An update may thereby empty them in an entry that
 * exists.
 * @param place of the list in the panel
 * @returns for each row with such fields, e.g. "Actions > Action 1 has blank fields: Purpose and URL"
 */
export function listBlankFields(
	{ displayName, options = [] }: INodeProperties,
	list: unknown,
	place = displayName,
): string[] {
	return options.flatMap((group) => {
		if (!('values' in group)) return [];
		return readRows(list, group.name).flatMap((row, index) => {
			const label = `${place} > ${group.displayName} ${index + 1}`;
			const fields = group.values.map((field) => ({ field, value: Reflect.get(row, field.name) }));
			const blank = fields.filter(({ field, value }) => isSentBlank(field, value));
			const names = blank.map(({ field }) => field.displayName);
			const inner = fields.flatMap(({ field, value }) =>
				listBlankFields(field, value, `${label} > ${field.displayName}`),
			);
			const count = names.length > 1 ? 'blank fields' : 'a blank field';
			return names.length > 0 ? [`${label} has ${count}: ${enumerate(names)}`, ...inner] : inner;
		});
	});
}

function readRows(list: unknown, name: string): object[] {
	const rows: unknown = isObject(list) ? Reflect.get(list, name) : undefined;
	return Array.isArray(rows) ? rows.filter((row) => isObject(row)) : [];
}

/** An action without an ID is a new one: its ID alone is not sent. */
function isSentBlank({ name, type, options = [] }: INodeProperties, value: unknown): boolean {
	if (type !== 'fixedCollection') return name !== 'actionId' && value === '';
	return options.every((group) => readRows(value, group.name).length === 0);
}
