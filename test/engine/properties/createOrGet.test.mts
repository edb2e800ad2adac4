import fc from 'fast-check';
import { generated, withinMs } from '../../generated.mts';
import { originOf, type RunResult } from '../engine.mts';
import { isFailure } from './analysis.mts';
import type { FakeService, Work } from './fakeService.mts';
import {
	countOf,
	deleteFrom,
	isMisled,
	type LookedUp,
	lookUp,
	type Lookups,
	lookups,
	nameOf,
	openService,
} from './lookups.mts';

/** An execution in which nothing fails. */
const calm = { faults: [] };

/**
 * Nobody is found or created without an ID, nor under the name of another value.
 * @returns the items that did not fail
 */
function checkRecords({ output }: RunResult, { items }: Lookups): number[] {
	const good = output.filter((each) => !isFailure(each));
	for (const each of good) {
		expect(each.json.personId ?? each.json.accountId).toMatch(/^(prospect|account)_/);
		expect(each.json.name).toBe(nameOf(items[originOf(each) ?? -1]));
	}
	return good.map((each) => originOf(each) ?? -1);
}

const dryRun = 'Dry run, nothing was changed: ';

/** The sentence that sums up a run. */
const summaryOf = ({ hints }: RunResult): string =>
	hints.find((hint) => /^\d+ [a-z]/.test(hint.replace(dryRun, ''))) ?? '';

/** What it counts, by its words. */
function readSummary(result: RunResult): Record<string, number> {
	// Without the items that failed.
	const counts = summaryOf(result)
		.replace(/\(.+\)/, '')
		.matchAll(/(\d+) ([a-z][a-z ]*[a-z])/g);
	return Object.fromEntries([...counts].map(([, count, word]) => [word, Number(count)]));
}

/** An update that is sent again is the same one. */
function countWrites(works: Work[]): number {
	const updates = works.filter(({ method }) => method === 'PATCH');
	const changed = new Set(updates.map(({ path, body }) => JSON.stringify([path, body])));
	return works.length - updates.length + changed.size;
}

/** What a run tells as written was, and all else that was is told as in doubt. */
function checkCounts(result: RunResult, written: number, { items }: Lookups): void {
	const { output, errors, error } = result;
	if (error) {
		const [, told = '0'] = / (\d+) of \d+ items were written/.exec(error.message) ?? [];
		return expect(written).toBeGreaterThanOrEqual(Number(told));
	}
	const counts = readSummary(result);
	expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(items.length);
	const failed = [...output, ...errors].filter(isFailure);
	expect(counts.failed ?? 0).toBe(failed.length);
	const unsure = failed.filter(({ json }) => JSON.stringify(json).includes('"maybeDone":true'));
	const untold = written - (counts.created ?? 0) - (counts.updated ?? 0);
	expect(untold).toBeGreaterThanOrEqual(0);
	expect(untold).toBeLessThanOrEqual(unsure.length);
}

/** A dry run tells what the next run does, and after that one nothing is left to do. */
async function judgeCalm(given: Lookups, service: FakeService): Promise<RunResult> {
	const { works } = service;
	const before = works.length;
	const dry = await lookUp(given, service, calm, { dryRun: true });
	expect(works).toHaveLength(before);
	const result = await lookUp(given, service, calm);
	checkCounts(result, countWrites(works.slice(before)), given);
	const told = summaryOf(dry).replace(dryRun, '').replaceAll('would be ', '');
	expect(told).toBe(summaryOf(result));
	const after = works.length;
	await lookUp(given, service, calm);
	expect(works).toHaveLength(after);
	return result;
}

async function judge(given: Lookups): Promise<void> {
	const service = openService(given);
	const { items, attempts, field, tries } = given;
	const isTrusted = !isMisled(given);
	const countAll = () => items.map(({ value }) => countOf(service, given, value));
	const atStart = countAll();
	let countBefore = countAll();
	let last: LookedUp | undefined;
	for (const attempt of attempts) {
		const { deleted } = attempt;
		if (deleted !== undefined) deleteFrom(service, given, deleted);
		for (const [index, { value }] of items.entries())
			if (value === deleted) atStart[index] = countBefore[index] = 0;
		const before = service.works.length;
		const retryOf = attempt.isRetry && last?.error ? last : undefined;
		const countNow = countAll();
		// What a Retry finds may be what the execution before has created.
		if (!retryOf) countBefore = countNow;
		const result = await lookUp(given, service, attempt, {}, retryOf);
		last = result;
		for (const [index, count] of countAll().entries()) {
			// One run creates nobody twice, even where a search is trusted that misses who is there, unless it
			// misses what a lost response may have left there.
			if (tries === 1)
				expect(count - countNow[index]).toBeLessThan(2 + (isTrusted ? 0 : result.doubts));
			if (isTrusted) expect(count).toBeLessThanOrEqual(Math.max(1, atStart[index]));
		}
		for (const { json, pairedItem } of result.output) {
			// An account that existed is never told as created, whatever was lost.
			if (field === 'domain' && isTrusted && json.outcome === 'created')
				expect(countBefore[originOf({ json, pairedItem }) ?? -1]).toBe(0);
			// Nobody is told who was deleted before. What a Retry has written stays done.
			if (!retryOf && typeof json.personId === 'string')
				expect(service.store.persons.get(json.personId)).toBeDefined();
		}
		// A search may find only one of two. Otherwise, nothing is done where there are several.
		for (const item of checkRecords(result, given))
			if (isTrusted && !result.hasSearched) expect(atStart[item]).toBeLessThan(2);
		// What was in doubt and is found may be what another item has created, or who was missed.
		const isCanceled = result.status === 'canceled';
		// A creation that is done and answered with 200 in place of 201 is told as found.
		const isToldAsFound = attempt.faults.some(
			(fault) => fault && 'status' in fault && fault.status === 200 && fault.body === 'record',
		);
		if (tries === 1 && !retryOf && isTrusted && !isCanceled && !isToldAsFound)
			checkCounts(result, countWrites(service.works.slice(before)), given);
	}
	if (!isTrusted) return;
	const calmly = { ...given, lookup: 'auto', onError: 'continueRegularOutput' } as const;
	const found = checkRecords(await judgeCalm(calmly, service), given);
	for (const [index, count] of countAll().entries()) {
		if (atStart[index] < 2) expect(found).toContain(index);
		expect(count).toBe(Math.max(1, atStart[index]));
	}
}

const settings = generated(150, 0.05);

test(
	'creates nobody twice and finds everybody, whatever fails and whenever it is killed',
	async () => await fc.assert(fc.asyncProperty(lookups, judge), settings),
	withinMs(settings),
);
