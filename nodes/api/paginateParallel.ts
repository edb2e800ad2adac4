import { ListReader, type ListRequest, type ListResult, type ListPage } from './paginate';

export interface ParallelListRequest extends ListRequest {
	/** Pages asked for at once. */
	concurrency: number;
}

/**
 * Reads a list by offsets in order, and asks for the next pages ahead: `totalCount` says how many there probably are.
 * A guess that proves wrong costs at most `concurrency` requests. The list itself decides where it ends and how it
 * continues, so the result is the same as that of readPages.
 * @throws as readPages does
 */
export async function readPagesInParallel(list: ParallelListRequest): Promise<ListResult> {
	const reader = new ListReader(list);
	const first = await reader.fetch();
	reader.take(first);
	await list.afterPage?.();
	const ahead = new ReadAhead(list, reader, first);
	try {
		while (!reader.isDone) {
			reader.take((await ahead.take()) ?? (await reader.fetch()));
			await list.afterPage?.();
		}
		return reader.result();
	} finally {
		await ahead.close();
	}
}

const forget = () => undefined;

/** The pages that will probably be needed next. */
class ReadAhead {
	private readonly list: ParallelListRequest;

	private readonly reader: ListReader;

	/** By their offsets. */
	private readonly pages = new Map<number, Promise<ListPage>>();

	/** Without what they yield, which takes memory. */
	private readonly underWay: Array<Promise<void>> = [];

	/** The service may cut pages below what was asked for, so the size of its own first page is the step. */
	private readonly step: number;

	private readonly totalCount: number;

	private isOn: boolean;

	constructor(list: ParallelListRequest, reader: ListReader, first: ListPage) {
		const { records, next, totalCount = 0 } = first;
		this.list = list;
		this.reader = reader;
		this.step = records.length;
		this.totalCount = totalCount;
		// A page without records that goes on at its own offset is an error of the reader.
		this.isOn = next === this.step;
	}

	/**
	 * The page at the reader's position, where it was asked for ahead and fits; otherwise the list is read in order from
	 * here on. A list that changed meanwhile counts another total, or shows a record again: pages that were read out of
	 * order could then leave out a record that has moved from one to the other.
	 */
	async take(): Promise<ListPage | undefined> {
		this.askAhead();
		const { position } = this.reader;
		const asked = typeof position === 'number' ? this.pages.get(position) : undefined;
		if (!asked) return this.stop();
		this.pages.delete(Number(position));
		const page = await asked.catch((error: unknown) => this.reader.throwWithPosition(error));
		const isEmpty = page.records.length === 0 && page.more;
		const isChanged = page.totalCount !== this.totalCount || this.reader.repeats(page);
		return isChanged || isEmpty ? this.stop() : page;
	}

	/** Waits for the requests under way, so that none is left over beside those of the node's next run. */
	async close(): Promise<void> {
		this.stop();
		await Promise.all(this.underWay);
	}

	/** What was asked for ahead is of no use any more, and is not retried. */
	private stop(): undefined {
		this.isOn = false;
		this.pages.clear();
	}

	private askAhead(): void {
		const { position } = this.reader;
		if (!this.isOn || typeof position !== 'number') return;
		const { wanted, concurrency } = this.list;
		const end = Math.min(this.totalCount, wanted);
		for (let at = position; at < end && this.pages.size < concurrency; at += this.step) {
			if (this.pages.has(at)) continue;
			const page = this.reader.ask(this.reader.limit, at, () => !this.isOn);
			// The service may reject offsets past the end of the list. That is no failure of the list.
			this.underWay.push(page.then(forget, forget));
			this.pages.set(at, page);
		}
	}
}
