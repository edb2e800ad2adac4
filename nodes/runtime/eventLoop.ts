import { sleep } from 'n8n-workflow';

/** How long work holds the event loop at a time. */
const holdMs = 20;

/**
 * Keeps long work from holding n8n's event loop. While it is held, nothing else runs: not the editor, and no other
 * workflow.
 */
export class Yielder {
	private endsAt = performance.now() + holdMs;

	/** Await it between two parts of the work. It yields only if the work has held the event loop for long enough. */
	async yieldToEventLoop(): Promise<void> {
		if (performance.now() < this.endsAt) return;
		await sleep(0);
		this.restart();
	}

	/** Call it after awaiting anything else, which has yielded already. */
	restart(): void {
		this.endsAt = performance.now() + holdMs;
	}
}

/**
 * Like `Array.map`, for as many elements as there are items.
 * @returns fewer when the signal is aborted
 */
export async function mapYielding<T, Mapped>(
	list: T[],
	map: (element: T, index: number) => Mapped,
	signal?: AbortSignal,
): Promise<Mapped[]> {
	const mapped: Mapped[] = [];
	const yielder = new Yielder();
	for (const [index, element] of list.entries()) {
		await yielder.yieldToEventLoop();
		if (signal?.aborted) break;
		mapped.push(map(element, index));
	}
	return mapped;
}
