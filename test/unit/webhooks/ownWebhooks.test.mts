import type { IHttpRequestOptions } from 'n8n-workflow';
import {
	askWebhook,
	findObstruction,
	hasWebhook,
	readWebhookBase,
	type WebhookAnswer,
} from '../../../nodes/webhooks/ownWebhooks.ts';

test.each<[resumeUrl: unknown, base: string | undefined]>([
	['https://n8n.example/webhook-waiting/17', 'https://n8n.example/'],
	['https://n8n.example/flows/webhook-waiting/17?signature=abc', 'https://n8n.example/flows/'],
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

test.each<[what: string, error: Error, why: RegExp, kind?: string]>([
	['nothing responds', new Error('connect ETIMEDOUT'), /^n8n gets no response/],
	[
		'a proxy signs anew',
		Object.assign(new Error('x'), { code: 'SELF_SIGNED_CERT_IN_CHAIN' }),
		/^n8n does not trust the certificate there.*NODE_EXTRA_CA_CERTS/,
	],
	[
		'its certificate has expired',
		Object.assign(new Error('x'), { code: 'CERT_HAS_EXPIRED' }),
		/^the certificate there has expired/,
		'blocked',
	],
])('where %s, it is said why nothing is seen', async (_, error, why, kind = 'unseen') => {
	const helpers = { httpRequest: async () => await Promise.reject(error) };
	const said = { kind, why: expect.stringMatching(why) as string };
	for (const url of [at, ofTrigger]) expect(await askWebhook({ helpers }, url)).toEqual(said);
	expect(await findObstruction({ helpers }, at)).toMatch(why);
	expect(await hasWebhook({ helpers }, at)).toBeUndefined();
});

test('does not know when nothing responds', async () => {
	const refused = async () => await Promise.reject(new Error('ECONNREFUSED'));
	expect(await ask(refused)).toBeUndefined();
	expect(await ask(async () => await Promise.resolve('<html>'))).toBeUndefined();
});

const ofTrigger = `https://n8n.example/webhook/1/webhook?token=${'a1'.repeat(32)}`;
const html = { 'content-type': 'text/html' };

describe('what a delivery to a trigger would meet', () => {
	test.each<[what: string, status: number, body: unknown, headers: object, answer: WebhookAnswer]>([
		['the trigger', 200, { started: false, reason: 'This is a check' }, {}, { kind: 'webhook' }],
		[
			'a trigger without the token',
			401,
			{ started: false, reason: 'The request carried no token' },
			{},
			{ kind: 'no token' },
		],
		[
			'a trigger with another token',
			401,
			{ started: false, reason: 'The token is not the registered one' },
			{},
			{ kind: 'wrong token' },
		],
		['no published workflow', 404, { code: 404 }, {}, { kind: 'no webhook' }],
		['a proxy without a way to n8n', 404, '<html>', html, { kind: 'other', status: 404 }],
		['a gateway without one', 404, { message: 'No' }, {}, { kind: 'other', status: 404 }],
		['a login page', 200, '<html>', html, { kind: 'other', status: 200 }],
		[
			'a proxy in front of n8n that asks for a password',
			401,
			'',
			{},
			{ kind: 'other', status: 401 },
		],
		[
			'a redirect',
			308,
			'',
			{ location: 'https://n8n.example/x' },
			{ kind: 'other', status: 308, location: 'https://n8n.example/x' },
		],
	])('is %s', async (_, statusCode, body, headers, answer) => {
		const asked: IHttpRequestOptions[] = [];
		const helpers = {
			httpRequest: async (options: IHttpRequestOptions) => {
				asked.push(options);
				return await Promise.resolve({ statusCode, body, headers });
			},
		};
		expect(await askWebhook({ helpers }, ofTrigger)).toEqual(answer);
		expect(asked).toMatchObject([
			{ method: 'POST', url: ofTrigger, body: { pageAudienceCheck: true } },
		]);
	});

	test.each(['', '?token=short'])(
		'is that its token is wrong, with the query %j',
		async (query) => {
			const url = `https://n8n.example/webhook/8b6f1c2e-0b7a-4c57-9f0e-3a4d5e6f7a8b/webhook${query}`;
			const body = { started: false, reason: 'The request carried no token' };
			const httpRequest = async () => await Promise.resolve({ statusCode: 401, body, headers: {} });
			const answer = await askWebhook({ helpers: { httpRequest } }, url);
			expect(answer).toEqual({ kind: 'wrong token' });
		},
	);

	test.each([
		'https://n8n.example/webhook/1/webhook?token=short',
		'https://n8n.example/webhook/1/webhook',
		`https://n8n.example/webhook/my-form?token=${'a1'.repeat(32)}`,
	])('is not asked with a delivery where it may be another node: %s', async (url) => {
		const methods: unknown[] = [];
		const helpers = {
			httpRequest: async ({ method }: IHttpRequestOptions) => {
				methods.push(method);
				return await Promise.resolve({ statusCode: 301, headers: { location: '/x' } });
			},
		};
		const answer = { kind: 'other', status: 301, location: 'https://n8n.example/x' };
		expect(await askWebhook({ helpers }, url)).toEqual(answer);
		expect(methods).toEqual(['OPTIONS']);
	});
});
