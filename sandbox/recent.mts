import type { Store } from './store/store.mts';

const hourMs = 60 * 60_000;
const hoursBetweenSessions = 6;
const hoursBetweenActivities = 3;

/**
 * Moves the seed's sessions and activities, whose dates are fixed, into the past weeks: the starter workflows ask for
 * what happened lately.
 */
export function moveToRecentWeeks(store: Store): void {
	for (const { pageId } of store.pages) {
		eachFromNewest(store.sessions.of(pageId), hoursBetweenSessions, (session, startMs) => {
			const shiftMs = startMs - Date.parse(session.sessionStartedAt);
			for (const { interaction } of store.interactions.of(session.audienceSessionId)) {
				interaction.timestamp += shiftMs;
			}
			session.sessionStartedAt = writeMoment(startMs);
			session.sessionEndedAt = writeMoment(startMs + session.timeSpentSeconds * 1000);
		});
	}
	for (const account of store.accounts) {
		const there = store.activities
			.of(account.accountId)
			.filter(({ deletedAt }) => deletedAt === null);
		eachFromNewest(there, hoursBetweenActivities, (activity, ms) => {
			activity.createdAt = activity.updatedAt = writeMoment(ms);
		});
		account.latestActivityAt = there.at(-1)?.createdAt ?? null;
	}
}

/** Places the newest record an hour ago, and each other one some hours before the next. */
function eachFromNewest<T>(
	records: readonly T[],
	hoursBetween: number,
	act: (record: T, ms: number) => void,
): void {
	const newestMs = Date.now() - hourMs;
	[...records].reverse().forEach((record, number) => {
		act(record, newestMs - number * hoursBetween * hourMs);
	});
}

const writeMoment = (ms: number): string => new Date(ms).toISOString();
