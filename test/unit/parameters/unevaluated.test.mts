import type { INodeProperties } from 'n8n-workflow';
import { findUnevaluated } from '../../../nodes/parameters/unevaluated';

const email: INodeProperties = { displayName: 'Email', name: 'email', type: 'string', default: '' };
const person: INodeProperties = {
	displayName: 'Person',
	name: 'person',
	type: 'collection',
	default: {},
	options: [email],
};
const actions: INodeProperties = {
	displayName: 'Actions',
	name: 'actions',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	default: {},
	options: [{ displayName: 'Action', name: 'action', values: [email, person] }],
};
const target: INodeProperties = { ...actions, displayName: 'Target', typeOptions: undefined };
const fields: INodeProperties = { ...person, displayName: 'Fields', type: 'assignmentCollection' };
const page: INodeProperties = { ...email, displayName: 'Page', type: 'resourceLocator' };
const text = '{{ $json.email }}';

describe('an expression in a field that is set to Fixed', () => {
	test.each<[label: string, property: INodeProperties, saved: unknown]>([
		['Email', email, text],
		['Email', email, [text]],
		['Page', page, { __rl: true, mode: 'id', value: text }],
		['Person > Email', person, { name: 'Ada', email: text }],
		['Person', person, { unknown: text }],
		[
			'Actions > Action 2 > Email',
			actions,
			{ action: [{ email: 'a@x.example' }, { email: text }] },
		],
		['Actions > Action 1 > Person > Email', actions, { action: [{ person: { email: text } }] }],
		['Actions', actions, { unknown: [{ email: text }] }],
		['Target > Email', target, { action: { email: text } }],
		['Fields > plan', fields, { assignments: [{ name: 'plan', type: 'string', value: text }] }],
	])('is named by the label of its field: %s', (label, property, saved) => {
		expect(findUnevaluated(property, saved)).toEqual({ label, text });
	});

	test.each([
		['crm {{ $json.id }}: {{ $json.name }}', '{{ $json.id }}'],
		['{ "name": "{{$json.name}}" }', '{{$json.name}}'],
		['{{ name }} {{ $now', '{{ $now'],
	])('is quoted without what is around it: %s', (saved, quoted) => {
		expect(findUnevaluated(email, saved)?.text).toBe(quoted);
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
	])('is not %p', (saved) => {
		expect(findUnevaluated(email, saved)).toBeUndefined();
	});
});
