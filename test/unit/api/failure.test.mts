import { causes } from '../../../nodes/api/causes.ts';
import { leavesDoubt, refuseResponse } from '../../../nodes/api/errors.ts';
import { type ApiRequest, at, DELETE, GET, POST, type Target } from '../../../nodes/api/request.ts';
import {
	createPerson,
	explain,
	failure,
	getPersons,
	respond,
	updateAccount,
} from './responding.mts';

const lost = 'Check in the service before you retry.';
const safe = 'You can safely retry.';

test('tells the story of a request in order', () => {
	const headers = { 'x-request-id': 'req-1' };
	const busy = respond({ status: 503, headers, body: { message: 'busy' } });
	const story = { attempts: 3, repeated: true, reason: 'Too long.' };
	expect(explain(createPerson, busy, story).description).toBe(
		`Too long. The response said: "busy". ${causes.lost.advice} The person may have been created. ${lost} Tried 3 times. Request ID: req-1`,
	);
	expect(explain(createPerson, busy, { attempts: 0 }).description).toMatch(
		/^Not sent, because an earlier request of this run got this response\. The response said: "busy"\./,
	);
	expect(explain(createPerson, busy).description).not.toContain('Tried');
});

test('says that an earlier attempt of a write may have succeeded', () => {
	const again = { attempts: 2, repeated: true };
	const conflict = respond({ status: 409 });
	const { details } = explain(updateAccount, conflict, again);
	expect(details).toMatchObject({ maybeDone: true, repeated: true });
	expect(explain(getPersons, conflict, again).details.maybeDone).toBe(false);
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
	const { details, description } = explain(getPersons, respond({ status: 500, headers }));
	expect(details.requestId).toBe(id);
	expect(/Request ID: (.*)$/.exec(description)?.[1]).toBe(id);
});

test.each<[target: Target, record: string]>([
	[at.account`/accounts/${'account 1'}`, 'Account "account 1"'],
	[at.account`/accounts/${'a1'}/activity`, 'Account "a1"'],
	[at.audience`/pages/${'p1'}/audiences/${'aud_1'}`, 'Audience "aud_1" of page "p1"'],
	[at.audience`/pages/${'p1'}/audiences/${'aud_1'}/restore`, 'Audience "aud_1" of page "p1"'],
	[at.audienceSession`/audience_sessions/${'s1'}/interactions`, 'Audience session "s1"'],
	[at.person`/persons/${'x'.repeat(61)}`, 'Person "xxxx…"'],
	[at.person`/persons/${'x'.repeat(60)}`, `Person "${'x'.repeat(60)}"`],
	[at.person`/persons`, 'The address'],
	[at.person`/persons/search`, 'The address'],
])('names the record of %j', (target, record) => {
	const { message } = explain(GET(target), respond({ status: 404 }));
	expect(message).toBe(`${record} was not found (404)`);
});

test.each([
	['https://login.example/?key=1', 'It leads to https://login.example. '],
	['/elsewhere', ''],
	[undefined, ''],
])('a redirect to %s is told with its address', (location, to) => {
	const told = explain(getPersons, respond({ status: 302, headers: { location } }));
	expect(told.description).toBe(`${to}${causes.moved.advice}`);
});

test.each([
	// Records are nobody's error message.
	[200, false, true],
	[299, false, true],
	[300, true, true],
	[399, true, true],
	[400, true, false],
	[500, true, false],
])(
	'with status %i, a body without words is quoted: %j, and an address told: %j',
	(status, ...is) => {
		const headers = { location: 'https://login.example/' };
		const { description } = explain(
			getPersons,
			respond({ status, headers, body: { personId: 7 } }),
		);
		const told = [description.includes('"personId":7'), description.includes('It leads to')];
		expect(told).toEqual(is);
	},
);

const audience = at.audience`/pages/${'p1'}/audiences/${'a1'}`;
const log = POST(at.personLog`/person_logs`, {});
const restore = POST(at.audience`/pages/${'p1'}/audiences/${'a1'}/restore`, {});

test.each<[request: ApiRequest, doubt: string]>([
	[createPerson, `The person may have been created. ${lost}`],
	[{ ...log, repeatable: true }, `The person log entry may have been created. ${safe}`],
	[updateAccount, `The account may have been changed. ${safe}`],
	[{ ...updateAccount, repeatable: false }, `The account may have been changed. ${lost}`],
	[DELETE(audience), `The audience may have been archived. ${safe}`],
	[{ ...restore, repeatable: true }, `The audience may have been changed. ${safe}`],
])('says what may have been done: %j', (request, doubt) => {
	expect(explain(request, respond({ status: 500 })).description).toBe(doubt);
});

test.each<[what: string, doubt: boolean, error: unknown]>([
	['a cancelled execution', true, Object.assign(new Error('aborted'), { name: 'AbortError' })],
	['a response to a read that is no record', false, refuseResponse('', respond())],
	[
		'a response to a write that is no record',
		true,
		refuseResponse('', respond({ request: createPerson })),
	],
	['a failure after which the work may be done', true, failure({ maybeDone: true })],
	['a failure before the work', false, failure({ maybeDone: false })],
	['a mistake of our own', true, new TypeError('x is not a function')],
])('%s leaves doubt whether the work is done: %p', (_, doubt, error) => {
	expect(leavesDoubt(error)).toBe(doubt);
});
