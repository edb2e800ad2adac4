import fc from 'fast-check';
import { hashContent } from '../../../../nodes/runtime/canonical.ts';
import { generated } from '../../../generated.mts';
import { type Execution, type Repeats, World } from './world.mts';

// Thousands of histories take long on a busy machine.
jest.setTimeout(300_000);

const people = ['ann', 'ben', 'cem', 'dia', 'eva', 'fay'];

/** A record of one of a few people, in one of a few versions, so that earlier contents return. */
const record = fc
	.tuple(fc.constantFrom(...people), fc.integer({ min: 0, max: 3 }))
	.map(([person, version]) => `${person} ${version}`);
const records = fc.array(record, { maxLength: 12 });

const healthy: fc.Arbitrary<Execution> = fc.record({ records });
const dry: fc.Arbitrary<Execution> = fc.record({ records, isDryRun: fc.constant(true) });
const killed: fc.Arbitrary<Execution> = fc.record({
	records,
	killedAt: fc.integer({ min: 0, max: 80 }),
	isDryRun: fc.constantFrom(false, false, true),
});
const failing: fc.Arbitrary<Execution> = fc.record(
	{
		records,
		rejected: fc.array(record, { maxLength: 3 }),
		unanswered: fc.array(record, { maxLength: 3 }),
		stops: fc.boolean(),
		isDryRun: fc.constantFrom(false, false, true),
		killedAt: fc.integer({ min: 0, max: 100 }),
		storeFails: fc.array(
			fc.record({
				call: fc.integer({ min: 0, max: 16 }),
				when: fc.constantFrom('before' as const, 'after' as const),
			}),
			{ maxLength: 4 },
		),
	},
	{ requiredKeys: ['records'] },
);

/** Every execution is tried again some times, with the same records, as n8n's Retry does. */
const retried = (execution: fc.Arbitrary<Execution>): fc.Arbitrary<Execution[]> =>
	fc
		.tuple(execution, fc.array(execution, { maxLength: 3 }))
		.map(([first, more]) => [first, ...more.map((each) => ({ ...each, records: first.records }))]);

const nights = (execution: fc.Arbitrary<Execution>): fc.Arbitrary<Execution[]> =>
	fc.array(retried(execution), { minLength: 1, maxLength: 5 }).map((each) => each.flat());

const repeats: fc.Arbitrary<Repeats> = fc.constantFrom('honoured', 'refused', 'ignored');
const settings = fc.record({
	repeats,
	chunkSize: fc.integer({ min: 1, max: 8 }),
	bound: fc.integer({ min: 3, max: 12 }),
	mostRemoved: fc.integer({ min: 1, max: 8 }),
});

async function runAll(world: World, executions: Execution[]): Promise<void> {
	for (const execution of executions) await world.run(execution);
}

test('no record is skipped that was not confirmed, and a clean run leaves no gap', async () => {
	await fc.assert(
		fc.asyncProperty(
			settings,
			nights(fc.oneof(killed, failing)),
			records,
			async (how, all, last) => {
				const world = new World(how);
				await runAll(world, all);
				await world.run({ records: last });
				expect(world.lost).toEqual([]);
				expect(last.filter((each) => !world.stored.has(each))).toEqual([]);
				if (how.repeats !== 'ignored') expect(world.doubles).toBe(0);
			},
		),
		generated(1_000, 0.05),
	);
});

test('no record is skipped that was not confirmed while executions on two workers overwrite each other', async () => {
	const pair = fc.tuple(failing, failing);
	await fc.assert(
		fc.asyncProperty(
			settings,
			fc.array(pair, { minLength: 1, maxLength: 4 }),
			records,
			fc.scheduler(),
			async (how, pairs, last, scheduler) => {
				const takeTurn = async () => await scheduler.schedule(Promise.resolve());
				const world = new World({ ...how, takeTurn });
				for (const executions of pairs) {
					const running = Promise.all(executions.map(async (each) => await world.run(each)));
					await scheduler.waitFor(running);
				}
				await scheduler.waitFor(world.run({ records: last }));
				expect(world.lost).toEqual([]);
				expect(last.filter((each) => !world.stored.has(each))).toEqual([]);
			},
		),
		generated(600, 0.03),
	);
});

