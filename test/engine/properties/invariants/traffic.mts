import { type Analysis, byTry, endOf, isConfirmed, isRefused, statusOf } from '../analysis.mts';
import {
	costMs,
	endsTheRun,
	isBusy,
	isPassing,
	patienceMs,
	type RandomFault,
	waitMsOf,
} from '../faults.mts';
import type { TracedExchange } from '../runScenario.mts';
import { countWanted, hasPages, type Scenario, shortLatencyMs } from '../scenario.mts';

/** Each try of the node sends a write once, and once more for each fault. A list needs its pages. */
export function requestsAreBounded(analysis: Analysis): string[] {
	const { scenario, groups, exchanges, write } = analysis;
	const { tries, maxRetries, concurrency, lastingFault, faults } = scenario;
	const isAfterThem = ({ number }: TracedExchange) => number >= faults.length;
	const breaches = groups.flatMap(({ wanted, items, exchanges: own }) => {
		const runs = tries * items.length;
		const pages = items.reduce((sum, item) => sum + countPages(analysis, item), 0);
		const lasting = write ? own : own.filter((exchange) => lastingFault && isAfterThem(exchange));
		const attempts = lasting.filter(({ fault }) => maxRetries === 0 || !(fault && isBusy(fault)));
		// The first page of a list is asked for in up to three sizes.
		const counts: Array<[what: string, count: number, most: number]> = [
			['answered requests', own.filter(isConfirmed).length, tries * pages],
			['refused requests', own.filter(isRefused).length, runs * (write ? 1 : 2)],
			['attempts', attempts.length, runs * (write ? 1 : 4) * (1 + maxRetries)],
		];
		return counts
			.filter(([, count, most]) => count > most)
			.map(([what, count, most]) => `${wanted.path}: ${count} ${what}, at most ${most}`);
	});
	// A busy service is asked again for five minutes, by as many as may be under way.
	const endless = lastingFault && isBusy(lastingFault) ? exchanges.filter(isAfterThem).length : 0;
	if (endless > tries * 350 * concurrency) breaches.push(`${endless} requests to a busy service`);
	return breaches;
}

/** Answered requests that one item needs in one try. */
function countPages({ scenario, wholeLists }: Analysis, item: number): number {
	if (!hasPages(scenario)) return 1;
	const { list, guesses, items, faults, lastingFault } = scenario;
	const { maximumLimit = 100 } = guesses;
	const wanted = countWanted(scenario, items[item]);
	// A fault may be taken for a refused page. Where 100 are refused too, the service chooses 25.
	const isCalm = faults.length === 0 && !lastingFault;
	const largest = isCalm ? [1_000, 100].find((size) => size <= maximumLimit) : undefined;
	const size = Math.min(list.pageSize ?? largest ?? 25, wanted);
	return Math.max(1, Math.ceil(Math.min(wanted, wholeLists[item].length) / size));
}

/**
 * After a refused key, and after a rate limit that is not waited for, items are not begun, but for those whose turn
 * had come. What was sent before may be tried again.
 */
export function givingUpEndsTheTraffic({ scenario, groups, exchanges, write }: Analysis): string[] {
	const { concurrency } = scenario;
	return byTry(exchanges).flatMap((own) => {
		const end = own.find(({ fault }) => fault && endsTheRun(fault));
		if (!end) return [];
		const isLater = (exchange: TracedExchange) =>
			exchange.number > end.number && exchange.startedAtMs >= endOf(end);
		const begun = groups.reduce((sum, group) => {
			const ofTry = group.exchanges.filter((exchange) => exchange.try === end.try);
			const later = ofTry.filter(isLater).length;
			const again = ofTry.filter(({ fault }) => fault && isPassing(fault)).length;
			// A list that was begun goes on to its next page.
			if (!write) return sum + Number(later > 0 && later === ofTry.length);
			return sum + Math.max(0, later - again);
		}, 0);
		return begun > concurrency ? [`${begun} items begun after it was given up`] : [];
	});
}

/** Nothing goes out while the service asked to wait. */
export function retryAfterIsObeyed({ scenario, exchanges }: Analysis): string[] {
	const { maxRetries, lastingFault } = scenario;
	// Without retries nothing is waited for, and who waits for ever gives up some time.
	if (maxRetries === 0 || (lastingFault && isBusy(lastingFault))) return [];
	return byTry(exchanges).flatMap((own) => {
		if (own.some(({ fault }) => fault && endsTheRun(fault))) return [];
		return own.flatMap((exchange) => {
			if (!exchange.fault || !isBusy(exchange.fault)) return [];
			const until = endOf(exchange) + waitMsOf(exchange.fault) - 1;
			const isEarly = own.some(
				({ startedAtMs }) => startedAtMs > endOf(exchange) && startedAtMs < until,
			);
			if (isEarly) return ['a request before the service wanted it'];
			return isReleased(exchange, own, scenario)
				? ['a request left at the moment of the answer']
				: [];
		});
	});
}

/**
 * Whether the answer that asked to wait let the next request go. It did where nothing else can have: no other answer
 * came at that moment, and all pauses are those that the service asked for.
 */
