import { runTasks } from '../../runtime/runTasks';
import { readSessionInteractions } from '../../records/interactions';
import type { PolledList } from '../open';
import type { Found } from '../output';

/**
 * The records with what the settings add to them, in the same order: sessions with their interactions.
 * @returns without those for which there was no time before the deadline
 */
export async function complete(list: PolledList, records: Found[]): Promise<Found[]> {
	const { settings, event, deadline } = list;
	const { interactionFields: fields } = settings;
	if (!event.hasDates || fields.length === 0) return records;
	const tasks = records.map((session) => ({
		locks: [],
		run: async (): Promise<Found> => {
			const reading = readSessionInteractions(session.record, list.send, fields);
			return { ...session, interactions: await deadline.keep(reading) };
		},
	}));
	const results = await runTasks(tasks, settings.concurrency, () => false);
	return results.flatMap((result) => {
		if (result.status === 'done') return [result.value];
		if (result.status === 'failed' && !deadline.isCause(result.error)) throw result.error;
		return [];
	});
}
