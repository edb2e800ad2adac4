import type { IBinaryKeyData, IDataObject } from 'n8n-workflow';
import type { Result } from '../../runtime/runTasks';
import type { Outcome } from './outcome';

/** What an item that was executed outputs. */
export interface ItemOutput {
	records: IDataObject[];
	/** Of an operation that writes. */
	outcome?: Outcome;
	/** The file that a list became. */
	binary?: IBinaryKeyData;
}

export type ItemResult = Result<ItemOutput>;

/** What became of an item that writes; undefined where it has not come to its end. */
export function outcomeOf(result: ItemResult | undefined): Outcome | undefined {
	return result?.status === 'done' ? result.value.outcome : undefined;
}
