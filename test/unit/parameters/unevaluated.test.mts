import { findUnevaluated, isExpression } from '../../../nodes/parameters/mapping.ts';

const text = '{{ $json.email }}';

describe('an expression in a field that is set to Fixed', () => {
	test.each<[saved: unknown]>([
		[text],
		[[text]],
		[{ __rl: true, mode: 'id', value: text }],
		[{ name: 'Ada', email: text }],
		[{ action: [{ email: 'a@x.example' }, { person: { email: text } }] }],
		[{ assignments: [{ name: 'plan', type: 'string', value: text }] }],
	])('is found in %j', (saved) => {
		expect(findUnevaluated(saved)).toBe(text);
	});

	test.each([
		['crm {{ $json.id }}: {{ $json.name }}', '{{ $json.id }}'],
		['{ "name": "{{$json.name}}" }', '{{$json.name}}'],
		['{{ name }} {{ $now', '{{ $now'],
	])('is quoted without what is around it: %s', (saved, quoted) => {
		expect(findUnevaluated(saved)).toBe(quoted);
	});

	test.each([
		undefined,
		null,
		true,
		7,
		'',
		'{{ name }}',
		'$json.name',
		'={{ $json.name }}',
		{},
		[],
		{ __rl: true, mode: 'list', value: 'page_1', cachedResultName: text },
	])('is not %p', (saved) => {
		expect(findUnevaluated(saved)).toBeUndefined();
	});
});

describe('an expression', () => {
	const row = { name: 'Ada', email: '={{ $json.email }}' };
	const saved = {
		query: '={{ $json.query }}',
		typed: '{{ $json.query }}',
		filters: '={{ $json.filters }}',
		pageId: { __rl: true, mode: 'id', value: '={{ $json.page }}', cachedResultName: '=Start' },
		chosen: { __rl: true, mode: 'list', value: 'page_1', cachedResultName: '=Start' },
		actions: { action: [{ name: '' }, row] },
		limit: 5,
		none: null,
	};

	test.each<[path: Array<number | string>, found: boolean]>([
		[['query'], true],
		[['filters', 'startDate'], true],
		[['pageId'], true],
		[['actions', 'action', 1, 'email'], true],
		[['typed'], false],
		[['chosen'], false],
		[['actions'], false],
		[['actions', 'action', 0, 'email'], false],
		[['actions', 'action', 1, 'name'], false],
		[['actions', 'action', 2, 'email'], false],
		[['limit'], false],
		[['none', 'any'], false],
		[['missing'], false],
	])('at %j: %p', (path, found) => {
		expect(isExpression(saved, path)).toBe(found);
	});
});
