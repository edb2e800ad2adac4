import { copyMasked, isMasked, maskTriggerUrls } from '../../../nodes/webhooks/triggerUrl.ts';
import {
	describeName,
	describeUrl,
	isRewritten,
	parseUrl,
	readReach,
	shortenUrls,
} from '../../../nodes/runtime/url.ts';

test('a host with an umlaut is read as often as it comes', () => {
	for (let n = 0; n < 20_000; n++)
		expect(parseUrl('https://bücher.example')?.hostname).toBe('xn--bcher-kva.example');
});

test.each([
	['https://a.example/X', 'http://A.example:80/x/', true],
	['https://a.example/x?q=ABC&b=1', 'https://a.example/x/?b=1&q=abc', true],
	['https://a.example', 'https://a.example/', true],
	['https://a.example/%7Ea', 'https://a.example/~a', true],
	['https://a.example/x?q=stra%C3%9Fe', 'https://a.example/x?q=strasse', false],
	['https://a.example/x?q=1', 'https://a.example/x', false],
	['https://a.example/x', 'https://a.example/y', false],
	['no URL', 'no URL', false],
])('%s may have been stored as %s: %p', (sent, stored, is) => {
	expect(isRewritten(sent, stored)).toBe(is);
});

const n8n = 'https://n8n.example';
test.each<[url: string, masked: string]>([
	[`${n8n}/webhook/1/webhook?token=abc`, `${n8n}/webhook/1/webhook?token=***`],
	[`${n8n}/hooks/1/webhook/?a=1&token=a&b=2`, `${n8n}/hooks/1/webhook/?a=1&token=***&b=2`],
	[`${n8n}/WEBHOOK/1/Webhook?TOKEN=abc`, `${n8n}/WEBHOOK/1/Webhook?TOKEN=***`],
	[`${n8n}/webhook/1/webhook?token=a&token=b`, `${n8n}/webhook/1/webhook?token=***&token=***`],
	[`At ${n8n}/a/1/webhook?token=abc&x=1 (gone)`, `At ${n8n}/a/1/webhook?token=***&x=1 (gone)`],
	...[
		...['https://receiver.example/hook?token=abc&back=1', `${n8n}/webhook/1/webhook?`],
		...['https://receiver.example/webhooks?token=abc', `${n8n}/webhook/other?token=abc`],
		...[`${n8n}/webhook/1/webhook?a=token&tokens=1&x_token=2`, '100 % of token=abc', ''],
	].map((url): [string, string] => [url, url]),
])('%s is shown as %s, in every field of a record', (url, masked) => {
	expect(maskTriggerUrls(url)).toBe(masked);
	expect([isMasked(url), isMasked(masked)]).toEqual([false, masked !== url]);
	const record = (of: string) => ({ url: of, timeout: 1.5, no: null, earlier: [{ urls: [of] }] });
	expect(copyMasked(record(url))).toEqual(record(masked));
});

test.each([
	['https://user:pass@crm.example:8443/hooks/in?key=s3cret', 'https://crm.example:8443/hooks/in'],
	['https://hooks.example/services/T00000001/XXXXXX', 'https://hooks.example/services/T000…/XXXX…'],
	['https://x.example/', 'https://x.example'],
	['mailto:a@example.com', 'no usable URL'],
	['', 'no usable URL'],
])('in lists and messages, %s shows as %s', (url, shown) => {
	expect(describeUrl(url)).toBe(shown);
});

test.each([
	['Cannot reach http://a.example/x?token=1', 'Cannot reach http://a.example/x'],
	[
		'From "HTTPS://a.example/s3cr3t9?k=1" to http://b.example/hooks, then',
		'From "https://a.example/s3cr…" to http://b.example/hook… then',
	],
	['no URL: ftp://a.example/x?token=1', 'no URL: ftp://a.example/x?token=1'],
])('%j is shown without queries and secrets', (text, shown) => {
	expect(shortenUrls(text)).toBe(shown);
});

test.each([
	['Webhook', 'Webhook'],
	['page-events', 'page-events'],
	['new_contacts', 'new_contacts'],
	['hooks.json', 'hooks.json'],
	['a1b2c', 'a1b2c'],
	['a1b2c3', 'a1b2…'],
	['1abcdef', '1abc…'],
	['WebHook', 'WebH…'],
	['hook-9f8e7d', 'hook…'],
	['hookxyyyyyyyyy', 'hook…'],
	['one-two-three', 'one-…'],
])('the name %j is shown as %j', (name, shown) => {
	expect(describeName(name)).toBe(shown);
});

test.each<[reach: string, hosts: string[]]>([
	['loopback', ['localhost', 'LOCALHOST.', 'a.localhost', '127.0.0.1', '127.255.10.254']],
	['loopback', ['0.0.0.0', '0.1.2.3', '[::1]', '[::]']],
	['private', ['10.1.2.3', '172.16.0.1', '172.20.0.1', '172.31.0.1', '192.168.1.1', '169.254.1.1']],
	['private', ['[fd00::1]', '[fdff::1]', '[fc00::1]', '[fe80::1]', '[febf::1]']],
	['private', ['n8n', 'nas.local', 'host.docker.internal', 'api.lan.', 'api.home.arpa', 'a.test']],
	['private', ['100.64.0.1', '100.127.255.254', '[::ffff:10.1.2.3]', '[::ffff:a9fe:1]']],
	['loopback', ['[::ffff:127.0.0.1]', '[::ffff:7f00:1]']],
	['public', ['100.63.255.255', '100.128.0.1', '[::ffff:1.2.3.4]', '[::ffff:808:808]']],
	['public', ['1.2.3.4', '172.32.0.1', '172.15.255.255', '127.example.com', '10.example.com']],
	['public', ['api.example.com', 'localhost.example.com', 'lan.example.com', '']],
	['public', ['[2001:db8::1]', '[::2]', '[fec0::1]', '[fc::1]']],
])('the reach of an address is %s: %j', (reach, hosts) => {
	for (const host of hosts) expect([host, readReach(host)]).toEqual([host, reach]);
});
