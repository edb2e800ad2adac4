import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { writeWarning } from '../nodeErrors';
import { readSessionInteractions } from '../records/interactions';
import { addFields, pickFields } from '../records/shapes';
import { runTasks } from '../runtime/runTasks';
import type { PolledEvent } from './events';
import type { PolledList } from './list';
import type { PollSettings } from './settings';

/** A record that starts the workflow. */
export interface FoundRecord {
	record: IDataObject;
	/** Its own, in milliseconds, where it has a usable one. */
	date?: number;
	/** The chosen fields that changed: null for a new record, undefined where they are not known. */
	changedFields?: string[] | null;
	interactions?: IDataObject;
}

/**
 * Adds to sessions what the visitor did, if the settings say so.
 * @returns those for which there was time
 */
export async function addInteractions(
	list: PolledList,
	found: FoundRecord[],
): Promise<FoundRecord[]> {
	const { event, settings, deadline, send } = list;
	const { interactionFields: fields, concurrency } = settings;
	if (!event.hasDates || fields.length === 0) return found;
	const tasks = found.map((each) => ({
		run: async () => ({
			...each,
			interactions: await readSessionInteractions(each.record, send, fields),
		}),
	}));
	const results = await runTasks(tasks, concurrency);
	return results.flatMap((result) => {
		if (result.status === 'done') return [result.value];
		if (result.status === 'failed' && !deadline.signal.aborted) throw result.error;
		return [];
	});
}

/** Records without a date come last. */
export function sortByDate(
	found: FoundRecord[],
	order: 'oldest first' | 'newest first',
): FoundRecord[] {
	const sign = order === 'oldest first' ? 1 : -1;
	const rank = ({ date }: FoundRecord) => (date === undefined ? Infinity : sign * date);
	// Two infinite ranks differ by NaN.
	return [...found].sort((a, b) => rank(a) - rank(b) || 0);
}

/** One item per record, in the order given. */
export function toPolledItems(
	{ shape: { simplified } }: PolledEvent,
	{ simplify }: PollSettings,
	found: FoundRecord[],
): INodeExecutionData[] {
	return found.map(({ record, interactions = {}, changedFields }) => {
		const shown = simplify && simplified ? pickFields(record, simplified) : record;
		const more: IDataObject =
			changedFields === undefined ? interactions : { ...interactions, changedFields };
		return { json: addFields(shown, more) };
	});
}

export async function logPollWarning(context: IPollFunctions, what: string): Promise<void> {
	await writeWarning(context, `Page Audience Polling Trigger: ${what}`);
}
