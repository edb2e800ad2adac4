import { ListReader, type ListRequest, type ListResult, type Page, readPage } from './paginate';
import { runTasks } from './schedule';

export interface ParallelListRequest extends ListRequest {
	/** Pages asked for at once. */
	concurrency: number;
}

/**
 * Reads a list by offsets, whose first page tells how many records there are: the further pages are asked for beside
 * each other. Where what they bring does not fit together (the list grew meanwhile, say), the list is read on
 * page by page, so that the result is in order, complete and without doubles all the same.
 * @throws as readPages does
 */
export async function readPagesInParallel(list: ParallelListRequest): Promise<ListResult> {
	const reader = new ListReader(list);
	const first = await reader.fetch();
	reader.take(first);
	if (!reader.isDone) {
		const slices = await fetchSlices(list, first).catch((error: unknown) =>
			reader.throwWithPosition(error),
		);
		for (const slice of slices) reader.take(slice);
	}
	while (!reader.isDone) reader.take(await reader.fetch());
	return reader.result();
}

/** A part of the list, from one offset up to another. */
interface Slice {
	from: number;
	to: number;
}

/** The pages after the first, or none when they do not make one list with it. */
async function fetchSlices(list: ParallelListRequest, first: Page): Promise<Page[]> {
	const slices = planSlices(list, first);
	const tasks = slices.map((slice) => ({
		keys: [],
		run: async () => await fetchSlice(list, slice),
	}));
	const results = await runTasks(tasks, list.concurrency, () => false);
	const failed = results.find((result) => result.status === 'failed');
	if (failed) throw failed.error;
	const pages = results.flatMap((result) => (result.status === 'done' ? [result.value] : []));
	const isWhole = pages.every(
		({ records, totalCount, more }, i) =>
			records.length === slices[i].to - slices[i].from &&
			totalCount === first.totalCount &&
			(more || i === pages.length - 1),
	);
	return isWhole ? pages : [];
}

function planSlices({ wanted }: ListRequest, { records, next, totalCount = 0 }: Page): Slice[] {
	// The service may cut pages below what was asked for, so its own page is the step.
	const step = records.length;
	const end = Math.min(totalCount, wanted);
	if (step === 0 || next !== step || end <= 2 * step) return [];
	const slices: Slice[] = [];
	for (let from = step; from < end; from += step)
		slices.push({ from, to: Math.min(from + step, end) });
	return slices;
}

/** One slice, in several requests where the service cuts its pages further. */
async function fetchSlice({ paging, fetchPage }: ListRequest, { from, to }: Slice): Promise<Page> {
	const slice: Page = { records: [], next: to, more: true };
	for (let at = from; at < to && slice.more; ) {
		const page = readPage(await fetchPage({ [paging.parameter]: at, limit: to - at }), paging);
		for (const record of page.records) slice.records.push(record);
		at += page.records.length;
		slice.more = page.more && page.records.length > 0;
		slice.totalCount = page.totalCount;
	}
	return slice;
}
