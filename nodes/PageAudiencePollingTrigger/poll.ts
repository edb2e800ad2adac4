import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { tellFailure } from './failing';
import { fetchNewest } from './fetchNewest';
import { readBudget } from './memory/lease';
import { PollAttempt } from './memory/notices';
import { memoryOf, TriggerMemory } from './memory/triggerMemory';
import { openList } from './open';
import { recall } from './recall';
import { scan } from './scan';
import { readSettings } from './settings';
import { store } from './store';

/** @returns null if nothing is new, so that n8n executes nothing */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const isTest = context.getMode() === 'manual';
	// A test knows nothing of the polls, and leaves nothing to them.
	const memory = isTest ? new TriggerMemory() : memoryOf(context);
	const lease = memory.leases.take(readBudget(context, memory.notices.isFirst));
	if (!lease) return null;
	const attempt = new PollAttempt(memory.notices, context);
	try {
		const settings = readSettings(context);
		attempt.hasSettings = true;
		const list = await openList(context, settings, lease.deadline);
		if (isTest) return [await fetchNewest(list)];
		const recalled = recall(context, memory.handOver, list);
		if (!recalled) return null;
		attempt.begin(list, recalled.state !== undefined);
		const scanned = await scan(list, recalled.history, memory.accepted);
		// Another poll took over, because this one hung.
		if (!lease.isCurrent()) return null;
		attempt.succeed();
		return store(context, memory.handOver, list, recalled, scanned);
	} catch (error) {
		if (lease.isCurrent()) tellFailure(context, attempt, error);
		return null;
	} finally {
		lease.end();
	}
}
