import type { IBinaryKeyData, IDataObject } from 'n8n-workflow';
import type { Result } from '../../runtime/runTasks';

/** What became of one item. */
export interface ItemOutput {
	records: IDataObject[];
	/** The file that a list became. */
	binary?: IBinaryKeyData;
}

export type ItemResult = Result<ItemOutput>;
