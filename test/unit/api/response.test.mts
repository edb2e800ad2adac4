import {
	readItems,
	readList,
	readRecord,
	UnexpectedResponseError,
} from '../../../nodes/api/response.ts';
import type { ApiResponse } from '../../../nodes/api/request.ts';

const answer = (body: unknown, status = 200): ApiResponse => ({
	responded: true,
	status,
	headers: {},
	body,
});

const bodies: Array<[what: string, body: unknown, told: string]> = [
	['nothing', undefined, 'an empty body'],
	['null', null, 'an empty body'],
	['an empty text', '', 'an empty body'],
	['a web page', '  <!doctype html><title>Log in</title>', 'a web page'],
	['broken JSON', '{"items": [', 'text'],
	['a number', 7, 'number'],
	['true', true, 'boolean'],
];

test.each([...bodies, ['a list', [{}], 'a list'] as (typeof bodies)[number]])(
	'%s is not a record',
	(_, body, told) => {
		expect(() => readRecord(answer(body, 201))).toThrow(UnexpectedResponseError);
		expect(() => readRecord(answer(body, 201))).toThrow(`(status 201, ${told})`);
	},
);

test.each([...bodies, ['an object', { total: 1 }, 'fields: total'] as (typeof bodies)[number]])(
	'%s is not a list',
	(_, body, told) => {
		expect(() => readList(answer(body))).toThrow(`without the list (status 200, ${told})`);
		expect(() => readItems(answer({ items: body }))).toThrow('without the list');
	},
);

test('keeps the message short and free of words that n8n rewrites', () => {
	const wide = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`field${i}`, i]));
	const told = new UnexpectedResponseError('without the list', answer(wide));
	expect(told.message.length).toBeLessThan(300);
	expect(told.message + told.description).not.toMatch(/error|problem|failure|mistake/i);
});

test('keeps records unchanged, and other entries as value', () => {
	const items = [{ a: 1 }, {}, null, 'text', [1], 7];
	const records = [{ a: 1 }, {}, { value: null }, { value: 'text' }, { value: [1] }, { value: 7 }];
	expect(readItems(answer({ items }))).toEqual(records);
	expect(readList(answer(items))).toEqual(records);
	expect(readRecord(answer({ unknown: null }))).toEqual({ unknown: null });
	expect(readItems(answer({ items: [] }))).toEqual([]);
});