function isReleased(exchange: TracedExchange, own: TracedExchange[], scenario: Scenario): boolean {
	if (scenario.requestsPerSecond > 0 || scenario.latencyMs !== shortLatencyMs) return false;
	if (own.some(({ fault }) => fault && !isBusy(fault))) return false;
	const moment = endOf(exchange);
	const together = own.filter((other) => endOf(other) === moment);
	if (!together.every(({ fault }) => fault && isBusy(fault))) return false;
	return own.some(({ number, startedAtMs }) => number > exchange.number && startedAtMs === moment);
}

/** A rate limit that can be waited for is given up only when there was no sign of life for minutes. */
export function rateLimitsAreWaitedFor(analysis: Analysis): string[] {
	const { scenario, groups, exchanges, failures, stop } = analysis;
	const last = byTry(exchanges).at(-1) ?? [];
	if (scenario.maxRetries === 0 || last.some(({ fault }) => fault && endsTheRun(fault))) return [];
	return groups.flatMap(({ items: [item, ...more], exchanges: ofGroup }) => {
		const isFailed = failures[item] ?? stop?.item === item;
		const own = ofGroup.at(-1);
		// Of equal items the last exchange may be another one's.
		if (!isFailed || more.length > 0 || !own?.fault || !isBusy(own.fault)) return [];
		// When one item gives up, the whole run has: what counts is the last exchange of all.
		const end = last.at(-1);
		if (!end || !last.includes(own)) return [];
		const signs = last.filter(
			(exchange) => isSignOfLife(exchange) && endOf(exchange) <= endOf(end),
		);
		const quietMs = endOf(end) - Math.max(last[0].startedAtMs, ...signs.map(endOf));
		// It is also given up where the pause that the service asks for would be too long by then.
		const silentMs = quietMs + (end.fault ? waitMsOf(end.fault) : 0);
		return silentMs >= patienceMs ? [] : [`given up ${quietMs} ms after the last sign of life`];
	});
}

const isSignOfLife = (exchange: TracedExchange): boolean =>
	![undefined, 429, 503].includes(statusOf(exchange));

export function concurrencyIsKept({ scenario, peakInFlight }: Analysis): string[] {
	return peakInFlight > scenario.concurrency ? [`${peakInFlight} at once`] : [];
}

export function requestsPerSecondAreKept({ scenario, exchanges }: Analysis): string[] {
	const { requestsPerSecond } = scenario;
	if (requestsPerSecond === 0) return [];
	return byTry(exchanges).flatMap((own) =>
		own.flatMap(({ startedAtMs }, at) => {
			const gapMs = at === 0 ? Infinity : startedAtMs - own[at - 1].startedAtMs;
			return gapMs >= 1000 / requestsPerSecond - 1 ? [] : [`two requests within ${gapMs} ms`];
		}),
	);
}

/** Time passes only for faults, for Retry On Fail, for the service's own latency, and for Requests per Second. */
export function timeIsBounded({ scenario, exchanges, elapsedMs }: Analysis): string[] {
	const { tries, latencyMs, requestsPerSecond } = scenario;
	const forFaults = exchanges.reduce(
		(sum, { fault, request }) => sum + (fault ? costMs(fault, request.timeoutMs) : 0),
		0,
	);
	const spacingMs = requestsPerSecond > 0 ? 1000 / requestsPerSecond : 0;
	const mostMs = forFaults + tries * 1000 + exchanges.length * (latencyMs + spacingMs) + 1000;
	return elapsedMs <= mostMs ? [] : [`${elapsedMs} ms, at most ${mostMs} are explained`];
}

/**
 * "Waited N seconds" is at most what the last try was held back: nothing left after what asked to wait. Runs with one API key
 * share a pause, so one that the service asked for in an earlier try counts as long as it asked.
 */
export function waitsAreMeasured({ exchanges, result, stop, elapsedMs }: Analysis): string[] {
	const told = result.hints.flatMap((hint) => /^Waited (\d+) second/.exec(hint)?.[1] ?? []);
	if (stop || told.length === 0) return [];
	const last = byTry(exchanges).at(-1) ?? [];
	const endMs = exchanges[0].startedAtMs + elapsedMs;
	let mostMs = 0;
	let until = -Infinity;
	for (const exchange of exchanges.filter(asksToWait).toSorted((a, b) => endOf(a) - endOf(b))) {
		const next = last.find(({ startedAtMs }) => startedAtMs > endOf(exchange));
		const asked = last.includes(exchange) ? Infinity : endOf(exchange) + costMs(exchange.fault, 0);
		const to = Math.min(next?.startedAtMs ?? endMs, asked);
		mostMs += Math.max(0, to - Math.max(endOf(exchange), until));
		until = Math.max(until, to);
	}
	const isTrue = told.length === 1 && Number(told[0]) <= Math.ceil(mostMs / 1000);
	return isTrue ? [] : [`told: ${told.join()} seconds, at most ${mostMs} ms`];
}

function asksToWait(exchange: TracedExchange): exchange is TracedExchange & { fault: RandomFault } {
	return exchange.fault !== undefined && isBusy(exchange.fault);
}
