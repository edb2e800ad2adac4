import type { IExecuteFunctions } from 'n8n-workflow';
import { readKey } from '../../api/request';
import { quote } from '../../parameters/checks';
import { listMappedFields } from '../../parameters/mapping';
import { ItemRefusedError } from '../../parameters/problem';
import { writeCanonical } from '../../runtime/canonical';
import type { Operation } from '../operation/operation';
import type { ItemResult, Plan, PlannedItem, Run } from './model';

/*
 * Mistakes that no single item shows: a field that is missing from all items, or a key that several items share.
 */

/** Says which fields the panel is mapped to although no item has them: their parameters are empty. */
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

/** A search without a match outputs nothing. Among many searches, only a hint shows which one found nothing. */
export function tellEmptySearches({ plans, hints }: Run, results: readonly ItemResult[]): void {
	for (const [item, plan] of plans.entries()) {
		const isSearch = !(plan instanceof Error) && plan.request.query?.query !== undefined;
		const result = results[item];
		if (isSearch && result?.status === 'done' && result.value.records.length === 0)
			hints.add('The search found nothing.', item);
	}
}

/** Items that share a key, but not the content: the service would keep one of them. Of a synced record, the first is sent. */
export function listSharedKeys(plans: readonly Plan[]): Array<{ key: string; plan: PlannedItem }> {
	const byKey = new Map<string, PlannedItem[]>();
	for (const plan of plans) {
		const key = plan instanceof Error ? undefined : readKey(plan.request);
		if (plan instanceof Error || key === undefined) continue;
		const sharing = byKey.get(key);
		if (sharing) sharing.push(plan);
		else byKey.set(key, [plan]);
	}
	return [...byKey].flatMap(([key, [first, ...others]]) => {
		if (!first || others.length === 0) return [];
		const content = writeCanonical(first.request.body);
		const differing = others.filter(({ request }) => writeCanonical(request.body) !== content);
		if (differing.length === 0) return [];
		return (first.synced ? differing : [first, ...others]).map((plan) => ({ key, plan }));
	});
}

export const skippedVersion =
	'Several items have the same Record ID and Record Version, but other content. Only the first was sent. Leave Record Version empty to compare the content.';

export function refuseSharedKey(key: string): ItemRefusedError {
	const message =
		'is shared by items with different content. Use a value that differs for each item, such as the ID of the event';
	return new ItemRefusedError([{ parameter: `The idempotency key ${quote(key)}`, message }]);
}
