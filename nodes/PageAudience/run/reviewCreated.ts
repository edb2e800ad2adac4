import { shareFinder } from './ensure';
import { isOver } from './execute';
import { openCall } from './openCall';
import { isDryRun } from './plan';
import type { ItemResult } from './result';
import type { Work } from './work';

/** The second look of an operation that creates only what is missing, once everything was written. */
export async function reviewCreated(work: Work, results: ItemResult[]): Promise<void> {
	const { operation, plans, options } = work;
	if (!operation.ensure || !(await work.findState()) || isOver(work, results)) return;
	const created = results.flatMap((result, item) => {
		const plan = plans[item];
		if (result.status !== 'done' || !plan || isDryRun(plan)) return [];
		if (plan.kind !== 'ensure') return [];
		return result.value.records
			.filter(({ outcome }) => outcome === 'created')
			.map((record) => ({ values: plan.values, record }));
	});
	if (created.length === 0) return;
	const call = openCall(await work.openState(), options);
	await shareFinder(call, operation.ensure).review?.(created);
}
