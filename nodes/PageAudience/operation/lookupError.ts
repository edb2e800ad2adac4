import type { IDataObject } from 'n8n-workflow';
import { enumerate } from '../../api/enumerate';
import type { DetailedError } from '../../errors';

/** A look at what exists that does not tell what to do. */
export class LookupError extends Error implements DetailedError {
	readonly description: string;

	readonly details: IDataObject;

	constructor(message: string, description: string, details: IDataObject = {}) {
		super(message);
		this.description = description;
		this.details = details;
	}
}

/** Several records have the value that one was looked up by. Its details hold their IDs. */
export class SeveralRecordsError extends LookupError {}

const mostNamed = 5;

/** IDs for a message; more than a few are only counted. */
export function nameSome(ids: string[]): string {
	return ids.length > mostNamed ? enumerate(ids, mostNamed) : ids.join(', ');
}
