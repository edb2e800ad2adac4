import { isDeepStrictEqual } from 'node:util';
import { originOf, unexpectedWords } from '../../engine.mts';
import {
	type Analysis,
	type Failure,
	type Group,
	isFailure,
	isInDoubt,
	isRefused,
	statusOf,
} from '../analysis.mts';
import { endsTheRun, isBusy, isHarmless, isPassing, isStrange, patienceMs } from '../faults.mts';
import { countWanted, hasPages } from '../scenario.mts';

/** Every input item comes out exactly once and in order, or the run stops and says at which item. */
export function everyItemComesOutOnce(analysis: Analysis): string[] {
	const { scenario, result, stop, records, failures, write } = analysis;
	const { items, onError } = scenario;
	const isSuccess = result.status === 'success';
	if (isSuccess === (stop !== undefined)) return [`status ${result.status}, ${stop?.message}`];
	const all = [...result.output, ...result.errors];
	if (stop) {
		return [
			onError !== 'stopWorkflow' && `the run stopped although it goes on: ${stop.message}`,
			all.length > 0 && 'a stopped run has output',
			stop.message === '' && 'the run stopped without a message',
			!(Number(stop.item) in items) && `it names no item: ${stop.message}`,
		].filter((breach) => breach !== false);
	}
	const breaches = items.flatMap((_, item) => {
		const isFailed = failures[item] !== undefined;
		const came = records[item].length;
		const failed = all.filter((each) => originOf(each) === item && isFailure(each)).length;
		return [
			isFailed && onError === 'stopWorkflow' && `item ${item} failed, and the run did not stop`,
			isFailed && came > 0 && `item ${item} came out as success and as failure`,
			write && !isFailed && came !== 1 && `item ${item} came out ${came} times`,
			failed > 1 && `item ${item} failed ${failed} times`,
		].filter((breach) => typeof breach === 'string');
	});
	for (const output of [result.output, result.errors]) {
		const order = output.map((each) => originOf(each) ?? -1);
		const isInOrder = order.every((item, at) => item >= (order[at - 1] ?? 0));
		if (!isInOrder) breaches.push(`the order is ${order.join()}`);
	}
	const isSplit = onError === 'continueErrorOutput';
	if (isSplit ? result.output.some(isFailure) : result.errors.length > 0)
		breaches.push('a failure is at the wrong output');
	return breaches;
}

/** A flawed item is never sent, says what is wrong, and keeps a run that stops from sending anything. */
export function flawedItemsAreNotSent(analysis: Analysis): string[] {
	const { scenario, flaws, failures, stop, exchanges, strays, result } = analysis;
	const breaches = strays.map(({ request }) => `no item asks for ${JSON.stringify(request)}`);
	const flawed = flaws.flatMap((label, item) => (label === undefined ? [] : [{ item, label }]));
	if (flawed.length > 0 && scenario.onError === 'stopWorkflow') {
		if (exchanges.length > 0)
			breaches.push(`${exchanges.length} requests although an item is flawed`);
		if (!stop?.message.includes(flawed[0].label))
			breaches.push(`the run did not stop at ${flawed[0].label}: ${stop?.message}`);
		return breaches;
	}
	for (const { item, label } of flawed) {
		const failure = failures[item];
		if (!failure?.message.includes(label) || failure.maybeDone)
			breaches.push(`item ${item} is flawed, and tells ${JSON.stringify(failure)}`);
	}
	const isInput = (name: string) => name !== 'error' && name !== 'details';
	for (const { json } of scenario.onError === 'continueErrorOutput' ? result.errors : [])
		if (!Object.keys(json).some(isInput))
			breaches.push('an item at the error output lost its input');
	return breaches;
}

/** Every failure tells of a fault that the scenario or the service really had for this item. */
export function everyFailureNamesItsFault(analysis: Analysis): string[] {
	const { groups, failures, stop, flaws, scenario } = analysis;
	const isRefusedAtStart = scenario.onError === 'stopWorkflow' && flaws.some(Boolean);
	const all = [...failures, isRefusedAtStart ? undefined : stop];
	return all.flatMap((failure) => {
		if (!failure || flaws[failure.item ?? -1]) return [];
		const group = groups.find(({ items }) => items.includes(failure.item ?? -1));
		return group && isExplained(failure, group, analysis)
			? []
			: [`nothing happened to its item that explains ${JSON.stringify(failure)}`];
	});
}

