import { sleep } from 'n8n-workflow';
import { startOfTime } from '../clock.mts';
import type { PollingEngine } from './polledWorkflow.mts';
import { type Edit, engines, minuteMs, setUpPolling } from './pollingSetup.mts';
import { existingRecords, requestLimits } from '../../groups.mts';

const open = setUpPolling();

/** Of 80 records, ten to a page, a poll has time for some. */
const slowMs = 8_000;
const never = 20 * minuteMs;
const noResponse = 'The service took longer to respond than a poll may take';

describe.each(engines)('a list that takes longer than a poll (%s)', (engine) => {
	test.each([false, true])(
		'is read in several, and each record starts the workflow once (Existing Records: %p)',
		async (fromAll) => {
			const options = fromAll ? existingRecords() : {};
			const setup = open({ event: 'newPerson', engine, options });
			const { workflow, service } = setup;
			setup.addMany(80);
			setup.respondAfter(slowMs);
			await setup.publish();
			// All of n8n may wait for it.
			expect(Date.now() - startOfTime).toBeLessThanOrEqual(30_000);
			expect(workflow.items.length).toBeLessThan(80);
			setup.add('meanwhile');
			await setup.poll(6);
			expect(workflow.failed).toEqual([]);
			const all = service.facts.map(({ id }) => id);
			expect(setup.ids.sort()).toEqual(fromAll ? all.sort() : ['meanwhile']);
			expect(workflow.executions.length > 1).toBe(fromAll);
		},
	);
});

test.each([
	[{}, 60_000, 0],
	[{ timeout: 5_000, requestsPerSecond: 1 }, 5_000, 7_000],
])('with the limits %j, waits for data and between requests', async (limits, timeoutMs, ms) => {
	const setup = open({ event: 'newPerson', options: requestLimits(limits) });
	setup.addMany(80);
	await setup.publish();
	const passed = Date.now() - startOfTime;
	expect(passed).toBeGreaterThanOrEqual(ms);
	expect(passed).toBeLessThan(ms + 7_000);
	// The first poll has less time.
	await setup.poll();
	expect(setup.requests.at(-1)?.timeoutMs).toBe(timeoutMs);
});

test('pages of a thousand that take too long are asked for as a hundred', async () => {
	const setup = open({ event: 'newPerson' });
	const { workflow, service } = setup;
	setup.addMany(80);
	service.largestLimit = 1_000;
	service.onRequest = async ({ query }) => {
		if (Number(query.limit) > 100) await sleep(never);
		return undefined;
	};
	await setup.publish();
	setup.add('meanwhile');
	await setup.poll();
	expect(workflow.failed).toEqual([]);
	expect(setup.ids).toEqual(['meanwhile']);
});

const hangs =
	(path?: RegExp): Edit =>
	(setup) =>
		setup.respondAfter(never, path);
const asksForPause =
	(status: number): Edit =>
	(setup) =>
		setup.respond({ status, headers: { 'retry-after': '60' }, body: { message: 'no' } });

test.each<[what: string, engine: PollingEngine, budgetMs: number, message: string, fail: Edit]>([
	['all requests hang', 'scheduler', 36_000, noResponse, hangs()],
	['all requests hang', 'memory', 5 * minuteMs, noResponse, hangs()],
	['interactions hang', 'scheduler', 36_000, noResponse, hangs(/interactions$/)],
	['the service is busy', 'scheduler', 36_000, '(503)', asksForPause(503)],
	['the rate limit is reached', 'scheduler', 36_000, '(429)', asksForPause(429)],
])('a poll ends while %s, which is told once (%s)', async (_, engine, budgetMs, message, fail) => {
	const options = { includeInteractions: true };
	const setup = await open({ event: 'newSession', engine, options }).publish();
	fail(setup);
	for (const id of ['first', 'second']) {
		setup.add(id);
		const begun = Date.now();
		await setup.poll();
		expect(Date.now() - begun).toBeLessThanOrEqual(minuteMs + budgetMs);
	}
	expect(setup.workflow.failed).toEqual([expect.stringContaining(message)]);
	setup.recover();
	await setup.poll();
	expect(setup.ids).toEqual(['first', 'second']);
});

test('a service that takes more than half of a poll for each page is read all the same', async () => {
	const setup = open({ event: 'newPerson', engine: 'scheduler' });
	setup.service.largestLimit = 1_000;
	setup.addMany(80);
	setup.respondAfter(20_000);
	await expect(setup.publish()).rejects.toThrow(noResponse);
	await setup.publish();
	setup.add('first');
	setup.add('second');
	await setup.poll(12);
	expect(setup.ids.sort()).toEqual(['first', 'second']);
	expect(setup.workflow.failed).toEqual([]);
});
