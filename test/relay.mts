import axios from 'axios';
import type { Sandbox, WebhookSubscription } from '../sandbox/index.mts';
import { type LocalServer, serve } from './localServer.mts';

/** The sandbox at an address of its own, with what it cannot do by itself. */
export interface Relay extends LocalServer {
	/** The API keys that it takes. Any by default. */
	keys?: string[];
	/** Called before a change is answered. What it returns takes the place of the answer. */
	onChange?: (
		changed: WebhookSubscription,
		sent: Partial<WebhookSubscription>,
	) => Promise<unknown> | unknown;
}

export async function openRelay(sandbox: Sandbox): Promise<Relay> {
	const relay: Relay = await serve(async ({ method, path, headers, body }) => {
		const isKnown = relay.keys?.includes(String(headers['x-api-key'])) ?? true;
		const { status, data } = await axios.request<string>({
			method,
			url: sandbox.url + path,
			headers: {
				'x-api-key': isKnown ? sandbox.apiKey : `not ${sandbox.apiKey}`,
				'content-type': headers['content-type'],
			},
			data: body.length > 0 ? body : undefined,
			responseType: 'text',
			transformResponse: (text: string) => text,
			validateStatus: () => true,
		});
		if (method !== 'PATCH' || status !== 200 || !relay.onChange) return { status, body: data };
		const answer = JSON.parse(data) as WebhookSubscription;
		const record = sandbox.store.subscriptions.get(answer.subscriptionId) ?? answer;
		const sent = JSON.parse(body.toString()) as Partial<WebhookSubscription>;
		return { status, body: JSON.stringify((await relay.onChange(record, sent)) ?? record) };
	});
	return relay;
}
