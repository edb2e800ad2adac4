import { causes } from '../../../nodes/api/causes.ts';
import { refuseResponse } from '../../../nodes/api/errors.ts';
import type { ApiResponse } from '../../../nodes/api/request.ts';
import { readBareList, readItems, readRecord } from '../../../nodes/api/response.ts';
import { createPerson, respond } from './responding.mts';

const readNamed = (response: ApiResponse) => readRecord(response, 'personId');
const page = '  <!doctype html><title>Log in</title>';
const others = [undefined, '', 7];

test.each<[missing: string, read: (response: ApiResponse) => unknown, bodies: unknown[]]>([
	['something other than a record', readRecord, [...others, [{}]]],
	['a web page instead of a record', readRecord, [page]],
	['something other than a list', readBareList, [...others, { total: 1 }]],
	['something other than a list', readBareList, [null, 'text', [1], 7].map((each) => [{}, each])],
	['a web page instead of a list', readBareList, [page]],
	[
		'something other than a list',
		readItems,
		[...others, page, { total: 1 }].map((items) => ({ items })),
	],
	[
		'something other than a record with personId',
		readNamed,
		[{}, ...[null, ' ', {}].map((personId) => ({ personId }))],
	],
])('the response is %s: %p of %j', (missing, read, bodies) => {
	for (const body of bodies)
		expect(() => read(respond({ body, status: 201 }))).toThrow(
			`The service responded with ${missing} (201)`,
		);
});

test('keeps records unchanged', () => {
	const items = [{ a: 1 }, { b: null }];
	expect(readItems(respond({ body: { items } }))).toEqual(items);
	expect(readBareList(respond({ body: items }))).toEqual(items);
	expect(readRecord(respond({ body: { unknown: null } }))).toEqual({ unknown: null });
	expect(readItems(respond({ body: { items: [] } }))).toEqual([]);
	for (const body of [{ personId: 'p1' }, { personId: 0 }])
		expect(readNamed(respond({ body }))).toEqual(body);
});

test('says what a write may have done, and never that a read has done anything', () => {
	const { advice } = causes.webPage;
	const told = { status: 200, attempts: 1, repeated: false };
	const headers = { 'x-request-id': 'req-1' };
	const write = refuseResponse(
		'a record',
		respond({ request: createPerson, headers, body: '<html>' }),
	);
	const doubt = 'The person may have been created. Check in the service before you retry.';
	expect(write.description).toBe(`${advice} ${doubt} Request ID: req-1`);
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
