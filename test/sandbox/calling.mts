import { Agent } from 'node:http';
import axios, { type AxiosResponse } from 'axios';
import type { Sandbox } from '../../sandbox/index.mts';

/** The server runs in the test's process: while a test works, it cannot see that it must close an idle connection. */
const httpAgent = new Agent({ keepAlive: false });

/** Sends one real request with the right key, and returns any response. A body that is a string is sent unchanged. */
export function call(
	{ url, apiKey }: Sandbox,
	method: string,
	path: string,
	body?: unknown,
): Promise<AxiosResponse> {
	return axios.request({
		method,
		url: url + path,
		data: typeof body === 'object' ? JSON.stringify(body) : body,
		headers: {
			'x-api-key': apiKey,
			'content-type': body === undefined ? undefined : 'application/json',
		},
		// axios would quote a text with a JSON content type that is not JSON.
		transformRequest: (data) => data,
		validateStatus: () => true,
		proxy: false,
		httpAgent,
	});
}
