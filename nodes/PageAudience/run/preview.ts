import type { IDataObject } from 'n8n-workflow';
import type { ApiRequest } from '../../api/request';
import { copyMasked } from '../../api/triggerUrl';
import type { PreviewPlan } from './plan';
import type { ItemOutput } from './result';

/**
 * What an item outputs in a dry run.
 * @param isWritten whether it would be skipped, because an earlier run has written its record
 */
export function preview({ request, synced }: PreviewPlan, isWritten: boolean): ItemOutput {
	const record = previewRequest(isWritten ? undefined : request);
	const outcome = isWritten ? 'skipped' : 'wouldWrite';
	if (!synced) return { records: [record], outcome };
	const told = { outcome: isWritten ? 'alreadyWritten' : 'wouldWrite', ...synced.output };
	return { records: [{ ...record, ...told, alreadyWritten: isWritten }], outcome };
}

/** What an item would send. `null` where nothing would be sent. */
export function previewRequest(request: ApiRequest | undefined): IDataObject {
	if (!request) return { dryRun: true, request: null };
	const { method, path, query = {}, body } = request;
	return {
		dryRun: true,
		request: {
			method,
			path: `/v0${path}`,
			query,
			body: body === undefined ? null : copyMasked(body),
		},
	};
}
