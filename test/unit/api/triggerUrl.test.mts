import { createHash } from 'node:crypto';
import fc from 'fast-check';
import {
	allUrlParameters,
	isMasked,
	isTriggerUrl,
	maskTriggerUrls,
} from '../../../nodes/api/triggerUrl.ts';
import { withPrevious } from '../../../nodes/PageAudienceTrigger/subscription/chain.ts';
import { withTestOrder } from '../../../nodes/PageAudienceTrigger/subscription/testOrder.ts';
import { generated } from '../../generated.mts';

const token = createHash('sha256').update('secret').digest('hex');

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
		'https://n8n.example/webhook/1/webhook?token=abc&test=de.f&back=7b7d&kept=0a&copy=1b',
		'https://n8n.example/webhook/1/webhook?token=***&test=***&back=***&kept=***&copy=***',
	],
	[
		'https://n8n.example/WEBHOOK/1/Webhoo%6B?%74oken=abc',
		'https://n8n.example/WEBHOOK/1/Webhoo%6B?%74oken=***',
	],
	[
		'https://n8n.example/webhook/1/webhook?token=a,b;c',
		'https://n8n.example/webhook/1/webhook?token=***',
	],
	[
		'https://n8n.example/webhook/1/webhook?token=a&token=b&[token]=c',
		'https://n8n.example/webhook/1/webhook?token=***&token=***&[token]=***',
	],
	['n8n.example/webhook/1/webhook?token=abc', 'n8n.example/webhook/1/webhook?token=***'],
	[
		'https://relay.example/?to=https%3A%2F%2Fn8n.example%2Fwebhook%2F1%2Fwebhook%3Ftoken%3Dabc%26x%3D1',
		'https://relay.example/?to=https%3A%2F%2Fn8n.example%2Fwebhook%2F1%2Fwebhook%3Ftoken%3D***%26x%3D1',
	],
	[
		'https://relay.example/?to=https%253A%252F%252Fn8n.example%252Fwebhook%252F1%252Fwebhook%253Ftoken%253Dabc',
		'https://relay.example/?to=https%253A%252F%252Fn8n.example%252Fwebhook%252F1%252Fwebhook%253Ftoken%253D***',
	],
	[
		'https://relay.example/https%3A%2F%2Fn8n.example%2Fwebhook%2F1%2Fwebhook%3Ftoken%3Dabc',
		'https://relay.example/https%3A%2F%2Fn8n.example%2Fwebhook%2F1%2Fwebhook%3Ftoken%3D***',
	],
	[
		'Cannot reach https://n8n.example/webhook/1/webhook?token=abc&x=1 (timeout)',
		'Cannot reach https://n8n.example/webhook/1/webhook?token=***&x=1 (timeout)',
	],
])('%s is shown as %s', (url, masked) => {
	expect(maskTriggerUrls(url)).toBe(masked);
	expect(isMasked(masked) || masked.startsWith('Cannot')).toBe(true);
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

test.each([
	'https://receiver.example/hook?token=***',
	'https://n8n.example/webhook/1/webhook?a=1&back=%2A%2A%2A',
	'https://n8n.example/webhook/1/webhook?%74oken=***',
])('%s was copied from an output', (url) => {
	expect(isMasked(url)).toBe(true);
});

test('of whatever a trigger writes into a URL no value is left, and everything else stays', () => {
	const secret = fc.string({
		unit: fc.constantFrom(...'abcdef0123456789'),
		minLength: 16,
		maxLength: 16,
	});
	const other = fc.constantFrom('x=1', 'q=a%20b', 'url=https://a.example/?b', 'tokens=5', '=', 'x');
	const base = fc.constantFrom(
		'https://n8n.example/webhook/1/webhook',
		'http://localhost:5678/webhook-test/1/webhook',
		'https://n8n.example/prefix/hooks/w%2F1/webhook/',
	);
	const link = fc.record({
		base,
		secret,
		others: fc.array(other, { maxLength: 3 }),
		isTested: fc.boolean(),
	});
	fc.assert(
		fc.property(fc.array(link, { minLength: 1, maxLength: 4 }), fc.boolean(), (links, isOut) => {
			let url = isOut ? 'https://first.example/hook?key=0123456789abcdef' : '';
			const state = { events: null, active: true };
			for (const each of links) {
				const previous = url;
				url = `${each.base}?${[...each.others, `token=${token}`].join('&')}`;
				if (previous) url = withPrevious(url, { ...state, url: previous });
				const order = { path: `/${each.secret}`, before: state, during: null };
				if (each.isTested) url = withTestOrder(url, 'key', each.secret, order);
			}
			const masked = maskTriggerUrls(url);
			const values = [...new URL(url).searchParams].filter(([name]) =>
				allUrlParameters.includes(name),
			);
			for (const [, value] of values) expect(masked).not.toContain(value);
			expect(masked).not.toContain('0123456789abcdef');
			const keep = (text: string) =>
				[...new URL(text).searchParams].filter(([name]) => !allUrlParameters.includes(name));
			expect(keep(masked)).toEqual(keep(url));
			expect(masked.split('?')[0]).toBe(url.split('?')[0]);
			expect(isMasked(masked)).toBe(true);
			expect(isMasked(url)).toBe(false);
			// A text around it, as the service may write one, and a URL that carries it.
			for (const text of [`Failed: ${url}.`, `https://r.example/?to=${encodeURIComponent(url)}`])
				for (const [, value] of values) expect(maskTriggerUrls(text)).not.toContain(value);
		}),
		generated(500),
	);
});
