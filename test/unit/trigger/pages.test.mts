import fc from 'fast-check';
import { keepPages } from '../../../nodes/PageAudienceTrigger/delivery/pages.ts';
import { generated } from '../../generated.mts';

const chosen = 'page_A1';
const another = 'page_B2';

/** What is kept of a body. */
function keep(body: unknown, pageIds = [chosen]): unknown[] {
	const contents: unknown[] = Array.isArray(body) && body.length > 0 ? body : [body];
	const parts = contents.map((content) => ({ content, kind: null }));
	return keepPages(parts, pageIds).map(({ content }) => content);
}
const isKept = (body: unknown) => keep([body]).length > 0;

describe('an event that names only another page is dropped', () => {
	test.each<[string, unknown]>([
		['pageId', { pageId: another }],
		['page_id', { page_id: another }],
		['with a hyphen', { 'page-id': another }],
		['page.id', { page: { id: another } }],
		['page.id as one name', { 'page.id': another }],
		['page[id] of a form', { 'data[page][id]': another }],
		['data[page_id] of a form', { 'data[page_id]': another }],
		['nested', { event: 'form.submitted', data: { submission: { pageId: another } } }],
		['in a list', { events: [{ a: 1 }, { pageId: another }] }],
		['a list of IDs', { pageIds: [another, 'page_C3'] }],
		['a list of a form', { 'pageIds[]': [another] }],
		['a list of pages', { pages: [{ id: another }] }],
		['a number', { pageId: 7 }],
		['an ID that begins like the chosen one', { pageId: `${chosen}0` }],
		['an ID that ends like the chosen one', { pageId: `a${chosen}` }],
	])('%s', (_, body) => {
		expect(keep(body)).toEqual([]);
	});
});

describe('an event that names a chosen page is kept', () => {
	test.each<[string, unknown, ...string[]]>([
		['pageId', { pageId: chosen }],
		['with spaces', { pageId: ` ${chosen}\n` }],
		['in other letters', { pageId: chosen.toUpperCase() }],
		['as the second one', { pageId: chosen }, another, chosen],
		['beside another page', { pageId: another, previous: { pageId: chosen } }],
		['under any name', { pageId: another, source: chosen }],
		['as a name', { pageId: another, pages: { [chosen]: { views: 1 } } }],
		['in a list', { pageId: another, list: [[chosen]] }],
		['in a URL', { pageId: another, url: `https://example.com/pages/${chosen}?a=1` }],
		['in a URL in a URL', { pageId: another, url: `https://a.b/?to=%2Fpages%2F${chosen}%3F` }],
		['in a sentence', { pageId: another, text: `From "${chosen}", today.` }],
		['in JSON in JSON', { pageId: another, payload: JSON.stringify({ pageId: chosen }) }],
		['as a number', { pageId: 7 }, '7'],
		['with signs that no word has', { pageId: 'urn:page/é 1' }, 'URN:page/é 1'],
		['in text', `pageId=${chosen}`],
	])('%s', (_, body, ...pageIds) => {
		expect(keep(body, pageIds.length > 0 ? pageIds : [chosen])).toEqual([body]);
	});
});

describe('an event that names no page is kept', () => {
	test.each<[string, unknown]>([
		['nothing', ''],
		['text', 'hello'],
		['an empty list', []],
		['blank IDs', { pageId: '', page_id: null, page: { id: ' ' }, pageIds: [] }],
		['what is no ID', { pageId: true, page: { id: {} } }],
		['an ID of something else', { id: another, audienceId: another, audience: { id: another } }],
		['a page of a list', { page: 2, pages: 7, pagination: { page: 3 } }],
		['the name of a page', { page: 'Welcome', pageName: another }],
		['another part of a page', { page: { audience: { id: another } } }],
		['a field that a visitor filled in', { fields: { 'Page ID': another } }],
		['a URL of another page', { url: `https://example.com/pages/${another}` }],
		['prototype names', JSON.parse(`{"__proto__":{"id":1},"constructor":{"toString":"page"}}`)],
	])('%s', (_, body) => {
		expect(keep(body)).toEqual([body]);
	});
});

test('every entry of a list is judged alone', () => {
	const body = [{ pageId: another }, { pageId: chosen }, { a: 1 }, another, [{ pageId: another }]];
	expect(keep(body)).toEqual([{ pageId: chosen }, { a: 1 }, another]);
});

const settings = generated(300);
const anything = fc.jsonValue({ maxDepth: 4 });
const names = fc.constantFrom('pageId', 'page_id', 'PageID', 'page.id', 'data[page][id]');
const neutral = anything.filter((value) => !/page/i.test(JSON.stringify(value)));

/** A value somewhere in a body. */
const wrap = (value: fc.Arbitrary<unknown>) =>
	fc
		.tuple(value, fc.array(fc.tuple(fc.boolean(), neutral), { maxLength: 5 }))
		.map(([inner, layers]) =>
			layers.reduce<unknown>(
				(body, [isList, beside]) => (isList ? [beside, body] : { a: beside, data: body }),
				inner,
			),
		)
		.map((body) => ({ body }));

test('a chosen ID counts wherever it is, whatever else is named', () => {
	const before = fc.constantFrom('', '/', '"', '%2f', ' ', 'ü');
	const after = fc.constantFrom('', '/', '?', '%3F', '.');
	const text = fc.tuple(before, after).map((around) => around.join(chosen));
	const named = fc.tuple(names, text, fc.boolean()).map(([name, value, isKey]) => ({
		[name]: another,
		...(isKey ? { [value]: 1 } : { x: value }),
	}));
	const holds = fc.property(wrap(named), (body) => expect(isKept(body)).toBe(true));
	fc.assert(holds, settings);
});

test('another page is seen wherever it is named, and nothing else is taken for one', () => {
	const naming = fc.tuple(names, neutral).map(([name, beside]) => ({ beside, [name]: another }));
	fc.assert(
		fc.property(wrap(naming), wrap(neutral), (body, without) => {
			expect(isKept(body)).toBe(false);
			expect(isKept(without)).toBe(true);
		}),
		settings,
	);
});
