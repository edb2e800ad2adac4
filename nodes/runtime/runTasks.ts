import { sleep } from 'n8n-workflow';

export interface Task<T> {
	/** Tasks that share one run one after another, in the order of the list. */
	locks?: string[];
	run: () => Promise<T>;
}

export type Result<T> =
	| { status: 'done'; value: T }
	| { status: 'failed'; error: unknown }
	| { status: 'not started' };

/**
 * Runs tasks in parallel, at most `concurrency` at once, and waits for all that were started.
 * @param mayGoOn asked after a task has failed; false, as by default, starts no further one
 * @returns one result per task, in the order of the list
 */
export async function runTasks<T>(
	tasks: Array<Task<T>>,
	concurrency: number,
	mayGoOn: (error: unknown) => boolean = () => false,
): Promise<Array<Result<T>>> {
	const results = new Array<Result<T>>(tasks.length).fill({ status: 'not started' });
	const slots = new Slots(concurrency);
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

	// Each task works a little before it first waits. For thousands of tasks, that adds up.
	const yieldToEventLoop = openYielder();
	for (const [index, task] of tasks.entries()) {
		await yieldToEventLoop();
		if (stopped) break;
		const before = (task.locks ?? []).flatMap((key) => lastOf.get(key) ?? []);
		// It waits for those before it without a slot, while others run.
		const start = Promise.all(before).then(async () => await slots.take());
		if (before.length === 0) await start;
		const done = start.then(async () => await runInSlot(task, index));
		for (const key of task.locks ?? []) lastOf.set(key, done);
		all.push(done);
	}
	await Promise.all(all);
	return results;
}

/** Places for work that runs at once. First come, first served. */
export class Slots {
	private free: number;

	private readonly waiting: Array<() => void> = [];

	/** An index, because taking from the front of a list of 100,000 moves all the others. */
	private next = 0;

	constructor(count: number) {
		this.free = count;
	}

	async take(): Promise<void> {
		if (this.free > 0) this.free--;
		else await new Promise<void>((resolve) => this.waiting.push(resolve));
	}

	give(): void {
		const follow = this.waiting[this.next];
		if (!follow) {
			this.free++;
			return;
		}
		this.next++;
		if (this.next === this.waiting.length) this.next = this.waiting.length = 0;
		follow();
	}
}

/** How long work holds the event loop at a time. */
const holdMs = 20;

/**
 * Keeps long work from holding n8n's event loop. While it is held, nothing else runs: not the editor, and no other
 * workflow.
 * @returns to await between two parts of the work. It yields only if the work has held the event loop for long enough
 */
export function openYielder(): () => Promise<void> {
	let endsAt = performance.now() + holdMs;
	return async () => {
		if (performance.now() < endsAt) return;
		await sleep(0);
		endsAt = performance.now() + holdMs;
	};
}
