import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { logWarning } from './log';
import type { Lease } from './memory/lease';
import type { Failure, NoticedList, PollAttempt } from './memory/notices';
import type { TriggerMemory } from './memory/triggerMemory';
import type { FollowedList, OpenLists } from './open';
import { type Found, sortByDate } from './output';
import { isPassing } from './reading/pollError';
import { readTurn, skipTurn, type TurnResult } from './readTurn';
import { findStored, type HandOver, storeStates, type StoredState } from './state/stored';

/** What a poll found, and which lists it could not read. */
export interface PollResult {
	found: Found[];
	failures: Failure[];
}

/** A list, and what is known of it. */
interface Recalled {
	scope: string;
	list: FollowedList;
	handOver: HandOver;
	stored?: StoredState;
	state?: StoredState;
	noticed: NoticedList;
}

const nothing: PollResult = { found: [], failures: [] };

/**
 * Recalls what is known of the lists, reads them, and hands n8n their states together with what starts the workflow. A
 * list that cannot be read keeps its state, and does not keep the others from starting the workflow.
 */
export async function findNew(
	context: IPollFunctions,
	memory: TriggerMemory,
	lists: OpenLists,
	attempt: PollAttempt,
	lease: Lease,
): Promise<PollResult> {
	const { notices } = memory;
	const data = context.getWorkflowStaticData('node');
	memory.keepOnly(lists.followed);
	const all = lists.followed.map((list) => recall(list, data, memory));
	// What this poll stored would replace the state that is on its way, of whichever list.
	if (all.some(({ handOver, stored }) => handOver.isUnderWay(stored))) return nothing;
	attempt.lists = all.map(({ noticed }) => noticed);
	const refused = notices.begin(attempt);
	if (refused.length > 0) return { found: [], failures: refused };

	const results = await readAll(memory, lists, all);
	// Another poll took over, because this one hung.
	if (!lease.isCurrent()) return nothing;
	const failures = results.flatMap(({ noticed: list, error }) =>
		error === undefined ? [] : [{ list, error, passes: isPassing(error) }],
	);
	// n8n publishes nothing, and keeps no state.
	if (failures.some(({ list }) => notices.isPublishing(attempt, list)))
		return { found: [], failures };
	for (const warning of new Set(results.flatMap(({ warnings }) => warnings)))
		logWarning(context, warning);
	storeStates(
		data,
		results.map(({ state }) => state),
	);
	for (const { list, handOver, state, found, error } of results) {
		if (state) handOver.note(state, found.length > 0);
		if (error === undefined) notices.succeed(list);
	}
	const found = results.flatMap((result) => result.found);
	return { found: sortByDate(found, 'oldest first'), failures };
}

function recall(list: FollowedList, data: IDataObject, memory: TriggerMemory): Recalled {
	const { scope, identity, settings } = list;
	const handOver = memory.handOverOf(list);
	const stored = findStored(data, scope);
	const state = handOver.findState(stored);
	const noticed = { scope, identity, pageId: settings.pageId, hasState: state !== undefined };
	return { scope, list, handOver, stored, state, noticed };
}

/** @returns each list with what came of it, in the same order */
async function readAll(
	{ turns, accepted }: TriggerMemory,
	lists: OpenLists,
	all: Recalled[],
): Promise<Array<Recalled & TurnResult>> {
	const startedAt = Date.now();
	let wasCut = false;
	const results = await turns.take(all, lists.deadline, async ({ list, state }, turn) => {
		try {
			// Requests of the turn before may still be under way, and would take this one's places.
			if (wasCut) await lists.reopen();
			return await readTurn(lists.take(list, turn), state, startedAt, accepted);
		} catch (error) {
			return { found: [], state, warnings: [], error };
		} finally {
			wasCut = turn.signal.aborted;
		}
	});
	return all.map((each) => ({
		...each,
		...(results.get(each) ?? skipTurn(each.list, each.state, startedAt)),
	}));
}
