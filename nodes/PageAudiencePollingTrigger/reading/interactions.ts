import { runTasks } from '../../runtime/runTasks';
import { readSessionInteractions } from '../../records/sessionInteractions';
import type { Found } from '../output';
import type { Settings } from '../settings';
import type { Deadline } from './deadline';
import type { PollClient } from './target';

/** Retries of each request of a poll, as everywhere in the nodes by default. */
export const maxRetries = 3;

/**
 * The sessions with their interactions, in the same order.
 * @returns without those that were not read before the deadline
 */
export async function addInteractions(
	sessions: Found[],
	client: PollClient,
	{ timeoutMs, concurrency }: Pick<Settings, 'timeoutMs' | 'concurrency'>,
	deadline: Deadline,
): Promise<Found[]> {
	const tasks = sessions.map((session) => ({
		keys: [],
		run: async (): Promise<Found> => {
			const timeout = Math.min(timeoutMs, deadline.leftMs);
			const reading = readSessionInteractions(
				session.record,
				async (request) => await client.send(request, { timeoutMs: timeout, maxRetries }),
			);
			return { ...session, interactions: await deadline.keep(reading) };
		},
	}));
	const results = await runTasks(tasks, concurrency, () => false);
	return results.flatMap((result) => {
		if (result.status === 'done') return [result.value];
		if (result.status === 'failed' && !deadline.isCause(result.error)) throw result.error;
		return [];
	});
}
