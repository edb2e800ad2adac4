import type { IDataObject } from 'n8n-workflow';
import { DescribedError } from '../../api/errors';
import { type ReadPage, readPages, startLimit, usualLimit } from '../../api/paginate';
import type { ApiRequest } from '../../api/request';
import { openListFile } from '../../files/listFile';
import { addFields, pickFields } from '../../records/shapes';
import { cut } from '../../runtime/text';
import { toError } from '../../runtime/unknown';
import type { ItemContext } from '../operation/operation';
import { listChosen, valuesToAdd } from '../operation/output';
import { takeReadable } from './forModels';
import { writeCount } from './messages';
import type { FileValues, ItemOutput, PlannedItem, Run } from './model';

/** The list that one item asks for, as items or as a file. A list that fails leaves no part of it. */
export async function outputList(
	run: Run,
	plan: PlannedItem,
	itemContext: ItemContext,
	shape: (record: IDataObject) => IDataObject,
): Promise<ItemOutput> {
	const { value: file } = plan.values.options.file ?? {};
	if (file) return await exportFile(run, plan, itemContext, file);
	const added = valuesToAdd(run.operation, plan.values, plan.request);
	const all: IDataObject[] = [];
	const list = await readListPages(run, plan, itemContext, (records) => {
		// One by one: spreading a large page into arguments overflows the stack.
		for (const record of records) all.push(shape(addFields(record, added)));
		return !run.execution.isTool || takeReadable(all).length === all.length;
	});
	return { records: all, list };
}

async function exportFile(
	run: Run,
	plan: PlannedItem,
	itemContext: ItemContext,
	{ binaryPropertyName, ...settings }: FileValues,
): Promise<ItemOutput> {
	const { output: { shape } = {}, completion } = run.operation;
	const completed = completion?.fields(plan.values) ?? [];
	const chosen = listChosen(plan.values);
	const fields = [...new Set([shape?.id ?? [], chosen ?? shape?.fields ?? [], completed].flat())];
	const file = openListFile({
		...settings,
		name: nameFile(plan.request),
		fields,
		hasOthers: chosen === undefined,
	});
	let records = 0;
	const list = await readListPages(run, plan, itemContext, (page) => {
		file.add(chosen ? page.map((record) => pickFields(record, fields)) : page);
		records += page.length;
		return true;
	});
	const { fileName, mimeType } = file;
	const { helpers } = run.context;
	const data = await helpers
		.prepareBinaryData(file.close(), fileName, mimeType)
		.catch((error: unknown) => {
			throw new DescribedError(
				`n8n failed to save the file: ${toError(error).message}`,
				'Check where n8n keeps its files, such as the space on its disk, and run it again.',
				{ maybeDone: false },
			);
		});
	return {
		records: [{ records, totalCount: list?.totalCount ?? null, fileName, mimeType }],
		binary: { [binaryPropertyName]: data },
	};
}

/**
 * Reads a list as far as the item wants it.
 * @param onPage whether to go on
 * @returns the last page that was read
 */
async function readListPages(
	{ operation, options, execution: { isTool } }: Run,
	{ values, request }: PlannedItem,
	itemContext: ItemContext,
	onPage: (records: IDataObject[]) => boolean,
): Promise<ReadPage | undefined> {
	const { paging = 'cursor', completion, output } = operation;
	const pages = readPages({
		paging,
		pageSize: options.pageSize,
		accepted: itemContext.once('limit of the list', () =>
			startLimit(isTool ? usualLimit : undefined),
		),
		request,
		send: itemContext.send,
		wanted: values.returnAll ? Infinity : (values.limit ?? Infinity),
		id: output?.shape?.id,
	});
	const fields = completion?.fields(values) ?? [];
	const addWanted = async (record: IDataObject) =>
		(await completion?.complete(record, fields, itemContext)) ?? record;
	let last: ReadPage | undefined;
	for await (const page of pages) {
		last = page;
		if (!onPage(await Promise.all(page.records.map(addWanted)))) break;
	}
	const reader = isTool ? 'model' : values.options.file?.value ? 'file' : 'items';
	if (last) tellTotal(last, itemContext, reader);
	return last;
}

/** @param page the last one that was read */
function tellTotal(
	{ more, count, firstCount = 0, totalCount = firstCount }: ReadPage,
	{ hint }: ItemContext,
	reader: 'file' | 'items' | 'model',
): void {
	const [first, total] = [firstCount, totalCount].map(writeCount);
	// n8n's own hint says that the limit was reached, and what to do, but it counts a file as one item. fitForModel tells a
	// model.
	if (more && reader === 'file')
		hint(
			`The file has the first ${writeCount(count)}${totalCount > 0 ? ` of ${total}` : ''} records. To export all, turn on Return All.`,
		);
	else if (more && totalCount > 0 && reader === 'items')
		hint(`The list has ${total} records in total.`);
	if (more || count >= firstCount) return;
	hint(
		totalCount < firstCount
			? `Records were deleted while the list was read: the service counted ${first} at first, and ${total} at its end. ${writeCount(count)} were read. If none may be missing, run the node again.`
			: `The list ended after ${writeCount(count)} records, although the service counts ${total}. It may count records that it does not list, such as deleted ones.`,
	);
}

/** Most storages and file systems take names of this length. */
const longestFileName = 150;

/**
 * The same for the same list, and another one for each list, e.g. `pages-page_1-audiences`: a storage may replace a file
 * by another one of its name.
 */
function nameFile({ path, query = {} }: ApiRequest): string {
	const parts = [...decodeURIComponent(path).split('/'), ...Object.values(query)]
		.map((part = '') => String(part).replace(/[^\p{L}\p{N}_.-]+/gu, '_'))
		.filter(Boolean);
	return cut(parts.join('-'), longestFileName);
}
