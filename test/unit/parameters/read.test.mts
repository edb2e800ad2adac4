import type { INodeProperties } from 'n8n-workflow';
import { length, trimmedText } from '../../../nodes/parameters/checks.ts';
import { ItemRefusedError } from '../../../nodes/parameters/problem.ts';
import { type Checks, readValues } from '../../../nodes/parameters/read.ts';
import { told } from './refused.mts';

type Read = Record<string, unknown>;

/** The values, or what is told of the item. */
function read(
	properties: INodeProperties[],
	given: Read,
	{ checks = {}, isTool = false }: { checks?: Checks; isTool?: boolean } = {},
): Read {
	const get = (name: string) => (Object.hasOwn(given, name) ? given[name] : null);
	try {
		return readValues(properties, checks, { get, zone: 'Europe/Berlin', isTool });
	} catch (error) {
		if (error instanceof ItemRefusedError) return told(error.message);
		throw error;
	}
}

/** The value of one parameter, or what is told of it. */
function readOne(
	property: INodeProperties,
	raw: unknown,
	more?: Parameters<typeof read>[2],
): unknown {
	const values = read([property], { [property.name]: raw }, more);
	return 'told' in values ? values : values[property.name];
}

const field = (
	name: string,
	more: Partial<INodeProperties> = {},
	type: INodeProperties['type'] = 'string',
): INodeProperties => ({ displayName: name.toUpperCase(), name, type, default: '', ...more });
const choice = (name: string, ...values: string[]) => {
	const options = values.map((value) => ({ name: value, value }));
	return field(name, { default: values[0], options }, 'options');
};
const collection = (name: string, ...options: INodeProperties[]) =>
	field(name, { default: {}, options }, 'collection');
const group = (name: string, values: INodeProperties[], multipleValues = false) => {
	const options = [{ displayName: 'Entry', name: 'value', values }];
	return field(name, { typeOptions: { multipleValues }, default: {}, options }, 'fixedCollection');
};
const rows = (name: string, ...values: INodeProperties[]) => group(name, values, true);

const locator = field('pageId', { required: true }, 'resourceLocator');
const required = field('name', { required: true });
const whole = { minValue: 1, maxValue: 9, numberPrecision: 0 };
const limit = field('limit', { typeOptions: whole }, 'number');
const [name, pageLinkId] = [field('name'), field('pageLinkId')];
const ofLocator = (value: unknown) => ({ __rl: true, mode: 'id', value });
const url = 'https://app.example.com/pages/page_1';
const isUrl = `must be an ID, but is the URL "${url}"`;
const noText = told(expect.stringContaining('PAGEID must be text') as string);

type Row = [raw: unknown, outcome: unknown, property: INodeProperties];

test.each<Row>([
	[' Ann ', ' Ann ', name],
	['', undefined, name],
	[' \n\u00a0', undefined, name],
	[null, undefined, name],
	[0, '0', name],
	['a\u200b', 'a\u200b', field('query')],
	['a', 'a', field('__proto__x')],
	[0, '0', required],
	// IDs.
	['\ufefflink_1\u200b', 'link_1', pageLinkId],
	['  ', undefined, pageLinkId],
	[' a ', 'a', field('id')],
	[' form_1 ', 'form_1', field('actionFormIdOverride')],
	[' page_1 ', 'page_1', locator],
	[ofLocator(' page_1 '), 'page_1', locator],
	[{ mode: 'list', value: 'page_1', cachedResultName: 'Name' }, 'page_1', locator],
	[7, '7', locator],
	[1, 1, limit],
	[9, 9, limit],
	['5', 5, limit],
	['', undefined, limit],
	[null, undefined, limit],
	...['', ' ', null].map((raw): Row => [raw, told('NAME is required'), required]),
	...[null, '', ' ', {}, ofLocator(''), { id: 'x' }].map((raw): Row => {
		return [raw, told('PAGEID is required'), locator];
	}),
	[['page_1'], noText, locator],
	[ofLocator({}), noText, locator],
	[ofLocator(url), told(`PAGEID ${isUrl}: choose From List to find the ID`), locator],
	[` ${url} `, told(`BRANDID ${isUrl}`), field('brandId')],
	[0, told('LIMIT must be 1 or more, but is 0'), limit],
	[10, told('LIMIT must be 9 or less, but is 10'), limit],
	[1.5, told('LIMIT must be a whole number, but is 1.5'), limit],
])('%j is read as %j', (raw, outcome, property) => {
	expect(readOne(property, raw)).toEqual(outcome);
});

describe('an ID', () => {
	test('is what a model must enter for a locator, and not for a text', () => {
		expect(read([name, locator], { name: {}, pageId: url }, { isTool: true })).toEqual(
			told(
				`NAME must be text, but is an object; PAGEID ID ${isUrl}: choose From List to find the ID`,
			),
		);
	});

	test('is found in a pasted URL where its pattern is known', () => {
		const checks = { pageId: (value: string) => value.slice(-6) };
		expect(readOne(locator, { value: url }, { checks })).toBe('page_1');
	});

	test.each(['a', undefined])('may be left out of a group, beside %j', (type) => {
		const pageId = { __rl: true, mode: 'list', value: '' };
		const optional = { ...locator, required: false, default: pageId };
		const target = group('target', [field('type'), optional]);
		const value = { type, pageId: undefined };
		expect(readOne(target, { value: { type, pageId } })).toEqual({ value });
	});
});

