import { type ApiRequest, at, type Target } from '../../../nodes/api/request.ts';
import type { SendResult } from '../../../nodes/api/causes.ts';
import { explain, respond } from './responding.mts';

const read: ApiRequest = { method: 'GET', ...at.person`/persons` };
const write: ApiRequest = { method: 'POST', ...at.person`/persons`, body: { name: 'Ann' } };
const change: ApiRequest = {
	method: 'PATCH',
	...at.account`/accounts/${'a'}`,
	body: { name: 'A' },
};

const answer = (status: number, body: unknown = {}): SendResult => respond({ status, body });
const loss = (code?: string, reason = 'gone'): SendResult => ({
	responded: false,
	code,
	reason,
});

const again =
	'If it keeps happening, check the Base URL in the credential, and the firewalls and proxies between n8n and the service.';

test.each<[outcome: SendResult, message: string, advice: string]>([
	[
		answer(399),
		'The service redirected the request (399)',
		'Redirects are not followed, so that the API key reaches no other address. Check the Base URL in the credential. If it leads to a login, let n8n through without one. The account may have been changed. You can safely retry.',
	],
	[
		answer(400),
		'The service rejected the request (400)',
		'Check the values that were sent, and the Base URL in the credential.',
	],
	[
		answer(401),
		'The API key was rejected (401)',
		'Check the API Key and the Base URL in the credential.',
	],
	[
		answer(403),
		'The API key or this n8n has no access to this (403)',
		"Use a key that has the rights for it. If it has them, ask the service to let n8n's IP address through.",
	],
	[
		answer(404),
		'Account "a" was not found (404)',
		'Check the ID. If every ID fails, check the Base URL and the API Key in the credential.',
	],
	[
		answer(408),
		'The service failed to process the request (408)',
		'The account may have been changed. You can safely retry.',
	],
	[
		answer(405),
		'The service does not support this request (405)',
		'Check the Base URL in the credential. If only changes fail, let PATCH and DELETE through firewalls and proxies on the way.',
	],
	[
		answer(409),
		'A conflicting record already exists (409)',
		'Look for a record with the same values.',
	],
	[
		answer(410),
		'Account "a" was not found (410)',
		'Check the ID. If every ID fails, check the Base URL and the API Key in the credential.',
	],
	[answer(402), 'Payment required (402)', 'Check your plan in the service.'],
	[answer(413), 'The request is too large for the service (413)', 'Send less data in one item.'],
	[answer(422), 'The service rejected the values (422)', 'Check the values that were sent.'],
	[answer(429), 'Rate limit reached (429)', 'Retry later.'],
	[
		answer(500),
		'The service failed to process the request (500)',
		'The account may have been changed. You can safely retry.',
	],
	...[502, 503, 504, 522].map((status): [SendResult, string, string] => [
		answer(status),
		`The service, or a proxy on the way to it, is unavailable (${status})`,
		`${again} The account may have been changed. You can safely retry.`,
	]),
	[
		loss('ENOTFOUND', 'getaddrinfo'),
		'The service cannot be reached',
		'(getaddrinfo) Check that the service runs, that the Base URL in the credential is right, and that this n8n can reach it.',
	],
	...['ECONNABORTED', 'ETIMEDOUT'].map((code): [SendResult, string, string] => [
		loss(code),
		'The service did not respond in time',
		`(gone) ${again} The account may have been changed. You can safely retry.`,
	]),
	...['ECONNRESET', undefined].map((code): [SendResult, string, string] => [
		loss(code, 'aborted'),
		'The connection was lost before the response was complete',
		`(aborted) ${again} The account may have been changed. You can safely retry.`,
	]),
])('%j has its message, what to do, and details', (outcome, message, advice) => {
	const story = { request: change, outcome, attempts: 1, repeated: false };
	const details = {
		...(outcome.responded ? { status: outcome.status } : { code: outcome.code }),
		endpoint: 'PATCH /v0/accounts/a',
		attempts: 1,
		repeated: false,
	};
	expect(explain(story)).toMatchObject({ message, description: advice, details });
});

