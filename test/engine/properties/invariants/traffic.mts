import {
	countWanted,
	type Evidence,
	isConfirmed,
	isListOfPages,
	isRefused,
	statusOf,
} from '../evidence.mts';
import { asksTooLong, type Fault, isBusy, isPassing, patienceMs } from '../faults.mts';
import type { Event } from '../play.mts';
import { type Scenario, shortLatencyMs } from '../scenario.mts';

/** Each try of the node sends a write once, and once more for each fault. A list needs its pages. */
export function requestsAreBounded(evidence: Evidence): string[] {
	const { scenario, groups, events } = evidence;
	const { tries, maxRetries, concurrency, tail } = scenario;
	const breaches: string[] = [];
	for (const { wanted, items, events: own } of groups) {
		const report = (what: string, count: number, most: number) =>
			count > most &&
			breaches.push(`${wanted.method} ${wanted.path}: ${count} ${what}, at most ${most}`);
		const pages = items.reduce((sum, item) => sum + countPages(evidence, item), 0);
		report('answered requests', own.filter(isConfirmed).length, tries * pages);
		// A first page may be refused for its size, up to three times: 1,000 and 100 records are retried after a 5xx, and
		// no limit at all is tried once.
		const mostRefused = tries * items.length * (evidence.write ? 1 : 2 * (2 + maxRetries) + 1);
		report('refused requests', own.filter(isRefused).length, mostRefused);
		// The first page of a list may be asked for in three sizes.
		const chains = tries * items.length * (evidence.write ? 1 : 4);
		const ofTail = own.filter((event) => isAfterScript(event, scenario));
		const lasting = evidence.write ? own : tail ? ofTail : [];
		const counted = lasting.filter(({ fault }) => maxRetries === 0 || !(fault && isBusy(fault)));
		report('attempts', counted.length, chains * (1 + maxRetries));
	}
	const ofTail = events.filter((event) => isAfterScript(event, scenario));
	const endless = tail && isBusy(tail) ? ofTail.length : 0;
	// A busy service is asked again for five minutes, by as many as may be under way.
	const mostEndless = tries * 350 * concurrency;
	if (endless > mostEndless)
		breaches.push(`${endless} requests to a busy service, at most ${mostEndless}`);
	return breaches;
}

const isAfterScript = ({ number }: Event, { script }: Scenario): boolean => number >= script.length;

/** Answered requests that one item needs in one try. */
function countPages(evidence: Evidence, item: number): number {
	const { scenario } = evidence;
	if (!isListOfPages(scenario)) return 1;
	const { list, service } = scenario;
	const { maximum, limits } = service.list;
	const wanted = countWanted(evidence, item);
	const asked = Math.min(list.pageSize ?? 100, wanted);
	const size = limits === 'ignored' ? maximum : Math.min(asked, maximum);
	const read = Math.min(wanted, evidence.listFor(item).length);
	// The last one may be empty, and so may the first.
	return Math.ceil(read / size) + 2;
}

/**
 * After a refused key, and after a rate limit that is not waited for, items are not begun, but for those whose turn
 * had come. What was sent before may be tried again.
 */
export function givingUpEndsTheTraffic({ scenario, groups, events, write }: Evidence): string[] {
	const { concurrency } = scenario;
	return byTry(events).flatMap((own) => {
		const end = own.find(({ fault }) => fault && endsTheRun(fault));
		if (!end) return [];
		const begun = groups.reduce((sum, group) => {
			const ofGroup = group.events.filter((event) => event.try === end.try);
			const later = ofGroup.filter((event) => isAfter(event, end, own));
			const again = ofGroup.filter(({ fault }) => fault && isPassing(fault)).length;
			// A list that was begun goes on to its next page.
			if (!write) return sum + Number(later.length > 0 && later.length === ofGroup.length);
			return sum + Math.max(0, later.length - again);
		}, 0);
		return begun <= concurrency
			? []
			: [`${begun} items begun after it was given up, with Concurrency ${concurrency}`];
	});
}

function isAfter(event: Event, end: Event, all: Event[]): boolean {
	return all.indexOf(event) > all.indexOf(end) && event.startedAtMs >= endOf(end);
}

const endsTheRun = (fault: Fault): boolean =>
	asksTooLong(fault) || (fault.kind === 'status' && fault.status === 401);

