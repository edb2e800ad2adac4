import type { IDataObject } from 'n8n-workflow';
import type { WritingPlan } from './plan';

/** What becomes of an item that writes, with the words of a summary, in its order. */
export const outcomeWords = {
	created: 'created',
	updated: 'updated',
	wouldCreate: 'would be created',
	wouldUpdate: 'would be updated',
	found: 'found',
	unchanged: 'unchanged',
	written: 'written',
	wouldWrite: 'would be written',
	skipped: 'skipped',
} as const;

export type Outcome = keyof typeof outcomeWords;

export const outcomes = Object.keys(outcomeWords) as Outcome[];

/** Of an item that was executed. Only an operation of several requests has several, and its record names its own. */
export function readOutcome({ operation }: WritingPlan, [record]: IDataObject[]): Outcome {
	const named = operation.ensure && outcomes.find((outcome) => outcome === record?.outcome);
	return named ?? 'written';
}

/** Whether the item's values are in the service now. */
export function isWritten(outcome: Outcome | undefined): boolean {
	return outcome === 'created' || outcome === 'updated' || outcome === 'written';
}
