import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { pickFields } from '../records/shapes';
import type { OpenLists } from './open';
import type { Sighting } from './state/sighting';

/** A record that starts the workflow. */
export interface Found extends Sighting<IDataObject> {
	interactions?: IDataObject;
}

/** One item per record, in the order given. */
export function toItems({ event, settings }: OpenLists, found: Found[]): INodeExecutionData[] {
	const { simplified } = event.shape;
	return found.map(({ record, interactions = {}, changedFields }) => {
		const shown = settings.simplify && simplified ? pickFields(record, simplified) : record;
		const more: IDataObject =
			changedFields === undefined ? interactions : { ...interactions, changedFields };
		// A field of the API is never replaced.
		const added = Object.entries(more).filter(([name]) => !(name in shown));
		return { json: { ...shown, ...Object.fromEntries(added) } };
	});
}

/** Records without a date come last. */
export function sortByDate(found: Found[], order: 'oldest first' | 'newest first'): Found[] {
	const sign = order === 'oldest first' ? 1 : -1;
	const rank = ({ at }: Found) => (at === undefined ? Infinity : sign * at);
	// Two infinite ranks differ by NaN.
	return [...found].sort((a, b) => rank(a) - rank(b) || 0);
}
