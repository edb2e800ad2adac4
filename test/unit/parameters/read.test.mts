import type { INodeProperties } from 'n8n-workflow';
import type { Checks } from '../../../nodes/parameters/read.ts';
import { length, trimmedText } from '../../../nodes/parameters/checks.ts';
import { ItemRefusedError } from '../../../nodes/parameters/problem.ts';
import { readValues } from '../../../nodes/parameters/read.ts';

/** The values, or the messages of an invalid item. */
function read(
	properties: INodeProperties[],
	given: Record<string, unknown>,
	{ checks = {}, isTool = false }: { checks?: Checks; isTool?: boolean } = {},
): unknown {
	const get = (name: string) => (Object.hasOwn(given, name) ? given[name] : null);
	try {
		return readValues(properties, checks, { get, zone: 'Europe/Berlin', isTool });
	} catch (error) {
		if (error instanceof ItemRefusedError) {
			return error.problems.map(({ parameter, message }) => `${parameter} ${message}`);
		}
		throw error;
	}
}

const text = (name: string, more: Partial<INodeProperties> = {}): INodeProperties => ({
	displayName: name.toUpperCase(),
	name,
	type: 'string',
	default: '',
	...more,
});
const collection = (name: string, ...options: INodeProperties[]): INodeProperties => ({
	displayName: name.toUpperCase(),
	name,
	type: 'collection',
	default: {},
	options,
});

const group = (name: string, ...values: INodeProperties[]): INodeProperties => ({
	...collection(name),
	type: 'fixedCollection',
	typeOptions: { multipleValues: false },
	options: [{ displayName: name.toUpperCase(), name: 'value', values }],
});

const url = 'https://app.example.com/pages/page_1';
const locator = text('pageId', { type: 'resourceLocator', required: true });
const required = text('name', { required: true });
const limit = text('limit', {
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 9, numberPrecision: 0 },
});
const ofLocator = (value: unknown, mode = 'id') => ({ __rl: true, mode, value });

const [name, pageLinkId] = [text('name'), text('pageLinkId')];

test.each<[raw: unknown, value: unknown, property: INodeProperties]>([
	[' Ann ', ' Ann ', name],
	['', undefined, name],
	[' \n\u00a0', undefined, name],
	[null, undefined, name],
	[0, '0', name],
	['a\u200b', 'a\u200b', text('query')],
	['a', 'a', text('__proto__x')],
	[0, '0', required],
	// IDs.
	['\ufefflink_1\u200b', 'link_1', pageLinkId],
	['  ', undefined, pageLinkId],
	[' a ', 'a', text('id')],
	[' form_1 ', 'form_1', text('actionFormIdOverride')],
	[' page_1 ', 'page_1', locator],
	[ofLocator(' page_1 '), 'page_1', locator],
	[{ mode: 'list', value: 'page_1', cachedResultName: 'Name' }, 'page_1', locator],
	[7, '7', locator],
	[1, 1, limit],
	[9, 9, limit],
	['5', 5, limit],
	['', undefined, limit],
	[null, undefined, limit],
])('%j is read as %j', (raw, value, property) => {
	expect(read([property], { [property.name]: raw })).toEqual({ [property.name]: value });
});

const noText = expect.stringContaining('PAGEID must be text') as string;
const isUrl = `must be an ID, but is the URL "${url}"`;
type Refused = [raw: unknown, told: string, property: INodeProperties];

test.each<Refused>([
	...['', ' ', null].map((raw): Refused => [raw, 'NAME is required', required]),
	...[null, '', ' ', {}, ofLocator(''), { id: 'x' }].map(
		(raw): Refused => [raw, 'PAGEID is required', locator],
	),
	[['page_1'], noText, locator],
	[ofLocator({}), noText, locator],
	[ofLocator(url), `PAGEID ${isUrl}: choose From List to find the ID`, locator],
	[` ${url} `, `BRANDID ${isUrl}`, text('brandId')],
	[0, 'LIMIT must be 1 or more, but is 0', limit],
	[10, 'LIMIT must be 9 or less, but is 10', limit],
	[1.5, 'LIMIT must be a whole number, but is 1.5', limit],
])('%j is refused: %s', (raw, told, property) => {
	expect(read([property], { [property.name]: raw })).toEqual([told]);
});