const proxied = (status: number, headers: Record<string, unknown> = {}, body: unknown = '') =>
	respond({ status, headers, body });
const byProxy = (status: number) =>
	`A proxy responded in place of the service: check NO_PROXY (${status})`;

test.each<[outcome: SendResult, message: string, setting: string]>([
	// Squid, a proxy that asks for a login, one that only has a status, and one with a page.
	[
		proxied(503, { 'x-squid-error': 'ERR_DNS_FAIL 0' }, '<html>'),
		byProxy(503),
		'If it keeps happening, check the Base URL',
	],
	[proxied(403, { 'proxy-agent': 'nginx' }), byProxy(403), 'NO_PROXY'],
	[proxied(407, { 'proxy-authenticate': 'Basic' }), byProxy(407), 'HTTPS_PROXY'],
	[proxied(407, {}, { message: 'Login' }), byProxy(407), 'HTTP_PROXY'],
	...['SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'].map(
		(code): [SendResult, string, string] => [
			loss(code),
			'The certificate of the address is not trusted',
			"NODE_EXTRA_CA_CERTS to a file with the signer's certificate for each process",
		],
	),
	...['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID', 'ERR_TLS_CERT_ALTNAME_INVALID'].map(
		(code): [SendResult, string, string] => [
			loss(code),
			'The certificate of the address is not valid',
			"the clock of n8n's machine",
		],
	),
	[
		{ responded: false, reason: 'blocked', isRefusal: true },
		'n8n refused to send the request',
		'N8N_SSRF_ALLOWED_HOSTNAMES',
	],
])('%j did not reach the service, and what to change is named', (outcome, message, setting) => {
	for (const request of [read, { ...write, repeatable: true }]) {
		const { description, ...rest } = explain({ request, outcome, attempts: 1, repeated: false });
		expect(rest.message).toBe(message);
		expect(description).toContain(setting);
	}
});

test.each([
	proxied(403, { via: '1.1 google', 'proxy-status': 'cdn' }, { message: 'No' }),
	proxied(401),
	proxied(404, {}, '<html>'),
])('%j is the response of the service', (outcome) => {
	const { description } = explain({ request: read, outcome, attempts: 1, repeated: false });
	expect(description).not.toMatch(/prox|NODE_EXTRA/i);
});

test('tells the story of a request in order', () => {
	const outcome = respond({
		status: 503,
		headers: { 'x-request-id': 'req-1' },
		body: { message: 'busy' },
	});
	const story = { request: write, outcome, attempts: 3, repeated: true, reason: 'Too long.' };
	expect(explain(story).description).toBe(
		`Too long. The response said: "busy". ${again} The person may have been created. Check in the service before you retry. Tried 3 times. Request ID: req-1`,
	);
	const unsent = { ...story, attempts: 0, repeated: false, reason: undefined };
	expect(explain(unsent).description).toMatch(
		/^Not sent, because an earlier request of this run got this response\. The response said: "busy"\./,
	);
	expect(explain({ ...story, attempts: 1 }).description).not.toContain('Tried');
});

test('says that an earlier attempt of a write may have succeeded', () => {
	const story = { request: change, outcome: answer(409), attempts: 2, repeated: true };
	expect(explain(story).details).toMatchObject({ maybeDone: true, repeated: true });
	expect(explain({ ...story, request: read }).details.maybeDone).toBe(false);
});

describe('the request ID of the service', () => {
	const withHeaders = (headers: Record<string, unknown>) =>
		explain({
			request: read,
			outcome: respond({ status: 500, headers }),
			attempts: 1,
			repeated: false,
		});

	test.each(['x-request-id', 'request-id', 'x-correlation-id', 'cf-ray'])(
		'is read from %s',
		(name) => {
			const { details, description } = withHeaders({ [name]: 'req-4711' });
			expect(details.requestId).toBe('req-4711');
			expect(description).toMatch(/Request ID: req-4711$/);
		},
	);

	test('is the most specific of several', () => {
		const headers = { 'cf-ray': 'ray', 'x-request-id': 'id' };
		expect(withHeaders(headers).details.requestId).toBe('id');
	});

	test.each([undefined, '', 'a b', 'x'.repeat(201), ['a'], 'a\nb'])('is not %j', (value) => {
		const { details, description } = withHeaders({ 'x-request-id': value });
		expect(details).not.toHaveProperty('requestId');
		expect(description).not.toContain('Request ID');
	});
});

