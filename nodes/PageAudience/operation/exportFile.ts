import type { IBinaryKeyData, IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { ApiRequest } from '../../api/request';
import { type FileFormat, ListFile } from '../../files/listFile';
import type { RunState } from './call';
import { fetchList } from './fetch';
import type { Operation } from './operation';
import type { Plan } from './plan';

/** The item of a list that becomes a file. */
export interface ExportedFile {
	record: IDataObject;
	binary: IBinaryKeyData;
}

export function readFileFormat({ values: { outputAs } }: Plan): FileFormat | undefined {
	return outputAs === 'csv' || outputAs === 'jsonl' ? outputAs : undefined;
}

/**
 * Writes the list of one item to a file and hands it to n8n. A list that fails leaves no part of a file.
 * @throws as the list does
 */
export async function exportFile(
	context: IExecuteFunctions,
	run: RunState,
	operation: Operation,
	plan: Plan,
	format: FileFormat,
): Promise<ExportedFile> {
	const { options, binaryPropertyName = 'data' } = plan.values;
	const completed = operation.completion?.isWanted(plan.values) ? operation.completion.fields : [];
	const file = new ListFile({
		format,
		name: nameFile(plan.request),
		fields: [...(operation.shape?.fields ?? []), ...completed],
		byteOrderMark: options.byteOrderMark ?? false,
		escapeFormulas: options.escapeFormulas ?? true,
	});
	const { totalCount = null } = await fetchList(run, operation, plan, (records) =>
		file.add(records),
	);
	const { fileName, mimeType, records } = file;
	const data = await context.helpers.prepareBinaryData(file.close(), fileName, mimeType);
	return {
		record: { records, totalCount, fileName, mimeType },
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
