import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { toThrown } from '../errors';
import { toError } from '../parameters/problem';
import { joinFailures } from './failures';
import { fetchNewest } from './fetchNewest';
import { findNew } from './findNew';
import { logWarning } from './log';
import { type Lease, readBudget } from './memory/lease';
import type { Failure, PollAttempt } from './memory/notices';
import { memoryOf, TriggerMemory } from './memory/triggerMemory';
import { openLists } from './open';
import { toItems } from './output';
import { isPassing } from './reading/pollError';
import { readSettings } from './settings';

/** What a poll returns, and what it could not read. */
interface Outcome {
	items: INodeExecutionData[];
	failures: Failure[];
}

/** @returns null if nothing is new, so that n8n executes nothing */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const isTest = context.getMode() === 'manual';
	// A test knows nothing of the polls, and leaves nothing to them.
	const memory = isTest ? new TriggerMemory() : memoryOf(context);
	const { isFirst } = memory.notices;
	const lease = memory.leases.take(readBudget(context, isFirst));
	if (!lease) return null;
	const isByPerson = isTest || ['activate', 'update'].includes(context.getActivationMode());
	const attempt: PollAttempt = { isByPerson, isFirst };
	const { items, failures } = await read(context, memory, attempt, lease)
		.catch((error: unknown): Outcome => {
			const failed = { error, passes: isPassing(error) };
			return { items: [], failures: lease.isCurrent() ? [failed] : [] };
		})
		.finally(lease.end);
	const [failure, ...others] = failures;
	if (failure) {
		const error = joinFailures([failure, ...others], attempt.lists?.length ?? 1);
		// A poll that throws starts no workflow.
		if (items.length === 0 && memory.notices.fail(attempt, failures))
			throw toThrown(context.getNode(), error);
		logWarning(context, `${toError(error).message}. The next poll retries.`);
	}
	return items.length > 0 ? [items] : null;
}

async function read(
	context: IPollFunctions,
	memory: TriggerMemory,
	attempt: PollAttempt,
	lease: Lease,
): Promise<Outcome> {
	const settings = readSettings(context);
	attempt.hasSettings = true;
	const lists = await openLists(context, settings, lease.deadline);
	const { found, failures } =
		context.getMode() === 'manual'
			? { found: await fetchNewest(context, lists), failures: [] }
			: await findNew(context, memory, lists, attempt, lease);
	return { items: toItems(lists, found), failures };
}
