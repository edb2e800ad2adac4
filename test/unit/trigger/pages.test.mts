import fc from 'fast-check';
import { keepPages } from '../../../nodes/PageAudienceTrigger/delivery/pages.ts';
import { readParts } from '../../../nodes/PageAudienceTrigger/delivery/parts.ts';
import { generated } from '../../generated.mts';
import { mostGrowth } from '../growth.mts';

const chosen = 'page_A1';
const another = 'page_B2';

/** What is kept of a body. */
async function keep(body: unknown, pageIds = [chosen]): Promise<unknown[]> {
	const kept = await keepPages(readParts({ body, headers: {} }), pageIds);
	return kept.map(({ content }) => content);
}
const isKept = async (body: unknown, pageIds?: string[]) => (await keep(body, pageIds)).length > 0;

describe('an event that names only another page is dropped', () => {
	test.each<[string, unknown]>([
		['pageId', { pageId: another }],
		['page_id', { page_id: another }],
		['in capitals', { PAGE_ID: another }],
		['with a hyphen', { 'page-id': another }],
		['page.id', { page: { id: another } }],
		['page.pageId', { page: { pageId: another } }],
		['page.id as one name', { 'page.id': another }],
		['page[id] of a form', { 'data[page][id]': another }],
		['data[page_id] of a form', { 'data[page_id]': another }],
		['nested', { event: 'form.submitted', data: { submission: { pageId: another } } }],
		['in a list', { events: [{ a: 1 }, { pageId: another }] }],
		['a list of IDs', { pageIds: [another, 'page_C3'] }],
		['a list of a form', { 'pageIds[]': [another] }],
		['a list of pages', { pages: [{ id: another }] }],
		['an object of pages', { pages: { 0: { id: another } } }],
		['a number', { pageId: 7 }],
		['an attribute of XML', { page: { $: { id: another } } }],
		['an element of XML', { page_id: { _: another, $: { type: 'text' } } }],
		['an ID that begins like the chosen one', { pageId: `${chosen}0` }],
		['an ID that ends like the chosen one', { pageId: `a${chosen}` }],
	])('%s', async (_, body) => {
		expect(await keep(body)).toEqual([]);
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
		['as the text of a number', { pageId: '7' }, '7'],
		['with signs that no word has', { pageId: 'urn:page/é 1' }, 'URN:page/é 1'],
		['in text', `pageId=${chosen}`],
	])('%s', async (_, body, ...pageIds) => {
		expect(await keep(body, pageIds.length > 0 ? pageIds : [chosen])).toEqual([body]);
	});
});

describe('an event that names no page is kept', () => {
	test.each<[string, unknown]>([
		['nothing', undefined],
		['text', 'hello'],
		['an empty list', []],
		['blank IDs', { pageId: '', page_id: null, page: { id: ' ' }, pageIds: [] }],
		['what is no ID', { pageId: true, page: { id: {} } }],
		['a number that JSON has rounded', JSON.parse('{"pageId":12345678901234567890}')],
		['an ID of something else', { id: another, audienceId: another, audience: { id: another } }],
		['a page of a list', { page: 2, pages: 7, pagination: { page: 3 } }],
		['the name of a page', { page: 'Welcome', pageName: another }],
		['another part of a page', { page: { audience: { id: another } } }],
		['a field that a visitor filled in', { fields: { 'Page ID': another } }],
		['a URL of another page', { url: `https://example.com/pages/${another}` }],
		['prototype names', JSON.parse(`{"__proto__":{"id":1},"constructor":{"toString":"page"}}`)],
	])('%s', async (_, body) => {
		expect(await keep(body)).toEqual([body]);
	});
});

test('every entry of a list is judged alone', async () => {
	const body = [{ pageId: another }, { pageId: chosen }, { a: 1 }, another, [{ pageId: another }]];
	expect(await keep(body)).toEqual([{ pageId: chosen }, { a: 1 }, another]);
});

