import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { readKey } from '../../api/request';
import { quote } from '../../parameters/checks';
import { listMappedFields } from '../../parameters/mapping';
import { ItemRefusedError } from '../../parameters/problem';
import { writeCanonical } from '../../runtime/canonical';
import type { Operation, SyncedRecord } from '../operation/operation';
import { toTitle } from '../../records/shapes';
import type { Plan, PlannedItem } from './model';

/*
 * Mistakes that only show when all items are seen together: a field that none of them has, an idempotency key that several
 * share, or updates that undo each other.
 */

/** One message for each field that a parameter refers to, but no item has: the parameter is then empty for all items. */
export function listMissingFields(context: IExecuteFunctions, { properties }: Operation): string[] {
	const items = context.getInputData();
	const saved = context.getNode().parameters;
	const mapped = properties.flatMap(({ name }) => listMappedFields(saved[name]));
	const isMissing = (name: string) => !items.some(({ json }) => Object.hasOwn(json, name));
	return [...new Set(mapped)]
		.filter(isMissing)
		.map(
			(name) =>
				`No input item has a field ${quote(name)}, so the parameters that use it are empty. Check the name, or drag the field again.`,
		);
}

/** Groups the valid items by a text, such as their idempotency key, and leaves out groups of one. */
function groupPlans(
	plans: readonly Plan[],
	textOf: (plan: PlannedItem) => string | undefined,
): Array<[text: string, plans: [PlannedItem, ...PlannedItem[]]]> {
	const groups = new Map<string, [PlannedItem, ...PlannedItem[]]>();
	for (const plan of plans) {
		if (plan instanceof Error) continue;
		const text = textOf(plan);
		if (text === undefined) continue;
		const group = groups.get(text);
		if (group) group.push(plan);
		else groups.set(text, [plan]);
	}
	return [...groups].filter(([, group]) => group.length > 1);
}

interface SharedKey {
	key: string;
	plan: PlannedItem;
	/** The key is of one synced record. The first of its items is sent, so only the others are listed. */
	isSkipped?: boolean;
}

/** The items that share an idempotency key and differ in content: the service would keep only one of them. */
export function listSharedKeys(plans: readonly Plan[]): SharedKey[] {
	return groupPlans(plans, ({ request }) => readKey(request)).flatMap(
		([key, [first, ...others]]) => {
			const content = writeCanonical(first.request.body);
			const differing = others.filter(({ request }) => writeCanonical(request.body) !== content);
			if (differing.length === 0) return [];
			const { synced } = first;
			const isSkipped = synced && !others.some((each) => isForOther(synced, each.synced));
			return (isSkipped ? differing : [first, ...others]).map((plan) => ({ key, plan, isSkipped }));
		},
	);
}

/** Whether two items with one record are for two people: by their emails, for example, and nothing that they share. */
function isForOther(one: SyncedRecord, other: SyncedRecord | undefined): boolean {
	const kindOf = (name: string) => name.split(' ', 1)[0];
	const names = other?.people ?? [];
	const kinds = names.map(kindOf);
	return (
		!one.people.some((name) => names.includes(name)) &&
		one.people.some((name) => kinds.includes(kindOf(name)))
	);
}

/** A field of one record for which several items have different values: the last one undoes what the others write. */
interface Contradiction {
	record: string;
	field: string;
	/** Whether the value is a list or an object. Each item would then also undo what it did not mean to change. */
	isWhole: boolean;
	/** All items that write a list or an object, and otherwise those whose value is undone. */
	items: number[];
}

export function listContradictions(plans: readonly Plan[]): Contradiction[] {
	const updates = groupPlans(plans, ({ request, changes: [record] }) =>
		request.method === 'PATCH' ? record : undefined,
	);
	return updates.flatMap(([record, group]) => {
		const changes = group.map(({ item, request }) => ({
			item,
			body: { ...request.body } as IDataObject,
		}));
		const fields = new Set(changes.flatMap(({ body }) => Object.keys(body)));
		return [...fields].flatMap((field) => {
			const writing = changes.filter(({ body }) => Object.hasOwn(body, field));
			const contents = writing.map(({ body }) => writeCanonical(body[field]));
			const undone = writing.filter((_, index) => contents[index] !== contents.at(-1));
			if (undone.length === 0) return [];
			const isWhole = contents.some((content) => /^[[{]/.test(content));
			const items = (isWhole ? writing : undone).map(({ item }) => item);
			return [{ record, field, isWhole, items }];
		});
	});
}

/** @param earlier the item's plan, or its refusal because of another field */
export function refuseContradiction(
	{ record, field }: Contradiction,
	earlier?: Plan,
): ItemRefusedError {
	const known = earlier instanceof ItemRefusedError ? earlier.problems : [];
	const message = `differs between items that change ${record}, and each would undo what the others write. Put all changes into one item`;
	return new ItemRefusedError([...known, { parameter: toTitle(field), message }]);
}

export const lastValueWins =
	'Items that change the same record have different values for one field. The record keeps that of the last item.';

export const skippedVersion =
	'Several items have the same Record ID and Record Version, but other content. Only the first was sent. Leave Record Version empty to compare the content.';

export function refuseSharedKey(key: string, { synced }: PlannedItem): ItemRefusedError {
	if (synced)
		return new ItemRefusedError([
			{
				parameter: 'Record ID',
				message: `${quote(String(synced.output.recordId))} is shared by items with the same Record Version, but different people. Correct it in the source`,
			},
		]);
	const message =
		'is shared by items with different content. Use a value that differs for each item, such as the ID of the event';
	return new ItemRefusedError([{ parameter: `The idempotency key ${quote(key)}`, message }]);
}
