import { isDeepStrictEqual } from 'node:util';
import {
	countWanted,
	type Evidence,
	type Failure,
	type Group,
	isListOfPages,
	isRefused,
	itemOf,
	statusOf,
} from '../evidence.mts';
import {
	costMs,
	isStrange,
	type Fault,
	isBusy,
	isHarmless,
	isPassing,
	isUncertain,
	longestOwnWaitMs,
	patienceMs,
} from '../faults.mts';
import { deadEnds } from '../service.mts';
import { unexpectedWords } from '../../hostile.mts';

/** Every input item comes out exactly once and in order, or the run stops and says at which item. */
export function everyItemComesOutOnce(evidence: Evidence): string[] {
	const { scenario, result, stop, records, failures, write } = evidence;
	const { items, onError } = scenario;
	const breaches: string[] = [];
	const goesOn = onError !== 'stopWorkflow';
	const isSuccess = result.status === 'success';
	if (isSuccess === (stop !== undefined))
		breaches.push(`status ${result.status}, error ${stop?.message}`);
	if (stop) {
		if (goesOn) breaches.push(`the run stopped although it goes on: ${stop.message}`);
		if (result.output.length + result.errors.length > 0) breaches.push('a stopped run has output');
		if (stop.message === '') breaches.push('the run stopped without a message');
		if (stop.item === undefined || !(stop.item in items))
			breaches.push(`it names no item: ${stop.message}`);
		return breaches;
	}
	for (const [item] of items.entries()) {
		const failed = failures[item] !== undefined;
		const came = records[item].length;
		if (failed && !goesOn) breaches.push(`item ${item} failed, and the run did not stop`);
		if (failed && came > 0) breaches.push(`item ${item} came out as success and as failure`);
		if (write && !failed && came !== 1) breaches.push(`item ${item} came out ${came} times`);
		const failedTimes = [...result.output, ...result.errors].filter(
			(each) => itemOf(each) === item && each.json.error !== undefined,
		).length;
		if (failedTimes > 1) breaches.push(`item ${item} failed ${failedTimes} times`);
	}
	for (const output of [result.output, result.errors]) {
		const order = output.map((each) => itemOf(each) ?? -1);
		if (order.includes(-1)) breaches.push('an output item is linked to no input item');
		if (
			!isDeepStrictEqual(
				order,
				[...order].sort((a, b) => a - b),
			)
		)
			breaches.push(`the order is ${order.join()}`);
	}
	if (onError !== 'continueErrorOutput' && result.errors.length > 0)
		breaches.push('there is an error output');
	if (
		onError === 'continueErrorOutput' &&
		result.output.some(({ json }) => json.error !== undefined)
	)
		breaches.push('a failure is among the successes');
	return breaches;
}

/** A flawed item is never sent, says what is wrong, and keeps a run that stops from sending anything. */
export function flawedItemsAreNotSent(evidence: Evidence): string[] {
	const { scenario, flaws, failures, stop, events, strays, result } = evidence;
	const breaches = strays.map(({ request }) => `no item asks for ${JSON.stringify(request)}`);
	const flawed = flaws.flatMap((label, item) => (label === undefined ? [] : [item]));
	if (flawed.length === 0) return breaches;
	if (scenario.onError === 'stopWorkflow') {
		if (events.length > 0) breaches.push(`${events.length} requests although an item is flawed`);
		if (!stop) breaches.push(`the run did not stop at item ${flawed[0]}`);
		else if (!flawed.some((item) => stop.message.includes(flaws[item] ?? '')))
			breaches.push(`it does not name ${flaws[flawed[0]]}: ${stop.message}`);
		return breaches;
	}
	for (const item of flawed) {
		const failure = failures[item];
		if (!failure) breaches.push(`item ${item} is flawed and did not fail`);
		else if (!failure.message.includes(flaws[item] ?? ''))
			breaches.push(`item ${item} does not name ${flaws[item]}: ${failure.message}`);
		else if (failure.maybeDone)
			breaches.push(`item ${item} was never sent, and may have been done`);
	}
	const withInput = scenario.onError === 'continueErrorOutput' ? result.errors : [];
	for (const each of withInput) {
		const rest = Object.keys(each.json).filter((name) => name !== 'error' && name !== 'details');
		if (rest.length === 0) breaches.push(`the error of item ${itemOf(each)} lost its input`);
	}
	return breaches;
}

/** Every failure tells of a fault that the script or the service really had for this item. */
export function everyFailureNamesItsFault(evidence: Evidence): string[] {
	const { groups, failures, stop, flaws } = evidence;
	const breaches: string[] = [];
	for (const [item, failure] of failures.entries()) {
		if (!failure || flaws[item]) continue;
		const group = groups.find(({ items }) => items.includes(item));
		if (group && !isExplained(failure, group, evidence))
			breaches.push(`nothing happened to item ${item} that explains ${JSON.stringify(failure)}`);
	}
	if (stop && flaws.every((label) => label === undefined)) {
		const group = groups.find(({ items }) => items.includes(stop.item ?? -1));
		if (!group || !isExplained(stop, group, evidence))
			breaches.push(`nothing happened to its item that explains ${JSON.stringify(stop)}`);
	}
	return breaches;
}