test('without pages everything is kept', async () => {
	expect(await keep([{ pageId: another }, 1], [])).toEqual([{ pageId: another }, 1]);
});

const settings = generated(300);
const anything = fc.jsonValue({ maxDepth: 4 });
const names = fc.constantFrom('pageId', 'page_id', 'PageID', 'page.id', 'pages[0][id]');
const isNaming = (text: string) => /page/i.test(text);
const neutral = anything.filter((value) => !isNaming(JSON.stringify(value)));

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

test('a chosen ID counts wherever it is, whatever else is named', async () => {
	const text = fc
		.tuple(
			fc.constantFrom('', '/', '"', '%2f', ' ', 'ü'),
			fc.constantFrom('', '/', '?', '%3F', '.'),
		)
		.map(([before, after]) => before + chosen + after);
	const named = fc.tuple(names, text, fc.boolean()).map(([name, value, isKey]) => ({
		[name]: another,
		...(isKey ? { [value]: 1 } : { x: value }),
	}));
	await fc.assert(
		fc.asyncProperty(wrap(named), async (body) => expect(await isKept(body)).toBe(true)),
		settings,
	);
});

test('another page is seen wherever it is named, and nothing else is taken for one', async () => {
	const naming = fc.tuple(names, neutral).map(([name, beside]) => ({ beside, [name]: another }));
	await fc.assert(
		fc.asyncProperty(wrap(naming), wrap(neutral), async (body, without) => {
			expect(await isKept(body)).toBe(false);
			expect(await isKept(without)).toBe(true);
		}),
		settings,
	);
});

/** How often others run while work is under way. */
async function countTurns(work: () => Promise<unknown>): Promise<number> {
	let [turns, isOver] = [0, false];
	const take = () => {
		turns++;
		if (!isOver) setImmediate(take);
	};
	await Promise.all([work().finally(() => (isOver = true)), setImmediate(take)]);
	return turns;
}

describe('a large body', () => {
	const nest = (start: string, end: string) => JSON.parse(start.repeat(200_000) + '1' + end);
	const bodies: { [name: string]: () => unknown } = {
		'of words': () => 'a,'.repeat(2_000_000),
		'of escapes': () => '%25'.repeat(2_000_000),
		'of fields': () => Object.fromEntries(Array.from({ length: 300_000 }, (_, i) => [`k${i}`, i])),
		'of numbers': () => Array.from({ length: 500_000 }, () => 1),
		'of lists in lists': () => nest('[', ']'.repeat(200_000)),
		'of objects in objects': () => nest('{"page":', '}'.repeat(200_000)),
	};

	test.each(Object.keys(bodies))('%s is read in turns', async (name) => {
		const parts = [{ content: bodies[name](), kind: null }];
		const turns = await countTurns(async () => {
			const { length } = await keepPages(parts, [chosen]);
			expect(length).toBe(1);
		});
		expect(turns).toBeGreaterThan(2);
	});

	test.each<[string, (length: number) => unknown]>([
		['one text', (length) => 'x'.repeat(length)],
		['one name', (length) => ({ ['a.'.repeat(length / 2)]: 1 })],
		['marks', (length) => '%-%'.repeat(length / 3)],
		['fields', (length) => Array.from({ length: length / 20 }, (_, i) => ({ a: { pageId: i } }))],
	])('of %s takes linear time', async (_, make) => {
		const measureOf = async (length: number) => {
			const parts = [{ content: make(length), kind: null }];
			const start = process.cpuUsage();
			await keepPages(parts, [chosen]);
			const { user, system } = process.cpuUsage(start);
			return (user + system) / 1000;
		};
		const ratios: number[] = [];
		while (ratios.length < 5 && !ratios.some((ratio) => ratio < mostGrowth))
			ratios.push((await measureOf(1_600_000)) / Math.max(await measureOf(200_000), 0.1));
		expect(Math.min(...ratios)).toBeLessThan(mostGrowth);
	});
});
