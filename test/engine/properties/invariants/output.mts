import { isDeepStrictEqual } from 'node:util';
import { originOf, unexpectedWords } from '../../engine.mts';
import { type Analysis, type Failure, type Group, isFailure } from '../analysis.mts';
import { isBusy, isHarmless, isPassing, isStrange, patienceMs } from '../faults.mts';
import { countWanted, hasPages } from '../scenario.mts';

/** Every input item comes out exactly once and in order, or the run stops and says at which item. */
export function* everyItemComesOutOnce(analysis: Analysis) {
	const { scenario, result, stop, records, failures, write } = analysis;
	const { items, onError } = scenario;
	if ((result.status === 'success') === (stop !== undefined))
		yield `status ${result.status}, ${stop?.message}`;
	const all = [...result.output, ...result.errors];
	if (stop) {
		if (onError !== 'stopWorkflow') yield `the run stopped although it goes on: ${stop.message}`;
		if (all.length > 0) yield 'a stopped run has output';
		if (stop.message === '') yield 'the run stopped without a message';
		if (!(Number(stop.item) in items)) yield `it names no item: ${stop.message}`;
		return;
	}
	for (const item of items.keys()) {
		const came = records[item].length;
		const failed = all.filter((each) => originOf(each) === item && isFailure(each)).length;
		if (failed > 1) yield `item ${item} failed ${failed} times`;
		if (failures[item]) {
			if (onError === 'stopWorkflow') yield `item ${item} failed, and the run did not stop`;
			if (came > 0) yield `item ${item} came out as success and as failure`;
		} else if (write && came !== 1) yield `item ${item} came out ${came} times`;
	}
	for (const output of [result.output, result.errors]) {
		const order = output.map((each) => originOf(each) ?? -1);
		const isInOrder = order.every((item, at) => item >= (order[at - 1] ?? 0));
		if (!isInOrder) yield `the order is ${order.join()}`;
	}
	const isSplit = onError === 'continueErrorOutput';
	if (isSplit ? result.output.some(isFailure) : result.errors.length > 0)
		yield 'a failure is at the wrong output';
}

/** A flawed item is never sent, says what is wrong, and keeps a run that stops from sending anything. */
export function* flawedItemsAreNotSent(analysis: Analysis) {
	const { scenario, flaws, failures, stop, exchanges, strays, result } = analysis;
	for (const { request } of strays) yield `no item asks for ${JSON.stringify(request)}`;
	const [first] = flaws.filter((label) => label !== undefined);
	if (first !== undefined && scenario.onError === 'stopWorkflow') {
		if (exchanges.length > 0) yield `${exchanges.length} requests although an item is flawed`;
		if (!stop?.message.includes(first)) yield `the run did not stop at ${first}: ${stop?.message}`;
		return;
	}
	for (const [item, label] of flaws.entries()) {
		const failure = failures[item];
		if (label !== undefined && (!failure?.message.includes(label) || failure.maybeDone))
			yield `item ${item} is flawed, and tells ${JSON.stringify(failure)}`;
	}
	if (scenario.onError !== 'continueErrorOutput') return;
	for (const { json } of result.errors)
		if (Object.keys(json).every((name) => name === 'error' || name === 'details'))
			yield 'an item at the error output lost its input';
}

/** Every failure tells of a fault that the scenario or the service really had for this item. */
export function* everyFailureNamesItsFault(analysis: Analysis) {
	const { groups, failures, stop, flaws, scenario } = analysis;
	const isRefusedAtStart = scenario.onError === 'stopWorkflow' && flaws.some(Boolean);
	for (const failure of [...failures, isRefusedAtStart ? undefined : stop]) {
		if (!failure || flaws[failure.item ?? -1]) continue;
		const group = groups.find(({ items }) => items.includes(failure.item ?? -1));
		if (!group || !isExplained(failure, group, analysis))
			yield `nothing happened to its item that explains ${JSON.stringify(failure)}`;
	}
}