describe('an ID', () => {
	test('is what a model must enter for a locator, and not for a text', () => {
		const properties = [text('name'), locator];
		expect(read(properties, { name: {}, pageId: url }, { isTool: true })).toEqual([
			'NAME must be text, but is an object',
			`PAGEID ID must be an ID, but is the URL "${url}": choose From List to find the ID`,
		]);
	});

	test('is found in a pasted URL where its pattern is known', () => {
		const checks = { pageId: (value: string) => value.slice(-6) };
		expect(read([locator], { pageId: { value: url } }, { checks })).toEqual({ pageId: 'page_1' });
	});

	test('may be left out of a group', () => {
		const chosen = { ...locator, required: false, default: { mode: 'list', value: '' } };
		const pageId = { __rl: true, mode: 'list', value: '' };
		for (const type of ['a', undefined])
			expect(
				read([group('target', text('type'), chosen)], { target: { value: { type, pageId } } }),
			).toEqual({ target: { value: { type, pageId: undefined } } });
	});
});

describe('a collection', () => {
	const property = collection(
		'fields',
		text('name'),
		text('active', { type: 'boolean', default: true }),
		text('size', { type: 'number' }),
		text('since', { type: 'dateTime' }),
		text('tags', { typeOptions: { multipleValues: true }, default: [] }),
		text('kind', { type: 'options', default: 'a', options: [{ name: 'A', value: 'a' }] }),
	);
	const fields = (given: unknown) => {
		const values = read([property], { fields: given });
		return Array.isArray(values) ? (values as string[]) : (values as { fields: object }).fields;
	};

	test('leaves out members that were not added, and reads blank ones as undefined', () => {
		expect(fields({})).toStrictEqual({});
		expect(fields(null)).toStrictEqual({});
		const blank = { name: '', active: '', size: '', since: null, tags: [], kind: '' };
		for (const name of ['', ' \u200b'])
			expect(fields({ ...blank, name })).toStrictEqual(
				Object.fromEntries(Object.keys(blank).map((each) => [each, undefined])),
			);
	});

	test('reads a member that was added and is hidden now', () => {
		const hidden = text('name', { displayOptions: { show: { kind: ['b'] } } });
		const both = { name: 'Ann', kind: 'a' };
		const [kind] = (property.options as INodeProperties[]).filter(({ name }) => name === 'kind');
		const options = [hidden, kind, text('other')];
		const values = read([{ ...property, options }], { fields: both });
		expect(values).toStrictEqual({ fields: both });
	});

	test('reads each member by its type, also in JSON text, and keeps false and 0', () => {
		const given = { name: ' a ', active: 'false', size: '0', since: '2026-01-31', tags: 'a, b' };
		for (const each of [given, JSON.stringify(given)])
			expect(fields(each)).toStrictEqual({
				name: ' a ',
				active: false,
				size: 0,
				since: '2026-01-31T00:00:00+01:00',
				tags: ['a', 'b'],
			});
	});

	test.each([[['a']], ['name'], [7], ['[1]']])('%j is refused', (given) => {
		expect(fields(given)).toEqual([expect.stringMatching(/^FIELDS must /) as string]);
	});

	test('lists every problem with its place', () => {
		expect(fields({ name: {}, active: 'maybe', size: 'x', kind: 'b' })).toEqual([
			'FIELDS > NAME must be text, but is an object',
			`FIELDS > ACTIVE must be true or false, but is "maybe"`,
			`FIELDS > SIZE must be a number, but is "x"`,
			`FIELDS > KIND must be one of a, but is "b"`,
		]);
	});

	test('checks only members that have a value', () => {
		const checks = { fields: { name: length(2, 3), domain: trimmedText } };
		const short = collection('fields', text('name'), text('domain'));
		expect(read([short], { fields: { name: 'abcd' } }, { checks })).toEqual([
			'FIELDS > NAME must have 2 to 3 characters, but has 4',
		]);
		expect(read([short], { fields: { name: '', domain: ' a ' } }, { checks })).toEqual({
			fields: { name: undefined, domain: 'a' },
		});
	});
});

