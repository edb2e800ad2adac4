import type { IExecuteFunctions } from 'n8n-workflow';
import type { ApiRequest } from '../../api/request';
import { ListFile } from '../../files/listFile';
import type { ItemOutput } from './result';
import { readListPages } from './list';
import type { SharedState } from './openCall';
import type { FilePlan } from './plan';

/**
 * Writes the list of one item to a file and hands it to n8n. A list that fails leaves no part of a file.
 * @throws as the list does
 */
export async function exportFile(
	context: IExecuteFunctions,
	state: SharedState,
	plan: FilePlan,
): Promise<ItemOutput> {
	const { options, binaryPropertyName = 'data' } = plan.values;
	const { output, completion } = plan.operation;
	const completed = completion?.fields(plan.values) ?? [];
	const file = new ListFile({
		format: plan.format,
		name: nameFile(plan.request),
		fields: [...(output?.shape?.fields ?? []), ...completed],
		delimiter: options.delimiter ?? ',',
		byteOrderMark: options.byteOrderMark ?? false,
		escapeFormulas: options.escapeFormulas ?? true,
	});
	const { totalCount = null } = await readListPages(state, plan, (records) => file.add(records));
	const { fileName, mimeType, records } = file;
	const data = await context.helpers.prepareBinaryData(file.close(), fileName, mimeType);
	return {
		records: [{ records, totalCount, fileName, mimeType }],
		binary: { [binaryPropertyName]: data },
	};
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