function isExplained({ status, code }: Failure, group: Group, analysis: Analysis): boolean {
	const { scenario, exchanges } = analysis;
	const met = group.exchanges.filter(({ fault }) => fault);
	if (code !== undefined)
		return met.some(({ reply }) => reply && 'lost' in reply && reply.lost === code);
	if (status !== undefined) {
		// A rate limit and a refused key are those of the whole run: the items after them need not be sent.
		const shared = exchanges.filter(({ fault }) => fault && (isBusy(fault) || endsTheRun(fault)));
		const own = group.exchanges.filter(isRefused);
		return [...met, ...shared, ...own].some((exchange) => statusOf(exchange) === status);
	}
	// A response that is none, and what was in doubt when n8n ran the node again.
	const isNone = met.some(({ fault }) => fault && isStrange(fault));
	return isNone || (scenario.tries > 1 && met.some(isInDoubt)) || group.earlier.length > 0;
}

/** What is told of a failure is for people: short, however much the service said, and never an unexpected error's. */
export function everyMessageIsClear({ failures, stop, result }: Analysis): string[] {
	const told = [...failures, stop].flatMap((failure) =>
		failure ? [failure.message, failure.description] : [],
	);
	return [...told, ...result.hints].filter(
		(text) => text.length > 1200 || unexpectedWords.test(text),
	);
}

/** A run whose faults pass within Max Retries does not fail. */
export function passingFaultsAreOvercome(analysis: Analysis): string[] {
	const { scenario, exchanges, flaws, failures, stop, write, elapsedMs } = analysis;
	const { maxRetries, lastingFault, onError } = scenario;
	if (lastingFault || (onError === 'stopWorkflow' && flaws.some(Boolean))) return [];
	const faults = exchanges.flatMap(({ fault }) => fault ?? []);
	if (!faults.every(write?.kind === 'unrepeatable' ? isHarmless : isPassing)) return [];
	const busy = faults.filter(isBusy).length;
	// Without retries nothing is waited for, and a rate limit is given up after five minutes.
	if (busy > 0 && (maxRetries === 0 || elapsedMs > patienceMs)) return [];
	if (faults.length - busy > maxRetries) return [];
	return [...failures, stop].flatMap((failure) => {
		const item = failure?.item ?? -1;
		const mayFail = flaws[item] || isLimitRefused(analysis, item) || isKeyTaken(analysis, item);
		return failure && !mayFail ? [`item ${item} failed: ${failure.message}`] : [];
	});
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
export function listsAreWhole(analysis: Analysis): string[] {
	const { scenario, write, records, failures, flaws, stop, wholeLists } = analysis;
	if (write || stop) return [];
	return scenario.items.flatMap((choice, item) => {
		if (failures[item] || flaws[item]) return [];
		const expected = wholeLists[item].slice(0, countWanted(scenario, choice));
		return isDeepStrictEqual(records[item], expected)
			? []
			: [`item ${item}: ${records[item].length} records, not these ${expected.length}`];
	});
}

/** "The list has N records in total [items …]" is so for the lists of these items, which were cut. */
export function totalsAreTrue({
	result,
	scenario,
	records,
	wholeLists,
	exchanges,
}: Analysis): string[] {
	// A stuck page says that there is more where there is none.
	const isStuck = exchanges.some(({ fault }) => fault && isStrange(fault));
	return result.hints.flatMap((hint) => {
		const total = /^The list has ([\d,]+) records in total/.exec(hint)?.[1].replaceAll(',', '');
		if (total === undefined) return [];
		const [, names] = /\[items? ([\d, and]+)/.exec(hint) ?? [];
		const named = names?.match(/\d+/g)?.map(Number) ?? scenario.items.map((_, item) => item);
		return named.flatMap((item) => {
			const isCut = isStuck || records[item].length < wholeLists[item].length;
			return isCut && wholeLists[item].length === Number(total) ? [] : [`item ${item}: ${hint}`];
		});
	});
}