describe('a collection', () => {
	const kind = choice('kind', 'a');
	const tags = field('tags', { typeOptions: { multipleValues: true }, default: [] });
	const active = field('active', { default: true }, 'boolean');
	const [size, since] = [field('size', {}, 'number'), field('since', {}, 'dateTime')];
	const fields = collection('fields', name, active, size, since, tags, kind);
	const blank = { name: '', active: '', size: '', since: null, tags: [], kind: '' };
	const unset = Object.fromEntries(Object.keys(blank).map((each) => [each, undefined]));
	const given = { name: ' a ', active: 'false', size: '0', since: '2026-01-31', tags: 'a, b' };
	const day = '2026-01-31T00:00:00+01:00';
	const typed = { name: ' a ', active: false, size: 0, since: day, tags: ['a', 'b'] };
	const refused = told(expect.stringMatching(/^FIELDS must /) as string);
	const everyProblem =
		'FIELDS > NAME must be text, but is an object; FIELDS > ACTIVE must be true or false, but is "maybe"; FIELDS > SIZE must be a number, but is "x"; FIELDS > KIND must be one of a, but is "b"';

	test.each<[given: unknown, outcome: unknown]>([
		// What was not added is left out. What is blank is undefined.
		[{}, {}],
		[null, {}],
		[blank, unset],
		[{ ...blank, name: ' \u200b' }, unset],
		[given, typed],
		[JSON.stringify(given), typed],
		[['a'], refused],
		['name', refused],
		[7, refused],
		['[1]', refused],
		[{ name: {}, active: 'maybe', size: 'x', kind: 'b' }, told(everyProblem)],
	])('of %j has %j', (given, outcome) => {
		expect(readOne(fields, given)).toStrictEqual(outcome);
	});

	test('has a member that was added and is hidden now', () => {
		const hidden = field('name', { displayOptions: { show: { kind: ['b'] } } });
		const both = { name: 'Ann', kind: 'a' };
		expect(readOne(collection('fields', hidden, kind, field('other')), both)).toStrictEqual(both);
	});

	test.each([
		[{ name: 'abcd' }, told('FIELDS > NAME must have 2 to 3 characters, but has 4')],
		[
			{ name: '', domain: ' a ' },
			{ name: undefined, domain: 'a' },
		],
	])('%j is checked where it has a value', (given, outcome) => {
		const checks = { fields: { name: length(2, 3), domain: trimmedText } };
		const short = collection('fields', name, field('domain'));
		expect(readOne(short, given, { checks })).toEqual(outcome);
	});
});

const mode = choice('mode', 'one', 'two');
const key = field('key', { required: true, displayOptions: { show: { mode: ['two'] } } });
const more = group('more', [mode, key, field('note')]);
const found = (value: object) => ({ more: { value } });

test.each<[value: unknown, outcome: unknown]>([
	// One that was emptied is not there.
	[undefined, { more: {} }],
	[null, { more: {} }],
	// One that was added and left alone has its defaults, and no blank value.
	[{}, found({ mode: 'one' })],
	[{ mode: '', note: ' ' }, found({ mode: 'one' })],
	// What is hidden has no value.
	[{ mode: 'one', key: 'k' }, found({ mode: 'one' })],
	[{ mode: 'two', key: 'k' }, found({ mode: 'two', key: 'k' })],
	...['', ' ', null, undefined].map((key): [unknown, unknown] => {
		return [{ mode: 'two', key }, told('OPTIONS > MORE > KEY is required')];
	}),
	[{ mode: 'three' }, told('OPTIONS > MORE > MODE must be one of one, two, but is "three"')],
])('a group of %j is read as %j', (value, outcome) => {
	expect(readOne(collection('options', more), { more: { value } })).toEqual(outcome);
});

describe('rows', () => {
	const label = field('label', { default: 'none' });
	const isShown = field('isShown', { default: true }, 'boolean');
	const size = field('size', { default: 5 }, 'number');
	const fields = rows('fields', label, isShown, size, rows('choices', field('value')));
	const choices = { value: [{ value: 'x' }] };
	const usual = { label: '', isShown: true, size: 5, choices: { value: [] } };
	const blank = told('FIELDS > Entry 1 is blank: fill it in or remove it');
	const noText = told('FIELDS > Entry 2 > LABEL must be text, but is an object');

	test.each<[given: object[], outcome: object]>([
		[[], { value: [] }],
		// A text is empty where nothing was entered. Any other field has its default.
		[
			[{ label: 'a', choices: {} }, { size: 1 }],
			{
				value: [
					{ ...usual, label: 'a' },
					{ ...usual, size: 1 },
				],
			},
		],
		[[{ label: '', choices }], { value: [{ ...usual, choices }] }],
		[[{ label: '', isShown: true }], blank],
		[[{ label: ' \u200b', isShown: true }], blank],
		[[{ label: '', choices: {} }], blank],
		[[{ label: '', choices: '' }], blank],
		[[{ label: 'a' }, { label: {} }], noText],
	])('%j are read as %j', (value, outcome) => {
		expect(readOne(fields, { value })).toEqual(outcome);
	});
});

const shown = field('more', { displayOptions: { show: { mode: ['two'] } }, required: true });
const forTools = field('tool', { displayOptions: { show: { '@tool': [true] } } });
const forPeople = field('person', { displayOptions: { hide: { '@tool': [true] } } });

test.each([
	[false, { mode: 'one', more: 'x' }, { mode: 'one', person: 'p' }],
	[false, { mode: null, more: 'x' }, { mode: 'one', person: 'p' }],
	[true, { mode: 'one' }, { mode: 'one', tool: 't' }],
	[false, { mode: 'two', more: '' }, told('MORE is required')],
])('what is shown (to a tool: %p) of %j is %j', (isTool, given, outcome) => {
	const properties = [mode, shown, forTools, forPeople];
	const all = { tool: 't', person: 'p', ...given };
	expect(read(properties, all, { isTool })).toStrictEqual(outcome);
});
