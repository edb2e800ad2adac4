import type { IDataObject } from 'n8n-workflow';
import { readKey } from '../../api/request';
import { quote } from '../../parameters/checks';
import { ItemRefusedError, type Problem } from '../../parameters/problem';
import { writeCanonical } from '../../runtime/canonical';
import { groupBy } from '../../runtime/groupBy';
import { toTitle } from '../../records/shapes';
import type { Plan, PlannedItem } from './model';

/* Mistakes that only show when all items are seen together. */

/**
 * Refuses what is wrong among items that are each valid: entries with one idempotency key, of which the service would keep
 * one, and updates that replace a list or an object of one record differently, of which the last would undo the others.
 */
export function refuseAcrossItems(plans: Plan[]): void {
	const valid = plans.flatMap((plan) => (plan instanceof Error ? [] : [plan]));
	const problems = new Map<number, Problem[]>();
	const refuse = (group: PlannedItem[], problem: Problem) => {
		for (const { item } of group) problems.set(item, [...(problems.get(item) ?? []), problem]);
	};
	for (const [key, group] of groupBy(valid, ({ request }) => readKey(request))) {
		const problem = key === undefined ? undefined : describeSharedKey(key, group);
		if (problem) refuse(group, problem);
	}
	for (const [record, group] of groupBy(valid, readUpdated)) {
		if (record === undefined) continue;
		for (const field of new Set(group.flatMap(({ request }) => Object.keys(request.body ?? {})))) {
			const writing = group.filter(({ request }) => Object.hasOwn(request.body ?? {}, field));
			const contents = writing.map(({ request }) =>
				writeCanonical((request.body as IDataObject)[field]),
			);
			// Of other values, the last one counts, as if the items came in different runs.
			const isWhole = contents.some((content) => /^[[{]/.test(content));
			if (!isWhole || new Set(contents).size === 1) continue;
			const message = `differs between items that change ${record}, and each would undo what the others write. Put all changes into one item`;
			refuse(writing, { parameter: toTitle(field), message });
		}
	}
	for (const [item, found] of problems) plans[item] = new ItemRefusedError(found);
}

function readUpdated({ request, changes }: PlannedItem): string | undefined {
	return request.method === 'PATCH' ? changes()[0] : undefined;
}

function describeSharedKey(key: string, [first, ...others]: PlannedItem[]): Problem | undefined {
	// Of a synced record that comes again, the first item is sent and the others are skipped.
	if (first?.synced) {
		const { changes, synced } = first;
		if (!others.some((each) => isForOther(changes(), each.changes()))) return undefined;
		const message = `${quote(String(synced.output.recordId))} is shared by items with the same Record Version, but different people. Correct it in the source`;
		return { parameter: 'Options > Only New or Changed Records > Record ID', message };
	}
	const contents = [first, ...others].map((each) => writeCanonical(each?.request.body));
	if (new Set(contents).size === 1) return undefined;
	const message =
		'is shared by items with different content. Use a value that differs for each item, such as the ID of the event';
	return { parameter: `The idempotency key ${quote(key)}`, message };
}

/** Whether two items are for two people: by their emails, for example, and nothing that they share. */
function isForOther(people: readonly string[], others: readonly string[]): boolean {
	const kindOf = (name: string) => name.split(' ', 1)[0];
	const kinds = others.map(kindOf);
	return (
		!people.some((name) => others.includes(name)) &&
		people.some((name) => kinds.includes(kindOf(name)))
	);
}
