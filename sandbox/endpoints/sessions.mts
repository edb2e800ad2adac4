import type { Guesses } from '../guesses.mts';
import type { AudienceSession } from '../records.mts';
import { Randomness } from '../store/randomness.mts';
import type { Call } from './call.mts';
import { findPage } from './pages.mts';
import { readStart, takeByCursor } from './paging.mts';

/** Tells which sessions started in a period. */
function readPeriod(
	{ startDate, endDate }: Call<'getPageAnalyticsSummary'>['query'],
	{ periodEdges }: Guesses,
): (session: AudienceSession) => boolean {
	if (startDate === undefined && endDate === undefined) return () => true;
	const startMs = startDate === undefined ? -Infinity : Date.parse(startDate);
	const endMs = endDate === undefined ? Infinity : Date.parse(endDate);
	const [hasStart, hasEnd] = ['start', 'end'].map((edge) => ['both', edge].includes(periodEdges));
	return ({ sessionStartedAt }) => {
		const startedMs = Date.parse(sessionStartedAt);
		if (startedMs === startMs && !hasStart) return false;
		if (startedMs === endMs && !hasEnd) return false;
		return startedMs >= startMs && startedMs <= endMs;
	};
}

/** The positions of sessions in the order of a list. The same listing number shuffles in the same way. */
function orderSessions(
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

export function listAudienceSessions(call: Call<'listAudienceSessions'>) {
	const { store, params, query, guesses } = call;
	const sessions = store.sessions.of(findPage(store, params.page_id).pageId);
	const isNew = guesses.sessionOrder === 'shuffled' && query.cursor === undefined;
	const listing = isNew ? store.randomness.between(1, 1e9) : readStart(query).listing;
	return takeByCursor(sessions, query, guesses, {
		isFound: readPeriod(query, guesses),
		order: orderSessions(sessions, guesses.sessionOrder, listing),
		listing,
	});
}

export function getPageAnalyticsSummary(call: Call<'getPageAnalyticsSummary'>) {
	const { store, params, query, guesses } = call;
	const { pageId } = findPage(store, params.page_id);
	const sessions = store.sessions.of(pageId).filter(readPeriod(query, guesses));
	const average = (measure: (session: AudienceSession) => number) =>
		sessions.length === 0
			? null
			: sessions.reduce((total, session) => total + measure(session), 0) / sessions.length;
	const rate = (isCounted: (session: AudienceSession) => boolean) =>
		average((session) => (isCounted(session) ? 1 : 0)) ?? 0;
	return {
		avgInteractionsPerSession:
			average(({ audienceSessionId }) => store.interactions.of(audienceSessionId).length) ?? 0,
		avgScrollDepthPercentage: average((session) => session.maxScrollDepthPercentage),
		avgTimeSpentSeconds: average((session) => session.timeSpentSeconds),
		bounceRate: rate((session) => session.isBounce),
		conversionRate: rate((session) => session.hasConversion),
		formSubmitRate: rate((session) => session.hasFormSubmit),
		totalSessions: sessions.length,
	};
}

export function listSessionInteractions({ store, params }: Call<'listSessionInteractions'>) {
	const sessionId = params.audience_session_id;
	// A 404 would leave `found` without a purpose.
	if (!store.sessions.get(sessionId)) return { found: false, interactions: [] };
	const recorded = store.interactions.of(sessionId);
	return { found: true, interactions: recorded.map(({ interaction }) => interaction) };
}
