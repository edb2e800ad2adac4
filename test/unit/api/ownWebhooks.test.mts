import type { IHttpRequestOptions } from 'n8n-workflow';
import { hasWebhook, readWebhookBase } from '../../../nodes/api/ownWebhooks.ts';

test.each<[resumeUrl: unknown, base: string | undefined]>([
	['https://n8n.example/webhook-waiting/17', 'https://n8n.example/'],
	['https://n8n.example/flows/webhook-waiting/17?signature=abc', 'https://n8n.example/flows/'],
	['http://localhost:5678/webhook-waiting/17', 'http://localhost:5678/'],
	['/webhook-waiting/17', undefined],
	[undefined, undefined],
])('%p tells where webhooks are', (resumeUrl, base) => {
	expect(readWebhookBase(resumeUrl)).toBe(base);
});

const at = 'https://n8n.example/flows/webhook/a?token=1';

async function ask(respond: (options: IHttpRequestOptions) => Promise<unknown>, href = at) {
	const helpers = { httpRequest: respond };
	return await hasWebhook({ helpers }, href);
}

test.each<[what: string, headers: object, has: boolean | undefined]>([
	['a webhook', { 'access-control-allow-methods': 'OPTIONS, POST' }, true],
	['a webhook in small letters', { 'access-control-allow-methods': 'post' }, true],
	['no webhook', { 'access-control-allow-methods': 'OPTIONS' }, false],
	['a proxy that answers itself', { 'access-control-allow-methods': 'GET, OPTIONS' }, undefined],
	['something without the header', {}, undefined],
])('recognizes %s', async (_, headers, has) => {
	expect(await ask(async () => await Promise.resolve({ statusCode: 204, headers }))).toBe(has);
});

test.each([at, 'https://n8n.example/flows/webhook/a/?token=1'])(
	'asks %s as a browser does, and follows nobody',
	async (href) => {
		let asked: IHttpRequestOptions | undefined;
		await ask(async (options) => await Promise.resolve((asked = options)), href);
		expect(asked).toEqual({
			method: 'OPTIONS',
			// The token stays where it is.
			url: 'https://n8n.example/flows/webhook/a',
			headers: { origin: 'https://n8n.example' },
			timeout: 5_000,
			disableFollowRedirect: true,
			// What a response says counts, whatever its status.
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
		});
	},
);

test('does not know when nothing responds', async () => {
	const refused = async () => await Promise.reject(new Error('ECONNREFUSED'));
	expect(await ask(refused)).toBeUndefined();
	expect(await ask(async () => await Promise.resolve('<html>'))).toBeUndefined();
});