test('each kill repeats at most the chunk under way where the service ignores keys', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.integer({ min: 1, max: 8 }),
			nights(fc.oneof(killed, healthy)),
			async (chunkSize, all) => {
				const world = new World({ repeats: 'ignored', chunkSize, bound: 100 });
				let before = 0;
				let underWay = 0;
				for (const execution of all) {
					const finished = await world.run(execution);
					underWay += finished ? 0 : chunkSize;
					expect(world.doubles).toBeLessThanOrEqual(underWay);
					expect(world.doubles).toBeGreaterThanOrEqual(before);
					before = world.doubles;
				}
			},
		),
		generated(600, 0.03),
	);
});

test('a dry run between any others leaves the store as it was, and shows what the next run sends', async () => {
	await fc.assert(
		fc.asyncProperty(
			settings,
			nights(fc.oneof(killed, failing, dry)),
			records,
			async (how, all, last) => {
				const world = new World({ ...how, bound: 100 });
				await runAll(world, all);
				const before = [...(world.entries ?? [])].sort();
				const looked = await world.run({ records: last, isDryRun: true });
				expect([...(world.entries ?? [])].sort()).toEqual(before);
				const open = new Set(last.filter((each) => !looked?.has(each)));
				const { sent } = world;
				await world.run({ records: last });
				expect(world.sent - sent).toBe(open.size);
			},
		),
		generated(500, 0.02),
	);
});

test('the store stays bounded however runs end', async () => {
	await fc.assert(
		fc.asyncProperty(
			settings,
			fc.array(fc.oneof(killed, failing, healthy), { minLength: 20, maxLength: 60 }),
			async (how, all) => {
				const world = new World(how);
				const unique = all.map((each, night) => ({
					...each,
					records: each.records.map((one) => `${one} in night ${night}`),
				}));
				await runAll(world, unique);
				expect(world.mostEntries).toBeLessThanOrEqual(5.25 * how.bound);
			},
		),
		generated(100, 0.003),
	);
});

/** The contacts of a CRM, of which some change every night. */
function makeNight(night: number, size: number, changes: number): string[] {
	return Array.from({ length: size }, (_, contact) => {
		const isIn = (each: number) => (contact + each * changes) % size < changes;
		const lastChange = Array.from({ length: night }, (__, back) => night - back).find(isIn) ?? 0;
		return `contact ${contact} changed in night ${lastChange}`;
	});
}

test('a hundred nights send each change once and keep the store bounded', async () => {
	const bound = 200;
	const world = new World({ repeats: 'ignored', chunkSize: 10, bound });
	for (let night = 0; night <= 100; night++) {
		const sentBefore = world.sent;
		const failure = `contact ${night % 100} changed in night 0`;
		await world.run({
			records: makeNight(night, 100, 3),
			rejected: [failure],
		});
		expect(world.sent - sentBefore).toBeLessThanOrEqual(night === 0 ? 100 : 4);
	}
	expect(world.doubles).toBe(0);
	expect(world.mostEntries).toBeLessThanOrEqual(1.25 * bound + 2 * 10);
});

test('a night without changes removes a tenth of its records at most, and one change a few more', async () => {
	const world = new World({ repeats: 'ignored', chunkSize: 1_600, bound: 50_000 });
	const records = Array.from({ length: 40_000 }, (_, contact) => hashContent(contact));
	await world.run({ records });
	world.removed = 0;
	await world.run({ records });
	expect(world.removed).toBeLessThanOrEqual(4_000);
	for (const changed of [records.with(700, 'changed'), records.slice(1), ['new', ...records]]) {
		const { sent, removed } = world;
		await world.run({ records: changed });
		expect(world.sent - sent).toBeLessThanOrEqual(1);
		expect(world.removed - removed).toBeLessThanOrEqual(4_000);
	}
	expect(world.doubles).toBe(0);
});

test('runs that are always killed do not fill the store without an end', async () => {
	const bound = 10;
	const world = new World({ repeats: 'ignored', chunkSize: 5, bound });
	for (let night = 0; night < 50; night++) {
		const records = Array.from({ length: 5 }, (_, contact) => `contact ${night}.${contact}`);
		await world.run({ records, killedAt: 8 });
	}
	expect(world.mostEntries).toBeLessThanOrEqual(5 * bound);
});

test('two lists that take turns at one node are each sent once', async () => {
	const world = new World({ repeats: 'ignored', chunkSize: 10, bound: 200 });
	const lists = ['hubspot', 'pipedrive'].map((list) =>
		Array.from({ length: 50 }, (_, contact) => `${list} ${contact}`),
	);
	for (let night = 0; night < 10; night++) {
		for (const list of lists) await world.run({ records: list });
	}
	expect(world.sent).toBe(100);
});