describe('a group', () => {
	const mode = text('mode', {
		type: 'options',
		default: 'one',
		options: ['one', 'two'].map((value) => ({ name: value, value })),
	});
	const key = text('key', { required: true, displayOptions: { show: { mode: ['two'] } } });
	const options = collection('options', group('more', mode, key, text('note')));
	const more = (given: unknown) => read([options], { options: { more: given } });
	const found = (value: object) => ({ options: { more: { value } } });

	test.each([{}, { value: null }])('that was emptied is not there: %j', (given) => {
		expect(more(given)).toEqual({ options: { more: {} } });
	});

	test('that was added and left alone has its defaults, and no blank value', () => {
		expect(more({ value: {} })).toEqual(found({ mode: 'one' }));
		expect(more({ value: { mode: '', note: ' ' } })).toEqual(found({ mode: 'one' }));
	});

	test('has no value of a field that is hidden, and tells where one is missing', () => {
		expect(more({ value: { mode: 'one', key: 'k' } })).toEqual(found({ mode: 'one' }));
		expect(more({ value: { mode: 'two', key: 'k' } })).toEqual(found({ mode: 'two', key: 'k' }));
		for (const blank of ['', ' ', null, undefined])
			expect(more({ value: { mode: 'two', key: blank } })).toEqual([
				'OPTIONS > MORE > KEY is required',
			]);
		expect(more({ value: { mode: 'three' } })).toEqual([
			'OPTIONS > MORE > MODE must be one of one, two, but is "three"',
		]);
	});
});

describe('rows', () => {
	const rows = (...values: INodeProperties[]): INodeProperties => ({
		...collection('fields'),
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		options: [{ displayName: 'Field', name: 'field', values }],
	});
	const label = text('label', { default: 'none' });
	const size = text('size', { type: 'number', default: 5 });
	const isShown = text('isShown', { type: 'boolean', default: true });
	const choices: INodeProperties = {
		...rows(text('value')),
		name: 'choices',
		displayName: 'CHOICES',
	};

	test('are a list', () => {
		const field = [{ label: 'a', size: 1 }];
		expect(read([rows(label, size)], { fields: { field } })).toEqual({ fields: { field } });
		expect(read([rows(label)], { fields: { field: [] } })).toEqual({ fields: { field: [] } });
	});

	test('have an empty text where nothing was entered, and the default of any other field', () => {
		const given = [{ label: '', size: 1 }, { label: 'a' }];
		expect(read([rows(label, size)], { fields: { field: given } })).toEqual({
			fields: { field: [given[0], { label: 'a', size: 5 }] },
		});
	});

	test.each<[row: object, isBlank: boolean]>([
		[{ label: '', isShown: true }, true],
		[{ label: ' \u200b', isShown: true }, true],
		[{ label: '', choices: {} }, true],
		[{ label: '', choices: '' }, true],
		[{ label: 'a', choices: {} }, false],
		[{ label: '', choices: { field: [{ value: 'x' }] } }, false],
	])('%j is blank: %p', (row, isBlank) => {
		const values = read([rows(label, isShown, choices)], { fields: { field: [row] } });
		if (isBlank) {
			expect(values).toEqual(['FIELDS > Field 1 is blank: fill it in or remove it']);
		} else expect(values).toMatchObject({ fields: { field: [{ isShown: true }] } });
	});

	test('are named with their numbers where one is wrong', () => {
		const field = [{ label: 'a' }, { label: {} }];
		expect(read([rows(label)], { fields: { field } })).toEqual([
			'FIELDS > Field 2 > LABEL must be text, but is an object',
		]);
	});
});

describe('which parameters are shown', () => {
	const choice = text('mode', {
		type: 'options',
		default: 'one',
		options: [
			{ name: 'One', value: 'one' },
			{ name: 'Two', value: 'two' },
		],
	});
	const shown = text('more', { displayOptions: { show: { mode: ['two'] } }, required: true });
	const forTools = text('tool', { displayOptions: { show: { '@tool': [true] } } });
	const forPeople = text('person', { displayOptions: { hide: { '@tool': [true] } } });

	test('ignores hidden parameters', () => {
		expect(read([choice, shown], { mode: 'one', more: 'x' })).toStrictEqual({ mode: 'one' });
		expect(read([choice, shown], { mode: null, more: 'x' })).toStrictEqual({ mode: 'one' });
		expect(read([choice, shown], { mode: 'two', more: '' })).toEqual(['MORE is required']);
	});

	test('shows a tool other parameters than a node', () => {
		const given = { tool: 't', person: 'p' };
		expect(read([forTools, forPeople], given)).toStrictEqual({ person: 'p' });
		expect(read([forTools, forPeople], given, { isTool: true })).toStrictEqual({ tool: 't' });
	});
});
