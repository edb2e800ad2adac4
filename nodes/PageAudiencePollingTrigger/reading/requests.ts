import type { ApiRequest, ApiResponse, QueryValue } from '../../api/request';
import type { PolledList } from '../open';

/** Retries of each request of a poll, as everywhere in the nodes by default. */
const maxRetries = 3;

/** Waits for data no longer than the poll may take. */
export async function send(
	{ settings, client, deadline }: PolledList,
	request: ApiRequest,
): Promise<ApiResponse> {
	const timeoutMs = Math.min(settings.timeoutMs, deadline.leftMs);
	return await client.send(request, { timeoutMs, maxRetries });
}

/** @param from the start of the period that is asked for, in milliseconds; null for the whole list */
export async function fetchPage(
	list: PolledList,
	from: number | null,
	position: Record<string, QueryValue>,
): Promise<ApiResponse> {
	const request = list.event.request(list.settings);
	// As RFC 3339.
	const startDate = from === null ? undefined : new Date(from).toISOString();
	return await send(list, { ...request, query: { ...request.query, startDate, ...position } });
}
