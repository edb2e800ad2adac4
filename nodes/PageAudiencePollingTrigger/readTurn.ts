import type { AcceptedLimit } from '../api/paginate';
import type { FollowedList, PolledList } from './open';
import type { Found } from './output';
import { carryOver } from './reading/carryOver';
import { PollError } from './reading/pollError';
import { scan } from './scan';
import { beginReading, type History, isSetBack, noHistory } from './state/history';
import { readHistory, type StoredState, writeState } from './state/stored';

/** What a poll found out about a list. */
export interface TurnResult {
	found: Found[];
	/** What is known of the list then. */
	state?: StoredState;
	/** For n8n's log. */
	warnings: string[];
	error?: unknown;
}

/**
 * Reads a list until the end of its turn.
 * @param state what is known of it
 * @param startedAt when the poll began
 */
export async function readTurn(
	list: PolledList,
	state: StoredState | undefined,
	startedAt: number,
	accepted: AcceptedLimit,
): Promise<TurnResult> {
	const last = readHistory(state, list.rules.fields);
	const isOtherKey = state?.key !== undefined && state.key !== list.key;
	const known = isOtherKey ? await carryOver(list, last, accepted) : last;
	const isClockBack = !known.open && list.event.hasDates && isSetBack(known, startedAt);
	const { found, history } = await scan(list, known, accepted, startedAt);
	const isSame = state?.key === list.key && history === known;
	// The next poll may continue all the same.
	const isEndless = found.length === 0 && (history.open?.restarts ?? 0) > 1;
	return {
		found,
		state: state && isSame ? state : write(list, history, state),
		warnings: [
			...(isOtherKey && known.open?.takesStock ? [otherTenant] : []),
			...(isClockBack ? [clockBack] : []),
		],
		...(isEndless ? { error: neverEnds() } : {}),
	};
}

/** A list for which there was no time. What appears before its first turn must not seem to have existed. */
export function skipTurn(
	list: FollowedList,
	state: StoredState | undefined,
	startedAt: number,
): TurnResult {
	const begun = { ...noHistory, open: beginReading(noHistory, list.rules, startedAt) };
	return { found: [], state: state ?? write(list, begun), warnings: [] };
}

function write(
	{ scope, key, rules: { fields } }: FollowedList,
	history: History,
	before?: StoredState,
): StoredState {
	const writtenAt = Math.max(Date.now(), (before?.writtenAt ?? 0) + 1);
	return writeState({ scope, key, fields }, history, writtenAt);
}

const otherTenant =
	'The API key has changed, and none of the known records exists any more. Existing records do not start the workflow.';

const clockBack =
	'The clock of n8n was set back. Sessions from the time when it was ahead may be missed. New sessions start the workflow.';

function neverEnds(): PollError {
	return new PollError(
		'The list takes longer to read than a poll may take',
		'The service does not continue in the next poll either. For sessions, set Options > Look Back to fewer hours.',
		false,
	);
}