test('a run of more records than the bound sends each of them once and leaves the store alone', async () => {
	const world = new World({ repeats: 'honoured', chunkSize: 2, bound: 4 });
	const run = { records: ['a', 'b', 'a', 'c', 'd', 'e'] };
	const first = await world.run(run);
	expect(first?.tooMany).toBe(true);
	expect(world.sent).toBe(5);
	await world.run(run);
	expect(world.sent).toBe(10);
	expect(world.mostEntries).toBe(0);
	const asManyAsFit = await world.run({ records: ['a', 'b', 'c', 'd'] });
	expect(asManyAsFit?.tooMany).toBe(false);
});

test('what a chunk confirms is removed in one call of the store', async () => {
	const world = new World({ repeats: 'ignored', chunkSize: 10, bound: 200 });
	await world.run({ records: Array.from({ length: 30 }, (_, contact) => `contact ${contact}`) });
	expect(world.removals).toBe(3);
});

test('what a chunk confirms is removed in several calls of a large store, the fewer entries the larger it is', async () => {
	const world = new World({ repeats: 'ignored', chunkSize: 6, bound: 18, mostRemoved: 2 });
	const removals: number[] = [];
	for (let night = 0; night < 3; night++) {
		const before = world.removals;
		await world.run({ records: Array.from({ length: 6 }, (_, i) => `contact ${night}.${i}`) });
		removals.push(world.removals - before);
	}
	// Of stores of 12, 18 and 24 entries, as many as keep removed entries times entries at 36.
	expect(removals).toEqual([2, 3, 3]);
});

test('a call of the store that fails twice is told, and its records are sent', async () => {
	const world = new World({ repeats: 'honoured', chunkSize: 2, bound: 10 });
	const run = { records: ['a', 'b', 'c', 'd'] };
	await world.run(run);
	const failed = await world.run({
		...run,
		storeFails: [0, 1].map((call) => ({ call, when: 'before' })),
	});
	expect(failed?.failure).toEqual(new Error('The database is locked'));
	expect(world.sent).toBe(6);
	const recovered = await world.run(run);
	expect(recovered?.failure).toBeUndefined();
	expect(world.sent).toBe(6);
});

test('a call of the store that fails once is made again', async () => {
	const world = new World({ repeats: 'honoured', chunkSize: 2, bound: 10 });
	const run = { records: ['a', 'b'] };
	const first = await world.run({ ...run, storeFails: [{ call: 0, when: 'before' }] });
	expect(first?.failure).toBeUndefined();
	await world.run(run);
	expect(world.sent).toBe(2);
});

test('batches of a loop, and a run that stops, do not forget the records of the others', async () => {
	const bound = 40;
	const world = new World({ repeats: 'ignored', chunkSize: 10, bound });
	const batches = Array.from({ length: 25 }, (_, batch) =>
		Array.from({ length: 2 }, (__, contact) => `contact ${batch}.${contact}`),
	);
	for (let night = 0; night < 2; night++) {
		for (const records of batches) await world.run({ records });
	}
	expect(world.sent).toBe(50);
	const records = [...batches.flat().slice(0, 20), 'rejected', 'new'];
	await world.run({ records, rejected: ['rejected'], stops: true });
	await world.run({ records: batches.flat().slice(20, 40) });
	expect(world.doubles).toBe(0);
});

test('a record in doubt stays so when the store is filled again', async () => {
	const world = new World({ repeats: 'refused', chunkSize: 5, bound: 4 });
	const unanswered = ['lost'];
	for (let night = 0; night < 20; night++) {
		await world.run({ records: [`ann ${night}`, `ben ${night}`, 'lost'], unanswered });
		expect(world.entries?.length).toBeLessThanOrEqual(6);
		expect(world.entries).toContain('lost?');
	}
	const written = await world.run({ records: ['lost'] });
	expect(written?.isDoubtful('lost')).toBe(true);
});

test('batches of a loop, each moved by a record every night, send each record once', async () => {
	const bound = 1_000;
	const world = new World({ repeats: 'ignored', chunkSize: 250, bound });
	let records = Array.from({ length: 800 }, (_, contact) => hashContent(contact));
	for (let night = 0; night < 20; night++) {
		for (let start = 0; start < records.length; start += 10)
			await world.run({ records: records.slice(start, start + 10) });
		records = [hashContent(`new in night ${night}`), ...records.slice(0, -1)];
	}
	expect(world.doubles).toBe(0);
});
