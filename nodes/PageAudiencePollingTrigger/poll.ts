import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { tellFailure } from './failing';
import { fetchNewest } from './fetchNewest';
import { findNew } from './findNew';
import { readBudget } from './memory/lease';
import type { PollAttempt } from './memory/notices';
import { memoryOf, TriggerMemory } from './memory/triggerMemory';
import { openList } from './open';
import { toItems } from './output';
import { readSettings } from './settings';

/** @returns null if nothing is new, so that n8n executes nothing */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const isTest = context.getMode() === 'manual';
	// A test knows nothing of the polls, and leaves nothing to them.
	const memory = isTest ? new TriggerMemory() : memoryOf(context);
	const lease = memory.leases.take(readBudget(context, memory.notices.isFirst));
	if (!lease) return null;
	const isByPerson = isTest || ['activate', 'update'].includes(context.getActivationMode());
	const attempt: PollAttempt = { isByPerson };
	try {
		const settings = readSettings(context);
		attempt.hasSettings = true;
		const list = await openList(context, settings, lease.deadline);
		const found = isTest
			? await fetchNewest(list)
			: await findNew(context, memory, list, attempt, lease);
		return isTest || found.length > 0 ? [toItems(list, found)] : null;
	} catch (error) {
		if (lease.isCurrent()) tellFailure(context, memory.notices, attempt, error);
		return null;
	} finally {
		lease.end();
	}
}
