import axios, { type AxiosResponse } from 'axios';
import type { Sandbox } from '../../sandbox/index.mts';

export interface Sent {
	query?: Record<string, string | number>;
	/** Sent as JSON; a string is sent as it is. */
	body?: unknown;
	headers?: Record<string, string | undefined>;
}

/** One real request with the right key, whatever its answer. */
export function call(
	{ url, apiKey }: Sandbox,
	method: string,
	path: string,
	{ query, body, headers }: Sent = {},
): Promise<AxiosResponse> {
	return axios.request({
		method,
		url: url + path,
		params: query,
		data: typeof body === 'object' ? JSON.stringify(body) : body,
		headers: {
			'x-api-key': apiKey,
			'content-type': body === undefined ? undefined : 'application/json',
			...headers,
		},
		// axios would quote a text that says to be JSON and is none.
		transformRequest: (data) => data,
		validateStatus: () => true,
		proxy: false,
	});
}
