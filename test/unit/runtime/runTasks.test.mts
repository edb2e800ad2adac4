import { type Result, runTasks, type Task } from '../../../nodes/runtime/runTasks.ts';

/** Tasks that end on demand. */
function makeTasks(keys: string[][]) {
	const started: number[] = [];
	const enders: Array<{ done: () => void; fail: () => void }> = [];
	const tasks: Array<Task<number>> = keys.map((own, i) => ({
		locks: own,
		run: async () =>
			await new Promise<number>((resolve, reject) => {
				started.push(i);
				enders[i] = { done: () => resolve(i), fail: () => reject(new Error(`task ${i}`)) };
			}),
	}));
	const settle = async () => await new Promise((resolve) => setImmediate(resolve));
	return {
		tasks,
		started,
		end: async (...which: number[]) => {
			for (const i of which) enders[i].done();
			await settle();
		},
		fail: async (i: number) => {
			enders[i].fail();
			await settle();
		},
		settle,
	};
}

const free = (count: number) => Array.from({ length: count }, () => []);
const statuses = (results: Array<Result<unknown>>) => results.map(({ status }) => status);

test('returns results in the order of the tasks', async () => {
	const { tasks, end, settle } = makeTasks(free(4));
	const running = runTasks(tasks, 4, () => true);
	await settle();
	for (const i of [3, 1, 0, 2]) await end(i);
	expect(await running).toEqual([0, 1, 2, 3].map((value) => ({ status: 'done', value })));
});

test('runs no more than `concurrency` tasks at once', async () => {
	const { tasks, started, end, settle } = makeTasks(free(5));
	const running = runTasks(tasks, 2, () => true);
	await settle();
	expect(started).toEqual([0, 1]);
	await end(1);
	expect(started).toEqual([0, 1, 2]);
	await end(0, 2);
	expect(started).toEqual([0, 1, 2, 3, 4]);
	await end(3, 4);
	await running;
});

test('runs tasks that share a key one after another, and others in parallel', async () => {
	const { tasks, started, end, settle } = makeTasks([['a'], ['a'], ['b'], ['a', 'b'], ['b'], []]);
	const running = runTasks(tasks, 10, () => true);
	await settle();
	expect(started).toEqual([0, 2, 5]);
	await end(0);
	expect(started).toEqual([0, 2, 5, 1]);
	await end(2);
	expect(started).toHaveLength(4);
	await end(1);
	expect(started).toEqual([0, 2, 5, 1, 3]);
	await end(3, 5);
	expect(started).toEqual([0, 2, 5, 1, 3, 4]);
	await end(4);
	await running;
});

test('gives the place of a waiting task to the next one', async () => {
	const { tasks, started, end, settle } = makeTasks([['a'], ['a'], ['a'], [], []]);
	const running = runTasks(tasks, 2, () => true);
	await settle();
	expect(started).toEqual([0, 3]);
	await end(3);
	expect(started).toEqual([0, 3, 4]);
	await end(0, 4);
	await end(1);
	await end(2);
	await running;
});

test('does not put a task that waited for another one behind all others', async () => {
	const { tasks, started, end, settle } = makeTasks([['a'], ['a'], [], [], [], []]);
	const running = runTasks(tasks, 1, () => true);
	await settle();
	await end(0);
	for (const i of [0, 1, 2, 3, 4]) {
		expect(started).toHaveLength(i + 2);
		await end(started[i + 1]);
	}
	await running;
	expect(started.indexOf(1)).toBeLessThanOrEqual(3);
	expect(started.filter((i) => i !== 1)).toEqual([0, 2, 3, 4, 5]);
});

test('lets other work run while many tasks do theirs at once', async () => {
	let ran = 0;
	let ranBefore = Infinity;
	setImmediate(() => (ranBefore = ran));
	const run = async () => {
		const until = performance.now() + 5;
		while (performance.now() < until);
		return await Promise.resolve(ran++);
	};
	const tasks = Array.from({ length: 40 }, () => ({ locks: [], run }));
	await runTasks(tasks, 100, () => true);
	expect(ran).toBe(40);
	expect(ranBefore).toBeLessThan(20);
});

describe('after a task has failed', () => {
	test('ends although a task that waits for another one has no slot yet', async () => {
		const { tasks, started, fail, settle } = makeTasks([['k'], ['k'], []]);
		const running = runTasks(tasks, 1, () => false);
		await settle();
		await fail(0);
		expect(started).toEqual([0]);
		expect(statuses(await running)).toEqual(['failed', 'not started', 'not started']);
	});

	test('starts no further task when the run stops, and waits for those under way', async () => {
		const { tasks, started, end, fail, settle } = makeTasks([[], ['k'], ['k'], [], []]);
		const running = runTasks(tasks, 3, () => false);
		await settle();
		expect(started).toEqual([0, 1, 3]);
		await fail(0);
		expect(started).toHaveLength(3);
		await end(1, 3);
		const [left, done] = ['not started', 'done'];
		expect(statuses(await running)).toEqual(['failed', done, left, done, left]);
	});

	test('runs the others when the run continues', async () => {
		const { tasks, end, fail, settle } = makeTasks([['k'], ['k'], []]);
		const running = runTasks(tasks, 2, () => true);
		await settle();
		await fail(0);
		await end(2, 1);
		expect(statuses(await running)).toEqual(['failed', 'done', 'done']);
	});

	test('counts a task that throws synchronously as failed', async () => {
		const run = () => {
			throw new Error('at once');
		};
		const results = await runTasks([{ locks: [], run }], 1, () => true);
		expect(results).toEqual([{ status: 'failed', error: new Error('at once') }]);
	});
});

test('finishes a thousand tasks with one key, and none at all', async () => {
	const order: number[] = [];
	const tasks = Array.from({ length: 1_000 }, (_, i) => ({
		locks: ['k'],
		run: async () => await Promise.resolve(order.push(i)),
	}));
	await runTasks(tasks, 10, () => true);
	expect(order).toEqual([...order].sort((a, b) => a - b));
	expect(order).toHaveLength(1_000);
	expect(await runTasks([], 10, () => true)).toEqual([]);
});
