import { describeDoubt, describeEndpoint, describeRecord } from '../../../nodes/api/endpoint.ts';
import { type ApiPath, path } from '../../../nodes/api/path.ts';
import type { ApiRequest } from '../../../nodes/api/request.ts';

test('names the endpoint', () => {
	expect(describeEndpoint({ method: 'GET', path: path`/accounts/${'a/1'}` })).toBe(
		'GET /v0/accounts/a%2F1',
	);
});

test.each<[at: ApiPath, record: string | undefined]>([
	[path`/accounts/${'account 1'}`, 'Account "account 1"'],
	[path`/accounts/${'a1'}/activity`, 'Account "a1"'],
	[path`/pages/${'p1'}/audiences/${'aud_1'}`, 'Audience "aud_1" of page "p1"'],
	[path`/pages/${'p1'}/audiences/${'aud_1'}/restore`, 'Audience "aud_1" of page "p1"'],
	[path`/audience_sessions/${'s1'}/interactions`, 'Audience session "s1"'],
	[path`/page_links/${'l1'}`, 'Page link "l1"'],
	[path`/webhook_subscriptions/${'w1'}`, 'Webhook subscription "w1"'],
	[path`/person_logs/${'l1'}`, 'Person log entry "l1"'],
	[path`/persons/${'x'.repeat(61)}`, `Person "${'x'.repeat(60)}…"`],
	[path`/persons/${'x'.repeat(60)}`, `Person "${'x'.repeat(60)}"`],
	[path`/unknown/${'x'}`, undefined],
	[path`/unknown/${'persons'}/x`, undefined],
	[path`/persons`, undefined],
	[path`/persons/search`, undefined],
])('names the record of %s', (at, record) => {
	expect(describeRecord({ path: at })).toBe(record);
});

test.each<[request: ApiRequest, doubt: string]>([
	[
		{ method: 'POST', path: path`/persons` },
		'The person may have been created. Check in the service before you retry.',
	],
	[
		{ method: 'POST', path: path`/person_logs`, repeatable: true },
		'The person log entry may have been created. You can safely retry.',
	],
	[
		{ method: 'PATCH', path: path`/pages/${'p1'}` },
		'The page may have been updated. You can safely retry.',
	],
	[
		{ method: 'DELETE', path: path`/pages/${'p1'}/audiences/${'a1'}` },
		'The audience may have been archived. You can safely retry.',
	],
	[
		{ method: 'POST', path: path`/pages/${'p1'}/audiences/${'a1'}/restore`, repeatable: true },
		'The audience may have been restored. You can safely retry.',
	],
	[
		{ method: 'PATCH', path: path`/accounts/${'a1'}` },
		'The account may have been updated. You can safely retry.',
	],
	[
		{ method: 'PATCH', path: path`/page_links/${'l1'}`, repeatable: false },
		'The page link may have been updated. Check in the service before you retry.',
	],
	[
		{ method: 'PATCH', path: path`/webhook_subscriptions/${'w1'}` },
		'The webhook subscription may have been updated. You can safely retry.',
	],
	[
		{ method: 'GET', path: path`/audience_sessions/${'s1'}` },
		'The audience session may have been read. You can safely retry.',
	],
	[
		{ method: 'DELETE', path: path`/unknown/${'x'}` },
		'The record may have been archived. You can safely retry.',
	],
])('says what may have been done: %j', (request, doubt) => {
	expect(describeDoubt(request)).toBe(doubt);
});
