import { serve } from '../localServer.mts';
import { beforeRead, type Run } from './engine.mts';
import { runOffline } from './offline.mts';
import { openStage } from './stage.mts';

const stage = openStage();
// Shorter than each of the waits below, so that a run that does not end at once fails.
jest.setTimeout(40_000);

/** Cancels as soon as `isDue`. */
function cancelWhen(isDue: () => boolean): AbortSignal {
	const controller = new AbortController();
	const timer = setInterval(() => {
		if (!isDue()) return;
		clearInterval(timer);
		controller.abort();
	}, 2);
	return controller.signal;
}

const create = { resource: 'person', operation: 'create', name: '={{ $json.name }}' };
const items = Array.from({ length: 40 }, (_, i) => ({ name: `n${i}` }));

describe.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)(
	'a cancelled execution with %s',
	(onError) => {
		async function expectEnd(received: () => number, more: Partial<Run>, options: object = {}) {
			const signal = cancelWhen(() => received() > 0);
			const parameters = { ...create, options: { concurrency: 5, ...options } };
			const result = await stage.run(parameters, items, { onError, signal, ...more });
			expect(result.status).toBe('canceled');
			expect(result.output).toEqual([]);
			expect(result.errors).toEqual([]);
			expect(received()).toBeLessThanOrEqual(5);
		}
		const received = () => stage.sandbox.requests.length;

		test('ends at once while requests are in flight', async () => {
			let arrived = 0;
			const silent = await serve(async () => {
				arrived++;
				return await new Promise<never>(() => {});
			});
			const credential = { ...stage.credential, baseUrl: silent.url };
			await expectEnd(() => arrived, { credential });
			silent.close();
		});

		test('ends at once while the rate limit holds it back', async () => {
			const headers = { 'retry-after': '50' };
			stage.sandbox.faults.add({ kind: 'status', status: 429, headers, times: Infinity });
			await expectEnd(received, {});
		});

		test('ends at once while items wait for Requests per Second', async () => {
			await expectEnd(received, {}, { requestsPerSecond: 0.01 });
		});
	},
);

test('a list that is cancelled between pages returns nothing', async () => {
	stage.sandbox.store.addPersons(2000);
	stage.sandbox.latencyMs = 20;
	const list = { resource: 'person', operation: 'getAll', returnAll: true };
	const result = await stage.run(list, [{}, {}], {
		onError: 'continueRegularOutput',
		signal: cancelWhen(() => stage.sandbox.requests.length >= 6),
	});
	expect([result.status, result.output, result.errors]).toEqual(['canceled', [], []]);
	const pages = (2 * stage.sandbox.store.persons.size) / 100;
	expect(stage.sandbox.requests.length).toBeLessThan(pages);
});

test('a run that is cancelled while it reads parameters reads no more, and sends nothing', async () => {
	const controller = new AbortController();
	let last = 0;
	const handOver = beforeRead((_, item) => {
		last = Math.max(last, item);
		if (item === 150) controller.abort();
	});
	// An invalid item would stop a run that goes on.
	const many = Array.from({ length: 250 }, (_, i) => ({ name: i === 3 ? '' : `n${i}` }));
	const { signal } = controller;
	const parameters = { ...create, name: '={{ $json.name + "" }}' };
	const run = { parameters, items: many, signal, handOver, answer: () => ({ status: 500 }) };
	const { output, status, exchanges } = await runOffline(run);
	expect(last).toBe(150);
	expect([output, status, exchanges]).toEqual([[], 'canceled', []]);
});