test.each<[target: Target, record: string | undefined]>([
	[at.account`/accounts/${'account 1'}`, 'Account "account 1"'],
	[at.account`/accounts/${'a1'}/activity`, 'Account "a1"'],
	[at.audience`/pages/${'p1'}/audiences/${'aud_1'}`, 'Audience "aud_1" of "p1"'],
	[at.audience`/pages/${'p1'}/audiences/${'aud_1'}/restore`, 'Audience "aud_1" of "p1"'],
	[at.audienceSession`/audience_sessions/${'s1'}/interactions`, 'Audience session "s1"'],
	[at.person`/persons/${'x'.repeat(61)}`, 'Person "xxxx…"'],
	[at.person`/persons/${'x'.repeat(60)}`, `Person "${'x'.repeat(60)}"`],
	[at.person`/persons`, undefined],
	[at.person`/persons/search`, undefined],
])('names the record of %j', (target, record) => {
	const request = { method: 'GET', ...target } as const;
	const story = { request, outcome: answer(404), attempts: 1, repeated: false };
	expect(explain(story).message).toBe(`${record ?? 'The address'} was not found (404)`);
});

test.each<[request: ApiRequest, status: number, message: string, advice: string]>([
	[read, 404, 'The address was not found (404)', 'Check the Base URL in the credential.'],
	[
		{ method: 'POST', ...at.personLog`/person_logs`, body: { person: { personId: 'p' } } },
		404,
		'A record that the values name, or the address, was not found (404)',
		'Check the IDs in the values. If every item fails, check the Base URL and the API Key in the credential.',
	],
	...(['DELETE', 'POST'] as const).map((method): [ApiRequest, number, string, string] => [
		{ method, ...at.page`/pages/${'p'}`, ...(method === 'POST' && { body: {} }) },
		409,
		'Page "p" cannot be changed in its present state (409)',
		'Look at it in the service: it may already be archived or restored.',
	]),
])('%j with %i is told by what the request names', (request, status, message, description) => {
	const told = explain({ request, outcome: answer(status), attempts: 1, repeated: false });
	expect(told).toMatchObject({ message, description });
});

test.each([
	['https://login.example/?key=1', 'It leads to https://login.example. '],
	['/elsewhere', ''],
	[undefined, ''],
])('a redirect to %s is told with its address', (location, to) => {
	const outcome = respond({ status: 302, headers: { location } });
	const told = explain({ request: read, outcome, attempts: 1, repeated: false });
	expect(told.description).toBe(
		`${to}Redirects are not followed, so that the API key reaches no other address. Check the Base URL in the credential. If it leads to a login, let n8n through without one.`,
	);
});

test.each<[request: ApiRequest, doubt: string]>([
	[
		{ method: 'POST', ...at.person`/persons` },
		'The person may have been created. Check in the service before you retry.',
	],
	[
		{ method: 'POST', ...at.personLog`/person_logs`, repeatable: true },
		'The person log entry may have been created. You can safely retry.',
	],
	[
		{ method: 'PATCH', ...at.page`/pages/${'p1'}` },
		'The page may have been changed. You can safely retry.',
	],
	[
		{ method: 'DELETE', ...at.audience`/pages/${'p1'}/audiences/${'a1'}` },
		'The audience may have been archived. You can safely retry.',
	],
	[
		{ method: 'POST', ...at.audience`/pages/${'p1'}/audiences/${'a1'}/restore`, repeatable: true },
		'The audience may have been changed. You can safely retry.',
	],
	[
		{ method: 'PATCH', ...at.pageLink`/page_links/${'l1'}`, repeatable: false },
		'The page link may have been changed. Check in the service before you retry.',
	],
])('says what may have been done: %j', (request, doubt) => {
	const story = { request, outcome: answer(500), attempts: 1, repeated: false };
	expect(explain(story).description).toBe(doubt);
});
