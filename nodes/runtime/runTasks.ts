import { Yielder } from './eventLoop';

export interface Task<T> {
	/** Tasks that share one run one after another, in the order of the list. */
	locks: string[];
	run: () => Promise<T>;
}

export type Result<T> =
	| { status: 'done'; value: T }
	| { status: 'failed'; error: unknown }
	| { status: 'not started' };

/**
 * Runs tasks in parallel, at most `concurrency` at once, and waits for all that were started.
 * @param mayGoOn asked after a task has failed; false starts no further one
 * @returns one result per task, in the order of the list
 */
export async function runTasks<T>(
	tasks: Array<Task<T>>,
	concurrency: number,
	mayGoOn: (error: unknown) => boolean,
): Promise<Array<Result<T>>> {
	const results = new Array<Result<T>>(tasks.length).fill({ status: 'not started' });
	const slots = openSlots(concurrency);
	const lastOf = new Map<string, Promise<void>>();
	const all: Array<Promise<void>> = [];
	let stopped = false;

	const runInSlot = async ({ run }: Task<T>, index: number) => {
		try {
			if (!stopped) results[index] = { status: 'done', value: await run() };
		} catch (error) {
			results[index] = { status: 'failed', error };
			stopped ||= !mayGoOn(error);
		} finally {
			slots.give();
		}
	};

	// What a task does before its first wait adds up.
	const yielder = new Yielder();
	for (const [index, task] of tasks.entries()) {
		await yielder.yieldToEventLoop();
		if (stopped) break;
		const before = task.locks.flatMap((key) => lastOf.get(key) ?? []);
		// It waits for those before it without a slot, while others run.
		const start = Promise.all(before).then(async () => await slots.take());
		if (before.length === 0 && (await start)) yielder.restart();
		const done = start.then(async () => await runInSlot(task, index));
		for (const key of task.locks) lastOf.set(key, done);
		all.push(done);
	}
	await Promise.all(all);
	return results;
}

function openSlots(count: number) {
	const waiting: Array<() => void> = [];
	let free = count;
	// An index, because taking from the front of a list of 100,000 moves all the others.
	let next = 0;
	return {
		/** @returns whether it had to wait */
		take: async (): Promise<boolean> => {
			if (free === 0) {
				await new Promise<void>((resolve) => waiting.push(resolve));
				return true;
			}
			free--;
			return false;
		},
		give: () => {
			const follow = waiting[next];
			if (!follow) free++;
			else {
				next++;
				follow();
			}
		},
	};
}
