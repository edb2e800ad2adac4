import { isMasked, isTriggerUrl, maskTriggerUrls } from '../../../nodes/api/url.ts';

test.each<[url: string, masked: string]>([
	[
		'https://n8n.example/webhook/1/webhook?token=abc',
		'https://n8n.example/webhook/1/webhook?token=***',
	],
	[
		'https://n8n.example/webhook-test/1/webhook?token=abc',
		'https://n8n.example/webhook-test/1/webhook?token=***',
	],
	[
		'https://n8n.example/base/hooks/1/webhook/?a=1&token=abc&b=2',
		'https://n8n.example/base/hooks/1/webhook/?a=1&token=***&b=2',
	],
	[
		'https://n8n.example/webhook/1/webhook?token=abc&test=webhook-test&back=7b7d',
		'https://n8n.example/webhook/1/webhook?token=***&test=webhook-test&back=***',
	],
	[
		'https://n8n.example/WEBHOOK/1/Webhook?TOKEN=abc',
		'https://n8n.example/WEBHOOK/1/Webhook?TOKEN=***',
	],
	[
		'https://n8n.example/webhook/1/webhook?token=a&token=b',
		'https://n8n.example/webhook/1/webhook?token=***&token=***',
	],
	['n8n.example/webhook/1/webhook?token=abc', 'n8n.example/webhook/1/webhook?token=***'],
	[
		'Cannot reach https://n8n.example/webhook/1/webhook?token=abc&x=1 (timeout)',
		'Cannot reach https://n8n.example/webhook/1/webhook?token=***&x=1 (timeout)',
	],
])('%s is shown as %s', (url, masked) => {
	expect(maskTriggerUrls(url)).toBe(masked);
	expect(isMasked(masked)).toBe(true);
	expect(isMasked(url)).toBe(false);
});

test.each([
	'https://receiver.example/hook?token=abc&back=1',
	'https://receiver.example/webhooks?token=abc',
	'https://n8n.example/webhook/1/webhook',
	'https://n8n.example/webhook/1/webhook?',
	'https://n8n.example/webhook/1/webhook?a=token&tokens=1&x_token=2',
	'https://n8n.example/webhook/other?token=abc',
	'100 % of token=abc',
	'%',
	'',
])('%j stays', (url) => {
	expect(maskTriggerUrls(url)).toBe(url);
	expect(isMasked(url)).toBe(false);
});

test.each([
	['https://n8n.example/webhook/1/webhook', true],
	['https://n8n.example/base/hooks/1/webhook/?a=1', true],
	['n8n.example/webhook/1/webhook', true],
	['https://crm.example/webhook', false],
	['https://crm.example/page-audience/webhook', false],
	['https://crm.example/a/b/webhooks', false],
])("whether %s could be a trigger's: %j", (url, expected) => {
	expect(isTriggerUrl(url)).toBe(expected);
});