function isExplained(failure: Failure, group: Group, evidence: Evidence): boolean {
	const { scenario, events } = evidence;
	// A rate limit and a refused key are those of the whole run: the items after them need not be sent.
	const shared = events.filter(({ fault }) => fault && (isBusy(fault) || isKeyRefused(fault)));
	const met = group.events.filter(({ fault }) => fault);
	const { status, code } = failure;
	if (code !== undefined)
		return met.some(({ reply }) => reply && 'lost' in reply && reply.lost === code);
	if (status !== undefined) {
		return [...met, ...shared, ...group.events.filter(isRefused)].some(
			(event) => statusOf(event) === status,
		);
	}
	// What was in doubt when n8n ran the node again, a response that is none, and a list that cannot go on.
	const isInDoubt = scenario.tries > 1 && met.some(({ fault }) => fault && isUncertain(fault));
	const isNoRecord = met.some(({ fault }) => fault && isStrange(fault));
	const isOfRetry = group.earlier.length > 0;
	return (
		isInDoubt || isNoRecord || isOfRetry || group.items.some((item) => mayBeStuck(evidence, item))
	);
}

const isKeyRefused = (fault: Fault): boolean => fault.kind === 'status' && fault.status === 401;

/** Such a list says that there is more, and not where. */
function mayBeStuck(evidence: Evidence, item: number): boolean {
	const { scenario } = evidence;
	const { end, emptyFirst } = scenario.service.list;
	if (!isListOfPages(scenario)) return false;
	// By offset, an empty page that says that there is more names the place where it was.
	if (emptyFirst && scenario.operation === 'account.getActivity') return true;
	return deadEnds.includes(end) && countWanted(evidence, item) > evidence.listFor(item).length;
}

/** What is told of a failure is for people: short, however much the service said, and never an unexpected error's. */
export function everyMessageIsClear({ failures, stop, result }: Evidence): string[] {
	const told = [...failures, stop].flatMap((failure) =>
		failure ? [failure.message, failure.description] : [],
	);
	return [...told, ...result.hints].flatMap((text) =>
		text.length > 1200 || unexpectedWords.test(text) ? [text.slice(0, 300)] : [],
	);
}

/** A run whose faults pass within Max Retries does not fail. */
export function passingFaultsAreOvercome(evidence: Evidence): string[] {
	const { scenario, events, flaws, failures, stop, write, elapsedMs } = evidence;
	const { maxRetries, tail, onError } = scenario;
	if (tail || (onError === 'stopWorkflow' && flaws.some((label) => label !== undefined))) return [];
	const faults = events.flatMap(({ fault }) => fault ?? []);
	const mayBeRepeated = write?.kind !== 'unrepeatable';
	if (!faults.every(mayBeRepeated ? isPassing : isHarmless)) return [];
	const busy = faults.filter(isBusy).length;
	// Without retries nothing is waited for, and a rate limit is given up after five minutes without a sign of life.
	if (busy > 0 && (maxRetries === 0 || elapsedMs > patienceMs)) return [];
	if (faults.length - busy > maxRetries) return [];
	if (stop && !mayFail(evidence, stop.item ?? -1)) return [`the run failed: ${stop.message}`];
	return failures.flatMap((failure, item) =>
		failure && !flaws[item] && !mayFail(evidence, item)
			? [`item ${item} failed: ${failure.message}`]
			: [],
	);
}

/** The service refuses what the item asks for, or its list leads nowhere. */
function mayFail(evidence: Evidence, item: number): boolean {
	return mayBeStuck(evidence, item) || isLimitRefused(evidence, item) || isKeyTaken(evidence, item);
}

/** Where Page Size is empty, pages of 100 are asked for when larger ones are refused. */
function isLimitRefused(evidence: Evidence, item: number): boolean {
	const { scenario, write } = evidence;
	const { maximum, limits } = scenario.service.list;
	if (write || typeof limits !== 'number') return false;
	const wanted = countWanted(evidence, item);
	if (!isListOfPages(scenario)) return wanted > maximum;
	const { pageSize } = scenario.list;
	return pageSize === undefined ? maximum < 100 && wanted > maximum : pageSize > maximum;
}

/** Another item has the same key, and the service refuses the second. */
function isKeyTaken({ scenario, write, groups }: Evidence, item: number): boolean {
	if (scenario.service.repeatedKey !== 'conflict') return false;
	const own = groups.find(({ items }) => items.includes(item));
	if (write?.keys === 'content') return (own?.items.length ?? 0) > 1;
	if (write?.keys !== 'custom') return false;
	const sharing = groups.filter(({ wanted }) => wanted.key === own?.wanted.key);
	return sharing.reduce((sum, { items }) => sum + items.length, 0) > 1;
}

/** Time passes only for faults, for Retry On Fail, for the service's own latency, and for Requests per Second. */
export function timeIsBounded({ scenario, events, elapsedMs }: Evidence): string[] {
	const { tries, latencyMs, requestsPerSecond } = scenario;
	const forFaults = events.reduce((sum, event) => {
		if (event.fault) return sum + costMs(event.fault, event.request.timeoutMs);
		// The model refuses too large pages with 500, which may be tried again.
		return sum + ((statusOf(event) ?? 0) >= 500 ? longestOwnWaitMs : 0);
	}, 0);
	const spacingMs = requestsPerSecond > 0 ? 1000 / requestsPerSecond : 0;
	const boundMs = forFaults + tries * 1000 + events.length * (latencyMs + spacingMs) + 1000;
	return elapsedMs <= boundMs ? [] : [`${elapsedMs} ms, at most ${boundMs} are explained`];
}
