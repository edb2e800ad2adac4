import type { Run } from './open';
import type { EnsurePlan, Plan } from './plan';

/**
 * Items that want one record differently would change it back and forth in every run. So all of them write what the last
 * one wants, which is what the record would end with.
 */
export function resolveConflicts({ hints }: Pick<Run, 'hints'>, plans: Plan[]): Plan[] {
	const resolved = [...plans];
	const lastOf = new Map<string, { plan: EnsurePlan; item: number }>();
	for (const [item, plan] of [...plans.entries()].reverse()) {
		if (plan.kind !== 'ensure') continue;
		// What is only shown decides nothing that is written.
		const record = JSON.stringify([plan.isDryRun, plan.changes]);
		const last = lastOf.get(record);
		if (!last) lastOf.set(record, { plan, item });
		else if (wantsAnother(plan, last.plan)) {
			const { request, values, operation } = last.plan;
			for (const each of [item, last.item])
				hints.add('conflict', operation.ensure.describeConflict?.(values), each);
			resolved[item] = { ...plan, request, values: { ...values, options: plan.values.options } };
		}
	}
	return resolved;
}

/** Whether the plan would change the record that the last one leaves behind. */
function wantsAnother({ operation, values }: EnsurePlan, { request }: EnsurePlan): boolean {
	return operation.ensure.update?.({ ...request.body }, values) !== undefined;
}
