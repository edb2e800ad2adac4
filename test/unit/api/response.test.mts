import { causes } from '../../../nodes/api/causes.ts';
import { leavesDoubt, refuseResponse, RequestFailedError } from '../../../nodes/api/errors.ts';
import { readItems, readBareList, readRecord } from '../../../nodes/api/response.ts';
import { at } from '../../../nodes/api/request.ts';
import { failure, getPersons, respond } from './responding.mts';

const answer = (body: unknown, status = 200) => respond({ body, status });

const bodies: Array<[what: string, body: unknown, came?: string]> = [
	['nothing', undefined],
	['an empty text', ''],
	['a web page', '  <!doctype html><title>Log in</title>', 'a web page instead of'],
	['a number', 7],
];
const other = 'something other than';

test.each<(typeof bodies)[number]>([...bodies, ['a list', [{}]]])(
	'%s is not a record',
	(_, body, came = other) => {
		const told = `The service responded with ${came} a record (201)`;
		expect(() => readRecord(answer(body, 201))).toThrow(told);
	},
);

test.each<(typeof bodies)[number]>([...bodies, ['an object', { total: 1 }]])(
	'%s is not a list',
	(_, body, came = other) => {
		const told = `The service responded with ${came} a list (200)`;
		expect(() => readBareList(answer(body))).toThrow(told);
		expect(() => readItems(answer({ items: body }))).toThrow(`${other} a list (200)`);
	},
);

test.each([null, 'text', [1], 7])('%j is no record of a list', (entry) => {
	expect(() => readBareList(answer([{ a: 1 }, entry]))).toThrow(RequestFailedError);
});

test('keeps records unchanged', () => {
	const items = [{ a: 1 }, { b: null }];
	expect(readItems(answer({ items }))).toEqual(items);
	expect(readBareList(answer(items))).toEqual(items);
	expect(readRecord(answer({ unknown: null }))).toEqual({ unknown: null });
	expect(readItems(answer({ items: [] }))).toEqual([]);
});

test('says what a write may have done, and never that a read has done anything', () => {
	const headers = { 'x-request-id': 'req-1' };
	const request = { method: 'POST' as const, ...at.person`/persons` };
	const write = refuseResponse('a record', respond({ request, headers, body: '<html>' }));
	const { advice } = causes.webPage;
	const doubt = 'The person may have been created. Check in the service before you retry.';
	expect(write.description).toBe(`${advice} ${doubt} Request ID: req-1`);
	const told = { status: 200, attempts: 1, repeated: false };
	const ofWrite = { endpoint: 'POST /v0/persons', maybeDone: true, requestId: 'req-1' };
	expect(write.details).toEqual({ ...told, ...ofWrite });
	const stated = respond({ body: { message: 'Maintenance until noon' } });
	expect(refuseResponse('a list', stated).description).toBe(
		`The response said: "Maintenance until noon". ${advice}`,
	);
	const read = refuseResponse('a list', respond({ body: '<html>' }));
	expect(read.description).toBe(advice);
	expect(read.details).toEqual({ ...told, endpoint: 'GET /v0/persons', maybeDone: false });
});

test.each([{}, { personId: null }, { personId: ' ' }, { personId: {} }])(
	'%j is no record with an ID',
	(body) => {
		expect(() => readRecord(answer(body), 'personId')).toThrow(
			'The service responded with something other than a record with personId (200)',
		);
	},
);

test.each([{ personId: 'p1' }, { personId: 0 }])('%j is a record with an ID', (body) => {
	expect(readRecord(answer(body), 'personId')).toEqual(body);
});

const failed = (maybeDone: boolean) => failure({ maybeDone });

test.each<[what: string, doubt: boolean, error: unknown]>([
	['a cancelled execution', true, Object.assign(new Error('aborted'), { name: 'AbortError' })],
	['a response to a read that is no record', false, refuseResponse('', respond())],
	[
		'a response to a write that is no record',
		true,
		refuseResponse('', respond({ request: { ...getPersons, method: 'POST' } })),
	],
	['a failure after which the work may be done', true, failed(true)],
	['a failure before the work', false, failed(false)],
	['a mistake of our own', true, new TypeError('x is not a function')],
])('%s leaves doubt whether the work is done: %p', (_, doubt, error) => {
	expect(leavesDoubt(error)).toBe(doubt);
});
