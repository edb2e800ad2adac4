import { interactionsOfUnknownSession, isWithin, rate, type Guesses } from '../guesses.mts';
import type { AudienceSession } from '../records/index.mts';
import type { Call, Query } from './call.mts';
import { findPage } from './pages.mts';
import { readStart, takeByCursor } from './paging.mts';
import { orderSessions } from './sessionOrder.mts';

function readPeriod({ startDate, endDate }: Query, guesses: Guesses) {
	const startMs = startDate === undefined ? undefined : Date.parse(startDate);
	const endMs = endDate === undefined ? undefined : Date.parse(endDate);
	return isWithin(startMs, endMs, guesses);
}

export function listAudienceSessions({ store, params, query, guesses }: Call) {
	const { pageId } = findPage(store, params.page_id);
	const sessions = store.sessions.of(pageId);
	const isShuffled = guesses.sessionOrder === 'shuffled';
	const isContinued = query.cursor !== undefined;
	const listing =
		isShuffled && !isContinued ? store.randomness.between(1, 1e9) : readStart(query).listing;
	return takeByCursor(sessions, query, guesses, {
		isFound: readPeriod(query, guesses),
		order: orderSessions(sessions, guesses.sessionOrder, listing),
		listing,
	});
}

export function getPageAnalyticsSummary({ store, params, query, guesses }: Call) {
	const { pageId } = findPage(store, params.page_id);
	const sessions = store.sessions.of(pageId).filter(readPeriod(query, guesses));
	const sum = (measure: (session: AudienceSession) => number) =>
		sessions.reduce((total, session) => total + measure(session), 0);
	const count = (isCounted: (session: AudienceSession) => boolean) =>
		sessions.filter(isCounted).length;
	const totalSessions = sessions.length;
	const average = (total: number) => (totalSessions === 0 ? null : total / totalSessions);
	return {
		avgInteractionsPerSession: rate(
			sum(({ audienceSessionId }) => store.interactions.of(audienceSessionId).length),
			totalSessions,
		),
		avgScrollDepthPercentage: average(sum((session) => session.maxScrollDepthPercentage)),
		avgTimeSpentSeconds: average(sum((session) => session.timeSpentSeconds)),
		bounceRate: rate(
			count((session) => session.isBounce),
			totalSessions,
		),
		conversionRate: rate(
			count((session) => session.hasConversion),
			totalSessions,
		),
		formSubmitRate: rate(
			count((session) => session.hasFormSubmit),
			totalSessions,
		),
		totalSessions,
	};
}

export function listSessionInteractions({ store, params }: Call) {
	const sessionId = params.audience_session_id;
	if (!store.sessions.get(sessionId)) return interactionsOfUnknownSession;
	return {
		found: true,
		interactions: store.interactions.of(sessionId).map(({ interaction }) => interaction),
	};
}
