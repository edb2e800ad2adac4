import type { IDataObject, INodeProperties, INodePropertyCollection } from 'n8n-workflow';
import { isObject } from '../api/request';

/** An expression that n8n sends as it is, and the label of its field as messages name it. */
export type Unevaluated = { label: string; text: string };

/**
 * Finds a text that looks like an expression, and that n8n sends as it is, because the field is set to Fixed: so every
 * item has the same email or key.
 * @param saved the parameter's value in the workflow
 */
export function findUnevaluated(
	property: INodeProperties,
	saved: unknown,
): Unevaluated | undefined {
	return search(saved, property.displayName, property);
}

function search(
	saved: unknown,
	label: string,
	property?: INodeProperties,
): Unevaluated | undefined {
	if (typeof saved === 'string') return readText(saved, label);
	if (Array.isArray(saved)) return first(saved, (each) => search(each, label));
	if (!isObject(saved)) return undefined;
	// The editor keeps the name of a chosen record beside its ID.
	if ('__rl' in saved) return search(saved.value, label);
	return first(Object.entries(saved), ([name, value]) =>
		searchMember(name, value, label, property),
	);
}

function searchMember(
	name: string,
	value: unknown,
	label: string,
	property?: INodeProperties,
): Unevaluated | undefined {
	if (property?.type === 'collection') {
		const members = (property.options ?? []) as INodeProperties[];
		const member = members.find((each) => each.name === name);
		return search(value, member ? `${label} > ${member.displayName}` : label, member);
	}
	if (property?.type === 'fixedCollection') {
		const groups = (property.options ?? []) as INodePropertyCollection[];
		const group = groups.find((each) => each.name === name);
		const several = property.typeOptions?.multipleValues === true;
		return first([value].flat(), (row, i) => {
			const place = several && group ? `${label} > ${group.displayName} ${i + 1}` : label;
			return search(row, place, { ...property, type: 'collection', options: group?.values });
		});
	}
	if (property?.type === 'assignmentCollection' && Array.isArray(value))
		return first(value as IDataObject[], (row) => search(row, `${label} > ${String(row.name)}`));
	return search(value, label);
}

function readText(saved: string, label: string): Unevaluated | undefined {
	if (saved.startsWith('=')) return undefined;
	const start = saved.search(/\{\{\s*\$/);
	if (start < 0) return undefined;
	const end = saved.indexOf('}}', start);
	return { label, text: end < 0 ? saved.slice(start) : saved.slice(start, end + '}}'.length) };
}

function first<T>(
	among: T[],
	find: (each: T, index: number) => Unevaluated | undefined,
): Unevaluated | undefined {
	return among.map(find).find((each) => each !== undefined);
}
