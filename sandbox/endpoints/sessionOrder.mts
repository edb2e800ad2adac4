import type { Guesses } from '../guesses.mts';
import type { AudienceSession } from '../records/index.mts';
import { Randomness } from '../store/randomness.mts';

/** The positions of sessions in the order of a list. The same listing number shuffles in the same way. */
export function orderSessions(
	sessions: readonly AudienceSession[],
	order: Guesses['sessionOrder'],
	listing: number,
): number[] {
	const positions = [...sessions.keys()];
	if (order === 'shuffled') {
		// Each position has its own weight, so that a new session does not move the others.
		const weights = sessions.map((_, position) => new Randomness(listing + position).next());
		return positions.sort((one, other) => weights[one] - weights[other]);
	}
	// All moments have the same format, and comparing texts is several times faster than parsing them.
	const compare = (one: number, other: number): number => {
		const start = sessions[one].sessionStartedAt;
		const otherStart = sessions[other].sessionStartedAt;
		return start === otherStart ? one - other : start < otherStart ? -1 : 1;
	};
	return positions.sort(order === 'oldestFirst' ? compare : (one, other) => compare(other, one));
}
