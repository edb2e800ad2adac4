import type { IPollFunctions } from 'n8n-workflow';
import { logWarning } from './log';
import type { Lease } from './memory/lease';
import type { PollAttempt } from './memory/notices';
import type { TriggerMemory } from './memory/triggerMemory';
import type { PolledList } from './open';
import { type Found, sortByDate } from './output';
import { carryOver } from './reading/carryOver';
import { PollError } from './reading/pollError';
import { scan } from './scan';
import { isSetBack } from './state/history';
import { readHistory, readState, writeState } from './state/stored';

/** Recalls what is known of the list, scans it, and hands n8n the state together with what starts the workflow. */
export async function findNew(
	context: IPollFunctions,
	{ handOver, notices, accepted }: TriggerMemory,
	list: PolledList,
	attempt: PollAttempt,
	lease: Lease,
): Promise<Found[]> {
	const { scope } = list;
	const data = context.getWorkflowStaticData('node');
	const stored = readState(data.state, scope);
	if (handOver.isUnderWay(stored, scope)) return [];
	const state = handOver.findState(stored, scope);
	const last = readHistory(state);
	notices.begin(Object.assign(attempt, { list, hasState: state !== undefined }));
	const isOtherKey = state?.key !== undefined && state.key !== list.key;
	const known = isOtherKey ? await carryOver(list, last, accepted) : last;
	const isClockBack = !known.open && list.event.hasDates && isSetBack(known, Date.now());
	const { found, history } = await scan(list, known, accepted);
	// Another poll took over, because this one hung.
	if (!lease.isCurrent()) return [];
	if (isOtherKey && known.open?.takesStock) logWarning(context, otherTenant);
	if (isClockBack) logWarning(context, clockBack);

	const writtenAt = Math.max(Date.now(), (state?.writtenAt ?? 0) + 1);
	const isSame = state?.key === list.key && history === known;
	const next = state && isSame ? state : writeState(scope, history, writtenAt, list.key);
	// As a whole: n8n notices changes at the top only. A state of this process alone is handed to n8n too.
	if (readState(data.state, scope)?.writtenAt !== next.writtenAt) data.state = next;
	handOver.note(next, found.length > 0);
	// Only now, so that the next poll may continue from here all the same.
	if (found.length === 0 && (history.open?.restarts ?? 0) > 1) throw neverEnds();
	notices.succeed(attempt);
	return sortByDate(found, 'oldest first');
}

const otherTenant =
	'The API key is another one, and none of the known records is there any more. Records that exist now do not start the workflow.';

const clockBack =
	'The clock of n8n was set back. Sessions from while it was ahead may be missed. New sessions start the workflow.';

function neverEnds(): PollError {
	return new PollError(
		'The list takes longer to read than a poll may take',
		'The service does not continue in the next poll either. For sessions, set Options > Look Back to fewer hours.',
		false,
	);
}
