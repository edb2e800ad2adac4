import type { IDataObject } from 'n8n-workflow';
import type { ItemResult } from './result';
import { listItems } from './messages';

/** How a summary calls what became of an item, in this order. */
const words = [
	['created', 'created'],
	['updated', 'updated'],
	['found', 'found'],
	['unchanged', 'unchanged'],
	['written', 'written'],
	['alreadyWritten', 'skipped'],
	['wouldCreate', 'would be created'],
	['wouldUpdate', 'would be updated'],
	['wouldSend', 'would be sent'],
	['unlessAlreadyWritten', 'would be sent unless already written'],
] as const;

/**
 * What became of all items, e.g. "12 created, 4,870 found, 8 failed (items 3, 7 and 9)": at night nobody scrolls.
 * @param results one per input item
 */
export function summarize(results: readonly ItemResult[], isDryRun: boolean): string {
	const counts = new Map<string, number>();
	const failed: number[] = [];
	for (const [item, result] of results.entries()) {
		if (result.status === 'failed') failed.push(item);
		if (result.status !== 'done') continue;
		for (const record of result.value.records) {
			const outcome = readOutcome(record);
			counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
		}
	}
	const parts = words.flatMap(([outcome, word]) => {
		const count = counts.get(outcome);
		return count === undefined ? [] : [`${count.toLocaleString('en-US')} ${word}`];
	});
	if (failed.length > 0)
		parts.push(`${failed.length.toLocaleString('en-US')} failed (${listItems(failed)})`);
	return `${isDryRun ? 'Dry run, nothing was changed: ' : ''}${parts.join(', ') || 'no items'}`;
}

/** Outcomes of records that were not written. */
const unwritten: string[] = words
	.map(([outcome]) => outcome)
	.filter((outcome) => !['created', 'updated', 'written'].includes(outcome));

/** Whether an output record is one that the node has written. */
export function isWritten(record: IDataObject): boolean {
	return !unwritten.includes(readOutcome(record));
}

/** Outcomes of items whose values are neither sent nor would be. */
const unsent = ['found', 'unchanged', 'alreadyWritten'];

/** Whether the values of an item were sent, or would be. The service may have refused them. */
export function isSentAsGiven(result: ItemResult | undefined): boolean {
	if (result?.status !== 'done') return result?.status === 'failed';
	return result.value.records.some((record) => !unsent.includes(readOutcome(record)));
}

function readOutcome({ outcome, alreadyWritten, dryRun }: IDataObject): string {
	if (typeof outcome === 'string') return outcome;
	if (alreadyWritten === true) return 'alreadyWritten';
	return dryRun === true ? 'wouldSend' : 'written';
}
