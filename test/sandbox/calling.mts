import { Agent } from 'node:http';
import axios, { type AxiosResponse } from 'axios';
import type { Sandbox } from '../../sandbox/index.mts';

interface Sent {
	query?: Record<string, unknown>;
	/** Sent as JSON. A string is sent unchanged. */
	body?: unknown;
	headers?: Record<string, string | undefined>;
}

/** The server runs in the test's process: while a test works, it cannot see that it must close an idle connection. */
const httpAgent = new Agent({ keepAlive: false });

/** Sends one real request with the right key, and returns any response. */
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
		// axios would quote a text with a JSON content type that is not JSON.
		transformRequest: (data) => data,
		validateStatus: () => true,
		proxy: false,
		httpAgent,
	});
}
