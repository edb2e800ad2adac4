import axios from 'axios';
import type { Sandbox } from '../../../sandbox/index.mts';
import { openWeb, type Web } from './web.mts';

/** The sandbox, with what it cannot do by itself. */
export type Service = Web & {
	/** The keys that it takes. */
	keys: Set<string>;
	/** Called when a change is made and not answered yet. */
	onChange?: (subscription: { subscriptionId: string; url: string }) => Promise<void>;
};

export async function openService(sandbox: Sandbox): Promise<Service> {
	const service: Service = {
		...(await openWeb(async ({ method, path, headers, body }) => {
			const key = String(headers['x-api-key']);
			const answer = await axios.request<string>({
				method,
				url: sandbox.url + path,
				headers: {
					'x-api-key': service.keys.has(key) ? sandbox.apiKey : `not ${sandbox.apiKey}`,
					'content-type': headers['content-type'],
				},
				data: body.length ? body : undefined,
				responseType: 'text',
				transformResponse: (text: string) => text,
				validateStatus: () => true,
			});
			if (method === 'PATCH' && answer.status === 200) {
				await service.onChange?.(
					JSON.parse(answer.data) as { subscriptionId: string; url: string },
				);
			}
			return { status: answer.status, body: answer.data };
		})),
		keys: new Set([sandbox.apiKey]),
	};
	return service;
}
