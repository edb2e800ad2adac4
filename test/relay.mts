import axios from 'axios';
import type { Sandbox, WebhookSubscription } from '../sandbox/index.mts';
import { type LocalServer, serve } from './localServer.mts';

/** The sandbox at an address of its own, with what it cannot do by itself. */
interface Relay extends LocalServer {
	/** Called before a change is answered. */
	onChange?: (changed: WebhookSubscription) => Promise<void>;
}

export async function openRelay(sandbox: Sandbox): Promise<Relay> {
	const relay: Relay = await serve(async ({ method, path, headers, body }) => {
		const { status, data } = await axios.request<string>({
			method,
			url: sandbox.url + path,
			headers: { 'x-api-key': sandbox.apiKey, 'content-type': headers['content-type'] },
			data: body.length > 0 ? body : undefined,
			responseType: 'text',
			transformResponse: (text: string) => text,
			validateStatus: () => true,
		});
		const isChange = method === 'PATCH' && status === 200;
		if (isChange) await relay.onChange?.(JSON.parse(data) as WebhookSubscription);
		return { status, body: data };
	});
	return relay;
}
