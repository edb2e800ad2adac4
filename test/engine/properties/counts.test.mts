import fc from 'fast-check';
import { generated, withinMs } from '../../generated.mts';
import { Place, readSummary, type Scenario, scenarios } from './counts.mts';

const calm = { onError: 'continueRegularOutput', faults: [], concurrency: 3 } as const;

const settings = generated(60, 0.02);
const holds = (
	name: string,
	judge: (scenario: Scenario) => Promise<void>,
	some: fc.Arbitrary<Scenario> = scenarios,
) =>
	test(
		name,
		async () => await fc.assert(fc.asyncProperty(some, judge), settings),
		withinMs(settings),
	);

holds(
	'a dry run counts what the run after it does',
	async (scenario) => {
		const { items, known, concurrency } = scenario;
		const place = new Place(scenario);
		if (known.length > 0) await place.run(known, calm);
		const before = place.writes.length;
		const dry = await place.run(items, { ...calm, concurrency }, { dryRun: true });
		expect(place.writes.length).toBe(before);
		expect(dry.hints.join()).toMatch(/Dry run, nothing was changed|^\d+ failed/);
		const told = readSummary(dry);
		const real = readSummary(await place.run(items, { ...calm, concurrency }));
		const count = (counts: Record<string, number>, word: string) => counts[word] ?? 0;
		expect({
			created: count(told, 'would be created'),
			updated: count(told, 'would be updated'),
			found: count(told, 'found'),
			unchanged: count(told, 'unchanged'),
			written: count(told, 'would be written'),
			skipped: count(told, 'skipped'),
			failed: count(told, 'failed'),
		}).toEqual({
			created: count(real, 'created'),
			updated: count(real, 'updated'),
			found: count(real, 'found'),
			unchanged: count(real, 'unchanged'),
			written: count(real, 'written'),
			skipped: count(real, 'skipped'),
			failed: count(real, 'failed'),
		});
		const sum = Object.values(real).reduce((total, each) => total + each, 0);
		expect(sum).toBe(items.length);
		// In a dry run, a sync looks nothing up.
	},
	scenarios.filter(({ operation }) => operation !== 'sync'),
);

holds('the same items again write nothing', async (scenario) => {
	const { items, known } = scenario;
	const place = new Place(scenario);
	if (known.length > 0) await place.run(known, calm);
	const { output } = await place.run(items, calm);
	place.writes.length = 0;
	await place.run(items, calm);
	// Two names of one account take turns.
	const names = new Map<unknown, Set<unknown>>();
	for (const [item, { json }] of output.entries())
		names.set(json.accountId, (names.get(json.accountId) ?? new Set()).add(items[item].name));
	if ([...names.values()].every(({ size }) => size === 1)) expect(place.writes).toEqual([]);
});

holds('the summary and the error of a run count what the service wrote', async (scenario) => {
	const { items, known, operation } = scenario;
	const place = new Place(scenario);
	if (known.length > 0) await place.run(known, calm);
	place.writes.length = 0;
	const result = await place.run(items);
	const done = (method: string) =>
		place.writes.filter((write) => write.done && write.method === method).length;
	const [created, updated] = [done('POST'), done('PATCH')];
	if (result.error) {
		const [, written] = / (\d+) of \d+ items were written/.exec(result.error.message) ?? [];
		if (items.length === 1) return expect(written).toBeUndefined();
		// The item that failed may have been written, and its description says so.
		const { message, description } = result.error as Error & { description?: string };
		const mostUnsure = `${message} ${description}`.includes('may have been') ? 1 : 0;
		const unsaid = created + updated - Number(written);
		expect([0, mostUnsure]).toContain(unsaid);
		return;
	}
	const {
		created: one = 0,
		updated: two = 0,
		written = 0,
		failed = 0,
		...rest
	} = readSummary(result);
	const errors = result.output.flatMap(({ json }, item) =>
		json.error === undefined ? [] : [item],
	);
	// What failed may have been written, and its item says so.
	const unsure = errors.filter((item) => /may have been/.test(JSON.stringify(result.output[item])));
	const unsaid = created + updated - (one + written + two);
	expect(unsaid).toBeGreaterThanOrEqual(0);
	expect(unsaid).toBeLessThanOrEqual(unsure.length);
	if (unsure.length === 0) expect([one + written, two]).toEqual([created, updated]);
	expect(failed).toBe(errors.length);
	if (failed > 0 && failed < items.length) {
		const names = errors.slice(0, 3).map(String);
		if (failed > 3) names.push(`${failed - 3} more`);
		const listed = names.join(', ').replace(/, (?=[^,]*$)/, ' and ');
		expect(result.hints.join('; ')).toContain(
			`${failed} failed (item${failed > 1 ? 's' : ''} ${listed}, counted from 0)`,
		);
	}
	// Everything else was left as it was.
	const left = Object.values(rest).reduce((sum, each) => sum + each, 0);
	expect(left).toBe(items.length - (one + written + two) - errors.length);
	const words = { createOrGet: ['found'], upsert: ['unchanged'], sync: ['skipped'] }[operation];
	expect(words).toEqual(expect.arrayContaining(Object.keys(rest)));
});

holds(
	'the report of a run counts what its hint says and what the service wrote',
	async (scenario) => {
		const { items, known } = scenario;
		const place = new Place(scenario);
		if (known.length > 0) await place.run(known, calm);
		for (const isDry of [true, false]) {
			place.writes.length = 0;
			const onError = 'continueRegularOutput';
			const options = { report: true, ...(isDry && { dryRun: true }) };
			const result = await place.run(items, { onError }, options);
			expect(result.output).toHaveLength(1);
			const { pairedItem, json } = result.output[0];
			expect(pairedItem).toEqual(items.map((_, item) => ({ item })));
			const { dryRun, total, waitedSeconds, failures, moreFailures, ...counts } = json;
			expect([dryRun, total, waitedSeconds, moreFailures]).toEqual([
				// Nothing is known of a dry run whose items are all invalid.
				counts.failed === total ? dryRun : isDry || undefined,
				items.length,
				0,
				0,
			]);
			const some = Object.entries(counts).filter(([, count]) => count !== 0);
			expect(some.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(total);
			const words = { wouldCreate: 'would be created', wouldUpdate: 'would be updated' };
			const names: Record<string, string> = { ...words, wouldWrite: 'would be written' };
			const told = some.map(([name, count]) => [names[name] ?? name, count]);
			expect(Object.fromEntries(told)).toEqual(readSummary(result));
			const list = failures as Array<{ maybeDone: boolean }>;
			expect(list).toHaveLength(Number(counts.failed));
			const done = place.writes.filter((write) => write.done).length;
			const { created = 0, updated = 0, written = 0 } = counts as Record<string, number>;
			const unsaid = done - (created + updated + written);
			expect(unsaid).toBeGreaterThanOrEqual(0);
			expect(unsaid).toBeLessThanOrEqual(list.filter(({ maybeDone }) => maybeDone).length);
		}
	},
);
