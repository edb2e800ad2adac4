import type { INodeParameters, NodeParameterValueType } from 'n8n-workflow';

// Entries of Options that have several fields, as n8n stores them.

export const requestLimits = (value: INodeParameters) => ({ requests: { value } });

export const asFile = (format: 'csv' | 'jsonl' = 'csv', more: INodeParameters = {}) => ({
	file: { value: { format, ...more } },
});

export const onlyNewOrChanged = (recordId: NodeParameterValueType, more: INodeParameters = {}) => ({
	onlyNewOrChanged: { value: { recordId, ...more } },
});

/** Duplicate Detection: by a key of one's own, if there is one. */
export const detectBy = (mode: string, key?: NodeParameterValueType) => ({
	idempotency: { value: { mode, ...(key !== undefined && { key }) } },
});

/** Existing Records of the polling trigger: all, or those from a date on. */
export const existingRecords = (startDate?: string) => ({
	existingRecords: {
		value: startDate === undefined ? { from: 'all' } : { from: 'date', startDate },
	},
});
