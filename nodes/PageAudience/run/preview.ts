import type { IDataObject } from 'n8n-workflow';
import type { ApiRequest } from '../../api/request';
import { copyMasked } from '../../api/triggerUrl';
import type { PreviewPlan } from './plan';
import type { ItemOutput } from './result';

/** What an item outputs in a dry run. */
export function preview({ request }: PreviewPlan): ItemOutput {
	return { records: [previewRequest(request)], outcome: 'wouldWrite' };
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