/** Nothing goes out while the service asked to wait. */
export function retryAfterIsObeyed({ scenario, events }: Evidence): string[] {
	const { maxRetries, tail } = scenario;
	// Without retries nothing is waited for, and who waits for ever gives up some time.
	if (maxRetries === 0 || (tail && isBusy(tail))) return [];
	return byTry(events).flatMap((own) => {
		if (own.some(({ fault }) => fault && endsTheRun(fault))) return [];
		return own.flatMap((event) => {
			const until = endOf(event) + readWaitMs(event) - 1;
			const early = own.find(
				({ startedAtMs }) => startedAtMs > endOf(event) && startedAtMs < until,
			);
			if (early) return [`a request ${until - early.startedAtMs} ms before the service wanted it`];
			return isReleased(event, own, scenario) ? ['a request left at the moment of the answer'] : [];
		});
	});
}

/**
 * Whether the answer that asked to wait let the next request go. It did where nothing else can have: no other answer
 * came at that moment, and all pauses are those that the service asked for.
 */
function isReleased(event: Event, own: Event[], scenario: Scenario): boolean {
	if (readWaitMs(event) === 0 || scenario.requestsPerSecond > 0) return false;
	if (scenario.latencyMs !== shortLatencyMs) return false;
	if (own.some(({ fault }) => fault && !isBusy(fault))) return false;
	const moment = endOf(event);
	const together = own.filter((other) => endOf(other) === moment);
	if (!together.every(({ fault }) => fault && isBusy(fault))) return false;
	return own.slice(own.indexOf(event) + 1).some(({ startedAtMs }) => startedAtMs === moment);
}

function readWaitMs(event: Event): number {
	const { fault } = event;
	if (!fault || !isBusy(fault) || fault.kind !== 'status' || !fault.retryAfter) return 0;
	const { seconds = 0, form } = fault.retryAfter;
	const untilMs = endOf(event) + seconds * 1000;
	// A date has whole seconds.
	return (form === 'date' ? Math.floor(untilMs / 1000) * 1000 : untilMs) - endOf(event);
}

/** A rate limit that can be waited for is given up only when there was no sign of life for minutes. */
export function rateLimitsAreWaitedFor(evidence: Evidence): string[] {
	const { scenario, groups, events, failures, stop } = evidence;
	if (scenario.maxRetries === 0) return [];
	const last = byTry(events).at(-1) ?? [];
	if (last.some(({ fault }) => fault && endsTheRun(fault))) return [];
	return groups.flatMap(({ items, events: ofGroup }) => {
		const failed = items.some((item) => failures[item] ?? stop?.item === item);
		const own = ofGroup.at(-1);
		// Of equal items the last event may be another one's.
		if (!failed || items.length > 1 || !own?.fault || !isBusy(own.fault)) return [];
		// When one item gives up, the whole run has: what counts is the last event of all.
		const end = last.at(-1);
		if (!end || !last.includes(own)) return [];
		const signs = last.filter((event) => isSignOfLife(event) && endOf(event) <= endOf(end));
		const quietMs = endOf(end) - Math.max(last[0].startedAtMs, ...signs.map(endOf));
		return quietMs >= patienceMs ? [] : [`given up ${quietMs} ms after the last sign of life`];
	});
}

const isSignOfLife = (event: Event): boolean => ![undefined, 429, 503].includes(statusOf(event));

export function concurrencyIsKept({ scenario, peakInFlight }: Evidence): string[] {
	const { concurrency } = scenario;
	return peakInFlight <= concurrency ? [] : [`${peakInFlight} at once, not ${concurrency}`];
}

export function requestsPerSecondAreKept({ scenario, events }: Evidence): string[] {
	const { requestsPerSecond } = scenario;
	if (requestsPerSecond === 0) return [];
	const spacingMs = 1000 / requestsPerSecond;
	return byTry(events).flatMap((own) =>
		own.flatMap(({ startedAtMs }, at) => {
			const gapMs = at === 0 ? Infinity : startedAtMs - own[at - 1].startedAtMs;
			return gapMs >= spacingMs - 1 ? [] : [`two requests within ${gapMs} ms`];
		}),
	);
}

function byTry(events: Event[]): Event[][] {
	return Object.values(Object.groupBy(events, (event) => event.try)).map((own) => own ?? []);
}

const endOf = ({ endedAtMs = Infinity }: Event): number => endedAtMs;
