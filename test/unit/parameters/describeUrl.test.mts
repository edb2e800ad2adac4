import { describeName, shortenUrls } from '../../../nodes/api/url.ts';

test.each([
	['Cannot reach http://a.example/x?token=1', 'Cannot reach http://a.example/x'],
	[
		'From "HTTPS://a.example/s3cr3t9?k=1" to http://b.example/hooks.',
		'From "https://a.example/s3cr…" to http://b.example/hook…',
	],
	['no URL: ftp://a.example/x?token=1', 'no URL: ftp://a.example/x?token=1'],
])('%j is shown without queries and secrets', (text, shown) => {
	expect(shortenUrls(text)).toBe(shown);
});

test.each([
	['webhook', 'webhook'],
	['Webhook', 'Webhook'],
	['page-events', 'page-events'],
	['new_contacts', 'new_contacts'],
	['hooks.json', 'hooks.json'],
	['a1b2c', 'a1b2c'],
	['a1b2c3', 'a1b2…'],
	['1abcdef', '1abc…'],
	['WebHook', 'WebH…'],
	['hook9f8e7d', 'hook…'],
	['hook-9f8e7d', 'hook…'],
	['hookxyyyyyyyyy', 'hook…'],
	['one-two-three', 'one-…'],
	['webhook+contacts', 'webh…'],
])('of the name %j %j is shown', (name, shown) => {
	expect(describeName(name)).toBe(shown);
});
