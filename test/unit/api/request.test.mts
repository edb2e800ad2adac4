import { at, type Query, writeQuery } from '../../../nodes/api/request.ts';

/* What may be sent twice is in verdict.test.mts and failure.test.mts. */

test.each([
	['../persons', '..%2Fpersons'],
	['%2e%2e', '%252e%252e'],
	['...', '...'],
	['é', '%C3%A9'],
	['a\r\nx-evil: 1', 'a%0D%0Ax-evil%3A%201'],
])('a path value is exactly one segment, in its place: %j', (value, segment) => {
	const { path } = at.audience`/pages/${'a'}/audiences/${value}/restore`;
	expect(path).toBe(`/pages/a/audiences/${segment}/restore`);
	expect(new URL(`http://host.example/v0${path}`).pathname).toBe(`/v0${path}`);
	expect(decodeURIComponent(segment)).toBe(value);
});

test.each(['', '.', '..'])('a path value %j is rejected', (value) => {
	const told = `cannot be used as an ID, because it is "${value}"`;
	expect(() => at.page`/pages/${value}`).toThrow(told);
	expect(() => at.page`/pages/p/audiences/${value}/restore`).toThrow(told);
});

test.each<[query: Query | undefined, written: string]>([
	[undefined, ''],
	[{}, ''],
	[{ a: undefined }, ''],
	[{ limit: 5 }, '?limit=5'],
	[{ limit: 0, query: '' }, '?limit=0&query='],
	[{ query: 'a b&c=d', x: undefined, limit: 1 }, '?query=a%20b%26c%3Dd&limit=1'],
	[{ startDate: '2026-01-01T00:00:00+01:00' }, '?startDate=2026-01-01T00%3A00%3A00%2B01%3A00'],
	[{ query: 'ä😀+#?' }, '?query=%C3%A4%F0%9F%98%80%2B%23%3F'],
	[{ 'a b': 'c' }, '?a%20b=c'],
	[{ query: 'a\ud83d' }, '?query=a%EF%BF%BD'],
])('the query %j is written as %j', (query, written) => {
	expect(writeQuery(query)).toBe(written);
});
