import fc from 'fast-check';
import { generated, withinMs } from '../../generated.mts';
import { Place, readSummary, type Scenario, scenarios } from './counts.mts';

const calm = { onError: 'continueRegularOutput', faults: [], concurrency: 3 } as const;

const settings = generated(300, 0.02);
const holds = (name: string, judge: (scenario: Scenario) => Promise<void>) =>
	test(
		name,
		async () => await fc.assert(fc.asyncProperty(scenarios, judge), settings),
		withinMs(settings),
	);

holds('a dry run counts what the run after it does', async (scenario) => {
	const { items, known, concurrency } = scenario;
	const place = new Place(scenario);
	if (known.length > 0) await place.run(known, calm);
	const before = place.writes.length;
	const dry = await place.run(items, { ...calm, concurrency }, { dryRun: true });
	expect(place.writes.length).toBe(before);
	expect(dry.hints.join()).toMatch(/Dry run, nothing was changed|^\d+ failed/);
	const told = readSummary(dry);
	const real = readSummary(await place.run(items, { ...calm, concurrency }));
	const count = (counts: Record<string, number>, ...words: string[]) =>
		words.reduce((sum, word) => sum + (counts[word] ?? 0), 0);
	expect({
		created: count(told, 'would be created'),
		updated: count(told, 'would be updated'),
		found: count(told, 'found'),
		unchanged: count(told, 'unchanged'),
		sent: count(told, 'would be sent unless already written'),
		failed: count(told, 'failed'),
	}).toEqual({
		created: count(real, 'created'),
		updated: count(real, 'updated'),
		found: count(real, 'found'),
		unchanged: count(real, 'unchanged'),
		sent: count(real, 'written', 'skipped'),
		failed: count(real, 'failed'),
	});
	const sum = Object.values(real).reduce((total, each) => total + each, 0);
	expect(sum).toBe(items.length);
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
	if (failed > 0) {
		const names =
			failed > 3 ? `${errors.slice(0, 3).join(', ')} and ${failed - 3} more` : undefined;
		expect(result.hints.join('; ')).toContain(`${failed} failed (item${failed > 1 ? 's' : ''} `);
		if (names) expect(result.hints.join('; ')).toContain(`items ${names})`);
	}
	// Everything else was left as it was.
	const left = Object.values(rest).reduce((sum, each) => sum + each, 0);
	expect(left).toBe(items.length - (one + written + two) - errors.length);
	const words = { createOrGet: ['found'], upsert: ['unchanged'], sync: ['skipped'] }[operation];
	expect(words).toEqual(expect.arrayContaining(Object.keys(rest)));
});
