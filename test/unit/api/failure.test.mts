import { type ApiRequest, at, type Target } from '../../../nodes/api/request.ts';
import { causes, type SendResult } from '../../../nodes/api/causes.ts';
import { explain, respond } from './responding.mts';

const read: ApiRequest = { method: 'GET', ...at.person`/persons` };
const write: ApiRequest = { method: 'POST', ...at.person`/persons`, body: { name: 'Ann' } };
const change: ApiRequest = {
	method: 'PATCH',
	...at.account`/accounts/${'a'}`,
	body: { name: 'A' },
};

const answer = (status: number, body: unknown = {}): SendResult => respond({ status, body });
const again = causes.lost.advice;

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

test.each<[headers: Record<string, unknown>, id: string | undefined]>([
	...['x-request-id', 'request-id', 'x-correlation-id', 'cf-ray'].map(
		(name): [Record<string, unknown>, string] => [{ [name]: 'req-4711' }, 'req-4711'],
	),
	[{ 'cf-ray': 'ray', 'x-request-id': 'specific' }, 'specific'],
	...[undefined, '', 'a b', 'x'.repeat(201), ['a'], 'a\nb'].map(
		(id): [Record<string, unknown>, undefined] => [{ 'x-request-id': id }, undefined],
	),
])('the request ID in %j is %s', (headers, id) => {
	const outcome = respond({ status: 500, headers });
	const story = { request: read, outcome, attempts: 1, repeated: false };
	const { details, description } = explain(story);
	expect(details.requestId).toBe(id);
	expect(/Request ID: (.*)$/.exec(description)?.[1]).toBe(id);
});

test.each<[target: Target, record: string | undefined]>([
	[at.account`/accounts/${'account 1'}`, 'Account "account 1"'],
	[at.account`/accounts/${'a1'}/activity`, 'Account "a1"'],
	[at.audience`/pages/${'p1'}/audiences/${'aud_1'}`, 'Audience "aud_1" of page "p1"'],
	[at.audience`/pages/${'p1'}/audiences/${'aud_1'}/restore`, 'Audience "aud_1" of page "p1"'],
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

const audience = at.audience`/pages/${'p1'}/audiences/${'a1'}`;
const restore = at.audience`/pages/${'p1'}/audiences/${'a1'}/restore`;
const lost = 'Check in the service before you retry.';
const safe = 'You can safely retry.';

test.each<[request: ApiRequest, doubt: string]>([
	[write, `The person may have been created. ${lost}`],
	[
		{ method: 'POST', ...at.personLog`/person_logs`, repeatable: true },
		`The person log entry may have been created. ${safe}`,
	],
	[change, `The account may have been changed. ${safe}`],
	[{ ...change, repeatable: false }, `The account may have been changed. ${lost}`],
	[{ method: 'DELETE', ...audience }, `The audience may have been archived. ${safe}`],
	[{ method: 'POST', ...restore, repeatable: true }, `The audience may have been changed. ${safe}`],
])('says what may have been done: %j', (request, doubt) => {
	const story = { request, outcome: answer(500), attempts: 1, repeated: false };
	expect(explain(story).description).toBe(doubt);
});
