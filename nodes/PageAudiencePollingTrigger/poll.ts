import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { toThrown } from '../errors';
import { toError } from '../parameters/problem';
import { fetchNewest } from './fetchNewest';
import { findNew } from './findNew';
import { logWarning } from './log';
import { readBudget } from './memory/lease';
import type { Notices, PollAttempt } from './memory/notices';
import { memoryOf, TriggerMemory } from './memory/triggerMemory';
import { openList } from './open';
import { toItems } from './output';
import { isPassing } from './reading/pollError';
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

/** @throws what n8n is told; otherwise the log alone is */
function tellFailure(
	context: IPollFunctions,
	notices: Notices,
	attempt: PollAttempt,
	error: unknown,
): void {
	if (notices.fail(attempt, error, isPassing(error))) throw toThrown(context.getNode(), error);
	logWarning(context, `${toError(error).message}. The next poll retries.`);
}
