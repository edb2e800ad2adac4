import { type ItemResult, outcomeOf } from './result';
import { writeCount, nameItems } from './messages';
import { isDryRun, isValid } from './plan';
import { type Outcome, outcomes, outcomeWords } from './outcome';
import type { Work } from './work';

/** What became of all items. The hint and the report both say it. */
export interface Summary {
	counts: Map<Outcome, number>;
	/** The items that failed. */
	failed: number[];
	/** Whether nothing was changed because of Dry Run. */
	isDryRun: boolean;
	/** How long rate limits held the run back. */
	waitedSeconds: number;
}

/** @param results one per input item */
export async function summarize(work: Work, results: readonly ItemResult[]): Promise<Summary> {
	const counts: Summary['counts'] = new Map();
	const failed: number[] = [];
	for (const [item, result] of results.entries()) {
		if (result.status === 'failed') failed.push(item);
		const outcome = outcomeOf(result);
		if (outcome) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
	}
	const heldBackMs = (await work.findState())?.client.heldBackMs ?? 0;
	return {
		counts,
		failed,
		isDryRun: isDryThroughout(work),
		waitedSeconds: Math.ceil(heldBackMs / 1000),
	};
}

function isDryThroughout({ plans }: Work): boolean {
	return plans.some(isDryRun) && plans.every((plan) => !isValid(plan) || isDryRun(plan));
}

/** E.g. "12 created, 4,870 found, 8 failed (items 3, 7 and 9, counted from 0)": at night nobody scrolls. */
export function describeSummary(
	{ counts, failed, isDryRun: isDry }: Summary,
	total: number,
): string {
	const parts = outcomes.flatMap((outcome) => {
		const count = counts.get(outcome);
		return count === undefined ? [] : [`${writeCount(count)} ${outcomeWords[outcome]}`];
	});
	if (failed.length > 0) {
		const names = failed.length < total ? ` (${nameItems(failed)})` : '';
		parts.push(`${writeCount(failed.length)} failed${names}`);
	}
	return `${isDry ? 'Dry run, nothing was changed: ' : ''}${parts.join(', ') || 'no items'}`;
}
