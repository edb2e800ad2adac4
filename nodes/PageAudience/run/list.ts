import type { IBinaryKeyData, IDataObject } from 'n8n-workflow';
import { pageFetcher, readPages, startLimit } from '../../api/paginate';
import type { ApiRequest } from '../../api/request';
import { ListFile } from '../../files/listFile';
import { runTasks, takeValues } from '../../runtime/runTasks';
import type { ItemContext } from '../operation/context';
import { finishRecord } from '../operation/output';
import { writeCount } from './messages';
import type { PlannedItem, Run } from './plan';

export interface ListOutput {
	records: IDataObject[];
	binary?: IBinaryKeyData;
}

/** The list that one item asks for, as items or as a file. One that fails leaves no part of it. */
export async function readList(
	run: Run,
	plan: PlannedItem,
	context: ItemContext,
): Promise<ListOutput> {
	const { outputAs: format } = plan.values;
	if (format === 'csv' || format === 'jsonl') return await exportFile(run, plan, context, format);
	const { operation, execution } = run;
	const { values, request } = plan;
	const all: IDataObject[] = [];
	await readListPages(run, plan, context, (records) => {
		// One by one: spreading a large page into arguments overflows the stack.
		for (const record of records)
			all.push(finishRecord(record, operation, values, request, execution.isTool));
	});
	return { records: all };
}

async function exportFile(
	run: Run,
	plan: PlannedItem,
	context: ItemContext,
	format: 'csv' | 'jsonl',
): Promise<ListOutput> {
	const { options, binaryPropertyName = 'data' } = plan.values;
	const { output, completion } = run.operation;
	const completed = completion?.fields(plan.values) ?? [];
	const file = new ListFile({
		format,
		name: nameFile(plan.request),
		fields: [...(output?.shape?.fields ?? []), ...completed],
		delimiter: options.delimiter ?? ',',
		byteOrderMark: options.byteOrderMark ?? false,
		escapeFormulas: options.escapeFormulas ?? true,
	});
	const totalCount = await readListPages(run, plan, context, (records) => file.add(records));
	const { fileName, mimeType, records } = file;
	const data = await run.context.helpers.prepareBinaryData(file.close(), fileName, mimeType);
	return {
		records: [{ records, totalCount: totalCount ?? null, fileName, mimeType }],
		binary: { [binaryPropertyName]: data },
	};
}

/**
 * Reads a list as far as the item wants it.
 * @returns the number of records that the service counts, where it does
 */
async function readListPages(
	{ operation, options }: Run,
	{ values, request }: PlannedItem,
	context: ItemContext,
	onPage: (records: IDataObject[]) => void,
): Promise<number | undefined> {
	const { paging = 'cursor', completion, output } = operation;
	const pages = readPages({
		paging,
		pageSize: options.pageSize,
		accepted: context.once('limit of the list', startLimit),
		fetchPage: pageFetcher(request, context.send),
		wanted: values.returnAll ? Infinity : (values.limit ?? Infinity),
		// By offsets, a list that grows shows records again.
		id: paging === 'offset' ? output?.shape?.id : undefined,
	});
	const fields = completion?.fields(values) ?? [];
	const complete = async (records: IDataObject[]) => {
		if (!completion || fields.length === 0) return records;
		const tasks = records.map((record) => ({
			locks: [],
			run: async () => await completion.complete(record, fields, context),
		}));
		return takeValues(await runTasks(tasks, options.concurrency, () => false));
	};
	let last: { more: boolean; totalCount?: number } = { more: false };
	for await (const page of pages) {
		last = page;
		onPage(await complete(page.records));
	}
	// n8n's own hint says that the limit was reached, and what to do.
	if (last.more && last.totalCount !== undefined)
		context.hint(`The list has ${writeCount(last.totalCount)} records in total.`);
	return last.totalCount;
}

/** Most storages and file systems take names of this length. */
const longestName = 150;

/**
 * The same for the same list, and another one for each list, e.g. `pages-page_1-audiences`: a storage may replace a file
 * by another one of its name.
 */
function nameFile({ path, query = {} }: ApiRequest): string {
	return [...decodeURIComponent(path).split('/'), ...Object.values(query)]
		.map((part = '') => String(part).replace(/[^\p{L}\p{N}_.-]+/gu, '_'))
		.filter(Boolean)
		.join('-')
		.slice(0, longestName);
}
