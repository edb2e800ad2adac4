import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { pickFields } from '../records/shape';
import type { SessionInteractions } from '../records/sessionInteractions';
import type { PolledEvent } from './events';
import type { Settings } from './settings';
import type { Sighting } from './state/sighting';

/** A record that starts the workflow. */
export interface Found extends Sighting<IDataObject> {
	interactions?: SessionInteractions;
}

/** One item per record, in the order given. */
export function toItems(
	found: Found[],
	{ shape }: PolledEvent,
	{ simplify }: Settings,
): INodeExecutionData[] {
	const { simplified } = shape;
	return found.map(({ record, interactions = {} }) => {
		const shown = simplify && simplified ? pickFields(record, simplified) : record;
		// A field of the API is never replaced.
		const added = Object.entries(interactions).filter(([name]) => !(name in shown));
		return { json: { ...shown, ...Object.fromEntries(added) } };
	});
}

/** Records without a date come last. */
export function sortByDate(found: Found[], order: 'oldest first' | 'newest first'): Found[] {
	const sign = order === 'oldest first' ? 1 : -1;
	const rank = ({ at }: Found) => (at === undefined ? Infinity : sign * at);
	return [...found].sort((a, b) => compare(rank(a), rank(b)));
}

function compare(a: number, b: number): number {
	return a === b ? 0 : a < b ? -1 : 1;
}
