import fc from 'fast-check';
import { sleep } from 'n8n-workflow';
import { runTasks, type Task } from '../../../nodes/runtime/runTasks.ts';
import { generated } from '../../generated.mts';

/** On a busy machine, the tasks yield to the event loop with a timer: one that is begun later ends later. */
const settle = async () => {
	await sleep(0);
	await new Promise((resolve) => setImmediate(resolve));
};

/** Tasks that end on demand. */
function makeTasks(keys: string[][]) {
	const started: number[] = [];
	const enders: Array<{ done: () => void; fail: () => void }> = [];
	const tasks: Array<Task<number>> = keys.map((locks, i) => ({
		locks,
		run: async () =>
			await new Promise<number>((resolve, reject) => {
				started.push(i);
				enders[i] = { done: () => resolve(i), fail: () => reject(new Error(`task ${i}`)) };
			}),
	}));
	const finish = async (how: 'done' | 'fail', ...which: number[]) => {
		for (const i of which) enders[i][how]();
		await settle();
	};
	return { tasks, started, finish };
}

/** Tasks with some keys, how many run at once, and which of those under way ends next. */
const runs = fc.record({
	keys: fc.array(fc.subarray(['a', 'b', 'c'], { maxLength: 2 }), { maxLength: 8 }),
	concurrency: fc.integer({ min: 1, max: 4 }),
	next: fc.array(fc.nat(7), { minLength: 8, maxLength: 8 }),
});

test('tasks that share a key run in order, as many others as may be at once, and none waits in vain', async () => {
	await fc.assert(
		fc.asyncProperty(runs, async ({ keys, concurrency, next }) => {
			const { tasks, started, finish } = makeTasks(keys);
			const ended = new Set<number>();
			const underWay = () => started.filter((i) => !ended.has(i));
			/** Whether one before it, which has not ended, shares a key. */
			const waits = (i: number) =>
				keys.some((own, n) => n < i && !ended.has(n) && own.some((key) => keys[i].includes(key)));
			const running = runTasks(tasks, concurrency, () => true);
			await settle();
			while (ended.size < tasks.length) {
				const free = keys.flatMap((_, i) => (started.includes(i) || waits(i) ? [] : [i]));
				expect(underWay().filter(waits)).toEqual([]);
				// No slot is empty while a task could have it.
				expect(underWay().length).toBe(Math.min(concurrency, underWay().length + free.length));
				const which = underWay()[next[ended.size] % underWay().length];
				ended.add(which);
				await finish('done', which);
			}
			expect(await running).toEqual(tasks.map((_, value) => ({ status: 'done', value })));
		}),
		generated(200),
	);
});

test('a task that waited for another one is not behind all others', async () => {
	const { tasks, started, finish } = makeTasks([['a'], ['a'], [], [], [], []]);
	const running = runTasks(tasks, 1, () => true);
	await settle();
	for (let n = 0; n < 6; n++) await finish('done', started[n]);
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

const [failed, done, left] = ['failed', 'done', 'not started'];
const [k, none] = [['k'], []];
const three = [k, k, none];
const five = [none, k, k, none, none];

test.each<[what: string, keys: string[][], most: number, goesOn: boolean, expected: string[]]>([
	['ends although one that waits has no slot yet', three, 1, false, [failed, left, left]],
	['ends with those under way', five, 3, false, [failed, done, left, done, left]],
	['runs the others when the run continues', three, 2, true, [failed, done, done]],
])('after a task has failed, the run %s', async (_, keys, most, goesOn, expected) => {
	const { tasks, started, finish } = makeTasks(keys);
	const running = runTasks(tasks, most, () => goesOn);
	await settle();
	await finish('fail', 0);
	for (let n = 1; n < started.length; n++) await finish('done', started[n]);
	expect((await running).map(({ status }) => status)).toEqual(expected);
});

test('a task that throws synchronously has failed', async () => {
	const run = () => {
		throw new Error('at once');
	};
	const results = await runTasks([{ locks: [], run }], 1, () => true);
	expect(results).toEqual([{ status: 'failed', error: new Error('at once') }]);
});

test('finishes a thousand tasks with one key', async () => {
	const order: number[] = [];
	const tasks = Array.from({ length: 1_000 }, (_, i) => ({
		locks: ['k'],
		run: async () => await Promise.resolve(order.push(i)),
	}));
	await runTasks(tasks, 10, () => true);
	expect(order).toEqual(Array.from({ length: 1_000 }, (_, i) => i));
});
