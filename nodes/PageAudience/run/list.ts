import type { IDataObject } from 'n8n-workflow';
import { readPages, startLimit } from '../../api/paginate';
import type { ApiRequest, QueryValue } from '../../api/request';
import { ListFile } from '../../files/listFile';
import type { ItemContext } from '../operation/context';
import type { Operation } from '../operation/operation';
import { finishRecord } from '../operation/output';
import { writeCount } from './messages';
import type { PlannedItem } from './plan';
import type { ItemOutput, Run, State } from './state';

/** The list that one item asks for, as items or as a file. One that fails leaves no part of it. */
export async function readList(
	run: Run,
	state: State,
	plan: PlannedItem,
	call: ItemContext,
): Promise<ItemOutput> {
	const { outputAs: format } = plan.values;
	if (format === 'csv' || format === 'jsonl')
		return await exportFile(run, state, plan, call, format);
	const { operation, execution } = run;
	const { values, request } = plan;
	const all: IDataObject[] = [];
	await readListPages(run, state, plan, call, (records) => {
		// One by one: spreading a large page into arguments overflows the stack.
		for (const record of records)
			all.push(finishRecord(record, operation, values, request, execution.isTool));
	});
	return { records: all };
}

async function exportFile(
	run: Run,
	state: State,
	plan: PlannedItem,
	call: ItemContext,
	format: 'csv' | 'jsonl',
): Promise<ItemOutput> {
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
	const totalCount = await readListPages(run, state, plan, call, (records) => file.add(records));
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
	{ operation, options, hints }: Run,
	{ client, limits }: State,
	{ item, values, request }: PlannedItem,
	call: ItemContext,
	onPage: (records: IDataObject[]) => void,
): Promise<number | undefined> {
	const { paging = 'cursor', completion, output } = operation;
	const { timeout: timeoutMs, maxRetries, pageSize } = options;
	const accepted = limits.get('') ?? startLimit();
	limits.set('', accepted);
	const fetchPage = async (query: Record<string, QueryValue>) =>
		await client.send(
			{ ...request, query: { ...request.query, ...query } },
			{ timeoutMs, maxRetries },
		);
	const pages = readPages({
		...{ paging, pageSize, accepted, fetchPage },
		wanted: values.returnAll ? Infinity : (values.limit ?? Infinity),
		// By offsets, a list that grows shows records again.
		id: paging === 'offset' ? output?.shape?.id : undefined,
	});
	const fields = completion?.fields(values) ?? [];
	let count = 0;
	let last: { more: boolean; totalCount?: number } = { more: false };
	for await (const page of pages) {
		count += page.records.length;
		last = page;
		onPage(await completeAll(page.records, fields, operation, call));
	}
	const message = describeList(count, last, values.returnAll === true);
	if (message !== undefined) hints.add(message, item);
	return last.totalCount;
}

async function completeAll(
	records: IDataObject[],
	fields: string[],
	{ completion }: Operation,
	call: ItemContext,
): Promise<IDataObject[]> {
	if (!completion || fields.length === 0) return records;
	const completing = records.map(async (record) => await completion.complete(record, fields, call));
	// All of them, so that no request is left over beside those of the node's next run.
	await Promise.allSettled(completing);
	return await Promise.all(completing);
}

function describeList(
	count: number,
	{ more, totalCount }: { more: boolean; totalCount?: number },
	returnAll: boolean,
): string | undefined {
	if (totalCount === undefined) return undefined;
	// n8n's own hint says that the limit was reached, and what to do.
	if (more) return `The list has ${writeCount(totalCount)} records in total.`;
	if (!returnAll || totalCount === count) return undefined;
	const read = `${writeCount(count)} ${count === 1 ? 'record' : 'records'}`;
	return `The list ended after ${read}, but the service counts ${writeCount(totalCount)}. It may have changed during the run.`;
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
