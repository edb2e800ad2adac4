import { sleep } from 'n8n-workflow';

const turnMs = 20;

/**
 * Bounds how long work that needs no waiting holds n8n's event loop, in which nothing else runs meanwhile: not the
 * editor, and no other workflow.
 */
export class Turn {
	private endsAt = Date.now() + turnMs;

	/** Awaited between two parts of the work. Lets others have their turn if this one has lasted for long enough. */
	async pass(): Promise<void> {
		if (Date.now() < this.endsAt) return;
		await sleep(0);
		this.begin();
	}

	/** After something else has been awaited, which gave others their turn. */
	begin(): void {
		this.endsAt = Date.now() + turnMs;
	}
}

/**
 * Like `Array.map`, for as many elements as there are items.
 * @returns fewer when the signal is aborted
 */
export async function mapInTurns<T, Mapped>(
	list: T[],
	map: (element: T, index: number) => Mapped,
	signal?: AbortSignal,
): Promise<Mapped[]> {
	const mapped: Mapped[] = [];
	const turn = new Turn();
	for (const [index, element] of list.entries()) {
		await turn.pass();
		if (signal?.aborted) break;
		mapped.push(map(element, index));
	}
	return mapped;
}
