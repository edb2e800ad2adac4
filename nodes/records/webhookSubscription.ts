import type { IDataObject } from 'n8n-workflow';
import type { ApiRequest, ApiResponse } from '../api/request';
import { UnexpectedResponseError } from '../api/errors';
import { readRecord } from '../api/response';

/**
 * The webhook subscription that a request asked for or changed. A cache or a gateway may respond with another one, whose
 * settings would then replace those of this one.
 * @throws {UnexpectedResponseError}
 */
export function readSubscription(response: ApiResponse): IDataObject {
	const record = readRecord(response, 'subscriptionId');
	const asked = readSubscriptionId(response.request);
	const isAsked = String(record.subscriptionId).trim().toLowerCase() === asked.toLowerCase();
	if (isAsked) return record;
	throw new UnexpectedResponseError(`webhook subscription "${asked}"`, response);
}

/** Which subscription a request is about; empty where it is about all. */
export function readSubscriptionId({ path }: Pick<ApiRequest, 'path'>): string {
	return decodeURIComponent(path.split('/')[2] ?? '');
}