function isExplained({ status, code }: Failure, group: Group, analysis: Analysis): boolean {
	const { scenario, exchanges } = analysis;
	const met = group.exchanges.filter(({ fault }) => fault);
	if (code !== undefined)
		return met.some(({ reply }) => reply && 'lost' in reply && reply.lost === code);
	if (status !== undefined) {
		// A rate limit and a refused key are those of the whole run: the items after them need not be sent.
		const shared = exchanges.filter(({ isBusy, endsTheRun }) => isBusy || endsTheRun);
		const own = group.exchanges.filter(({ isRefused }) => isRefused);
		return [...met, ...shared, ...own].some((exchange) => exchange.status === status);
	}
	// A response that is none, and what was in doubt when n8n ran the node again.
	const isNone = met.some(({ fault }) => fault && isStrange(fault));
	const isLeft = scenario.tries > 1 && met.some(({ isInDoubt }) => isInDoubt);
	return isNone || isLeft || group.earlier.length > 0;
}

/** What is told of a failure is for people: short, however much the service said, and never an unexpected error's. */
export function* everyMessageIsClear({ failures, stop, result }: Analysis) {
	const failed = [...failures, stop].filter((failure) => failure !== undefined);
	const told = failed.flatMap(({ message, description }) => [message, description]);
	for (const text of [...told, ...result.hints])
		if (text.length > 1200 || unexpectedWords.test(text)) yield text;
}

/** A run whose faults pass within Max Retries does not fail. */
export function* passingFaultsAreOvercome(analysis: Analysis) {
	const { scenario, exchanges, flaws, failures, stop, write, elapsedMs } = analysis;
	const { maxRetries, lastingFault, onError } = scenario;
	if (lastingFault || (onError === 'stopWorkflow' && flaws.some(Boolean))) return;
	const faults = exchanges.flatMap(({ fault }) => fault ?? []);
	if (!faults.every(write?.kind === 'unrepeatable' ? isHarmless : isPassing)) return;
	const busy = faults.filter(isBusy).length;
	// Without retries nothing is waited for, and a rate limit is given up after five minutes.
	if (busy > 0 && (maxRetries === 0 || elapsedMs > patienceMs)) return;
	if (faults.length - busy > maxRetries) return;
	for (const failure of [...failures, stop]) {
		const item = failure?.item ?? -1;
		const mayFail = flaws[item] || isLimitRefused(analysis, item) || isKeyTaken(analysis, item);
		if (failure && !mayFail) yield `item ${item} failed: ${failure.message}`;
	}
}

/** Where Records per Request is empty, smaller pages are asked for when large ones are refused. */
function isLimitRefused({ scenario, write }: Analysis, item: number): boolean {
	const { maximumLimit = 100 } = scenario.guesses;
	const choice = scenario.items[item];
	if (write || !choice) return false;
	const wanted = countWanted(scenario, choice);
	const { pageSize = 0 } = scenario.list;
	return (hasPages(scenario) ? Math.min(pageSize, wanted) : wanted) > maximumLimit;
}

/** Another item has the same key, and the service refuses the second. */
function isKeyTaken({ scenario, write, groups }: Analysis, item: number): boolean {
	if (scenario.guesses.repeatedKey !== 'conflict') return false;
	if (write?.keys !== 'content' && write?.keys !== 'custom') return false;
	return groups.some(({ items }) => items.includes(item) && items.length > 1);
}

/** A list brings exactly the service's records in its order, no more than are wanted, or it fails. */
export function* listsAreWhole(analysis: Analysis) {
	const { scenario, write, records, failures, flaws, stop, wholeLists } = analysis;
	if (write || stop) return;
	for (const [item, choice] of scenario.items.entries()) {
		if (failures[item] || flaws[item]) continue;
		const expected = wholeLists[item].slice(0, countWanted(scenario, choice));
		if (!isDeepStrictEqual(records[item], expected))
			yield `item ${item}: ${records[item].length} records, not these ${expected.length}`;
	}
}
