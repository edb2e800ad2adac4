import type { Analysis } from '../analysis.mts';
import { isBusy, isPassing, longestPauseMs, patienceMs, waitMsOf } from '../faults.mts';
import type { TracedExchange } from '../runScenario.mts';

/**
 * After a refused key, and after a rate limit that is not waited for, items are not begun, but for those whose turn
 * had come. What was sent before may be tried again.
 */
export function* givingUpEndsTheTraffic({ scenario, groups, tries, write }: Analysis) {
	for (const own of tries) {
		const end = own.find(({ endsTheRun }) => endsTheRun);
		if (!end) continue;
		const isLater = ({ number, startedAtMs }: TracedExchange) =>
			number > end.number && startedAtMs >= end.endedAtMs;
		const begun = groups.reduce((sum, group) => {
			const ofTry = group.exchanges.filter((exchange) => exchange.try === end.try);
			const later = ofTry.filter(isLater).length;
			const again = ofTry.filter(({ fault }) => fault && isPassing(fault)).length;
			// A list that was begun goes on to its next page.
			if (!write) return sum + Number(later > 0 && later === ofTry.length);
			return sum + Math.max(0, later - again);
		}, 0);
		if (begun > scenario.concurrency) yield `${begun} items begun after it was given up`;
	}
}

/** Nothing goes out while the service asked to wait. */
export function* retryAfterIsObeyed({ scenario, tries }: Analysis) {
	const { maxRetries, lastingFault } = scenario;
	// Without retries nothing is waited for, and who waits for ever gives up some time.
	if (maxRetries === 0 || (lastingFault && isBusy(lastingFault))) return;
	for (const own of tries) {
		if (own.some(({ endsTheRun }) => endsTheRun)) continue;
		for (const { fault, endedAtMs } of own) {
			if (!fault || !isBusy(fault)) continue;
			const until = endedAtMs + waitMsOf(fault) - 1;
			if (own.some(({ startedAtMs }) => startedAtMs > endedAtMs && startedAtMs < until))
				yield 'a request before the service wanted it';
		}
	}
}

/** A rate limit that can be waited for is given up only when there was no sign of life for minutes. */
export function* rateLimitsAreWaitedFor(analysis: Analysis) {
	const { scenario, groups, tries, failures, stop } = analysis;
	const last = tries.at(-1) ?? [];
	const end = last.at(-1);
	if (!end || scenario.maxRetries === 0 || last.some(({ endsTheRun }) => endsTheRun)) return;
	for (const { items, exchanges } of groups) {
		const isFailed = failures[items[0]] !== undefined || stop?.item === items[0];
		const own = exchanges.at(-1);
		// Of equal items the last exchange may be another one's.
		if (!isFailed || items.length > 1 || !own?.isBusy || !last.includes(own)) continue;
		// When one item gives up, the whole run has: what counts is the last exchange of all.
		const signs = last
			.filter(({ status, endedAtMs }) => isSignOfLife(status) && endedAtMs <= end.endedAtMs)
			.map(({ endedAtMs }) => endedAtMs);
		const quietMs = end.endedAtMs - Math.max(last[0].startedAtMs, ...signs);
		// It is also given up where the pause that the service asks for would be too long by then.
		const silentMs = quietMs + (end.fault ? waitMsOf(end.fault) : 0);
		if (silentMs < patienceMs) yield `given up ${quietMs} ms after the last sign of life`;
	}
}

const isSignOfLife = (status?: number) => ![undefined, 429, 503].includes(status);

export function* concurrencyIsKept({ scenario, peakInFlight }: Analysis) {
	if (peakInFlight > scenario.concurrency) yield `${peakInFlight} at once`;
}

export function* requestsPerSecondAreKept({ scenario, tries }: Analysis) {
	const { requestsPerSecond } = scenario;
	if (requestsPerSecond === 0) return;
	for (const own of tries)
		for (const [at, { startedAtMs }] of own.slice(1).entries()) {
			const gapMs = startedAtMs - own[at].startedAtMs;
			if (gapMs < 1000 / requestsPerSecond - 1) yield `two requests within ${gapMs} ms`;
		}
}

/**
 * "Waited N seconds" is at most what the last try was held back: nothing left after what asked to wait. Runs with one API key
 * share a pause, so one that the service asked for in an earlier try counts as long as it asked.
 */
export function* waitsAreMeasured({ exchanges, tries, result, stop, elapsedMs }: Analysis) {
	const told = result.hints.flatMap((hint) => /^Waited (\d+) second/.exec(hint)?.[1] ?? []);
	if (stop || told.length === 0) return;
	const last = tries.at(-1) ?? [];
	const endMs = exchanges[0].startedAtMs + elapsedMs;
	let mostMs = 0;
	let until = -Infinity;
	for (const exchange of exchanges.toSorted((a, b) => a.endedAtMs - b.endedAtMs)) {
		const { fault, endedAtMs } = exchange;
		if (!fault || !isBusy(fault)) continue;
		const next = last.find(({ startedAtMs }) => startedAtMs > endedAtMs)?.startedAtMs ?? endMs;
		const asked = last.includes(exchange) ? Infinity : endedAtMs + longestPauseMs(fault);
		const to = Math.min(next, asked);
		mostMs += Math.max(0, to - Math.max(endedAtMs, until));
		until = Math.max(until, to);
	}
	if (told.length > 1 || Number(told[0]) > Math.ceil(mostMs / 1000))
		yield `told: ${told.join()} seconds, at most ${mostMs} ms`;
}
