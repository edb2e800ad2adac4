import { findUnevaluated, isExpression } from '../../../nodes/parameters/mapping.ts';

const text = '{{ $json.email }}';

describe('an expression in a field that is set to Fixed', () => {
	test.each<[saved: unknown, found: string | undefined]>([
		[text, text],
		[[text], text],
		[{ __rl: true, mode: 'id', value: text }, text],
		[{ name: 'Ada', email: text }, text],
		[{ action: [{ email: 'a@x.example' }, { person: { email: text } }] }, text],
		[{ assignments: [{ name: 'plan', type: 'string', value: text }] }, text],
		// Without what is around it.
		['crm {{ $json.id }}: {{ $json.name }}', '{{ $json.id }}'],
		['{ "name": "{{$json.name}}" }', '{{$json.name}}'],
		['{{ name }} {{ $now', '{{ $now'],
		[{ __rl: true, mode: 'list', value: 'page_1', cachedResultName: text }, undefined],
		...[...['', '{{ name }}', '$json.name', `=${text}`], undefined, null, true, 7, {}, []].map(
			(none): [unknown, undefined] => [none, undefined],
		),
	])('in %j is %j', (saved, found) => {
		expect(findUnevaluated(saved)).toBe(found);
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
