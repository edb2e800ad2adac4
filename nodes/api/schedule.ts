export interface Task<T> {
	/** Tasks that share a key run one after another, in the order of the list. */
	keys: string[];
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
	const results: Array<Result<T>> = tasks.map(() => ({ status: 'not started' }));
	const lastOf = new Map<string, Promise<void>>();
	const waiting: Array<() => void> = [];
	let next = 0;
	let free = concurrency;
	let stopped = false;

	const takeSlot = async () => {
		if (free > 0) free--;
		else await new Promise<void>((resolve) => waiting.push(resolve));
	};
	const giveSlot = () => {
		// An index, because taking from the front of a list of 100,000 moves all the others.
		if (next < waiting.length) waiting[next++]();
		else free++;
	};

	const runTask = async ({ run }: Task<T>, index: number) => {
		await takeSlot();
		try {
			if (!stopped) results[index] = { status: 'done', value: await run() };
		} catch (error) {
			results[index] = { status: 'failed', error };
			stopped ||= !mayGoOn(error);
		} finally {
			giveSlot();
		}
	};

	const all = tasks.map((task, index) => {
		const before = task.keys.flatMap((key) => lastOf.get(key) ?? []);
		const done = before.length
			? Promise.all(before).then(async () => await runTask(task, index))
			: runTask(task, index);
		for (const key of task.keys) lastOf.set(key, done);
		return done;
	});
	await Promise.all(all);
	return results;
}
