import { findUnevaluated } from '../../../nodes/parameters/mapping.ts';

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
