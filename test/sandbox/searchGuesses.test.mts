import { openSandbox } from '../openSandbox.mts';
import { waitFor } from '../waitFor.mts';
import { call } from './calling.mts';

const sandbox = openSandbox();

const ada = {
	name: 'Ada Byron',
	email: 'Ada@Engine.example',
	domain: 'engine.example',
	phoneNumber: '+49 30 123',
	linkedinProfileUrl: 'https://www.linkedin.com/in/countess-ada',
};

const addAda = async (): Promise<string> =>
	(await call(sandbox, 'POST', '/v0/persons', { body: ada })).data.personId;

const search = async (query: string, resource = 'persons') =>
	(await call(sandbox, 'GET', `/v0/${resource}/search`, { query: { query, limit: 5 } })).data;

const isFound = async (query: string): Promise<boolean> => (await search(query)).items.length > 0;

const everyForm = [
	'ada byron',
	'ada@engine.example',
	'engine.example',
	'ada-byron',
	'+49 30 123',
	'countess-ada',
];

describe('the fields of a search for persons', () => {
	test.each([
		['all', everyForm],
		['some', ['ada byron', 'ada@engine.example', 'engine.example']],
		['names', ['ada byron', 'ada-byron']],
		['name', ['ada byron']],
		['email', ['ada@engine.example', 'engine.example']],
		['domain', ['engine.example']],
		['phoneNumber', ['+49 30 123']],
		['slug', ['ada-byron']],
		['linkedinProfileUrl', ['countess-ada']],
	] as const)('with %s', async (personSearch, found) => {
		await addAda();
		sandbox.guesses.personSearch = personSearch;
		for (const query of everyForm) {
			expect([query, await isFound(query)]).toEqual([query, found.some((text) => text === query)]);
		}
		expect((await search('')).totalCount).toBe(241);
	});
});

describe('the matching of a search for persons', () => {
	test.each([
		['4930123', false, true, false],
		['+49 (30) 12', false, true, false],
		['+49 30 123', true, true, true],
		['http://linkedin.com/in/Countess-Ada/?trk=x', false, true, false],
		['linkedin.com/in/countess', true, true, true],
		['https://linkedin.com/in/countess', false, false, false],
		['COUNTESS-ADA', true, true, false],
		['ada@engine.example', true, true, false],
		['Ada@Engine', true, true, true],
		['4930124', false, false, false],
	])('finds %j: %s ignoring case, %s normalized, %s case-sensitive', async (query, ...found) => {
		await addAda();
		const matchings = ['ignoringCase', 'normalized', 'caseSensitive'] as const;
		for (const [index, matching] of matchings.entries()) {
			sandbox.guesses.personSearchMatching = matching;
			expect([matching, await isFound(query)]).toEqual([matching, found[index]]);
		}
	});

	test.each([
		['anywhere', ['da byro', 'gine.exam']],
		['allWords', ['byron ada', 'example countess']],
		['anyWord', ['byron ada', 'example countess', 'ada nobody', 'byro countess']],
		['wordStarts', ['byron ada', 'byro countess', 'example countess']],
		['fieldStart', ['ada b', 'engine']],
		['wholeField', ['engine.example', 'ada byron']],
	] as const)('looks for %s', async (personSearchParts, found) => {
		await addAda();
		const queries = new Set([
			...['da byro', 'gine.exam', 'byron ada', 'ada nobody', 'byro countess', 'example countess'],
			...(personSearchParts === 'fieldStart' || personSearchParts === 'wholeField' ? found : []),
		]);
		sandbox.guesses.personSearchParts = personSearchParts;
		for (const query of queries)
			expect([query, await isFound(query)]).toEqual([query, found.some((text) => text === query)]);
	});

	test.each([
		['lowerQuery', [false, true, false]],
		['lowerStored', [true, false, false]],
		['caseSensitive', [false, false, true]],
	] as const)('with %s', async (personSearchMatching, found) => {
		await addAda();
		sandbox.guesses.personSearchMatching = personSearchMatching;
		const queries = ['ada byron', 'COUNTESS-ADA', 'Ada Byron'];
		expect(await Promise.all(queries.map(isFound))).toEqual(found);
	});

	test.each([
		['kept', [true, false, false]],
		['ignored', [true, true, true]],
		['ignoredInQuery', [false, false, true]],
		['ignoredInStored', [false, true, false]],
	] as const)('with accents %s', async (personSearchAccents, [same, without, onlyInQuery]) => {
		await call(sandbox, 'POST', '/v0/persons', { body: { ...ada, name: 'Zoë Eve' } });
		sandbox.guesses.personSearchAccents = personSearchAccents;
		expect([await isFound('zoë e'), await isFound('zoe e'), await isFound('countëss')]).toEqual([
			same,
			without,
			onlyInQuery,
		]);
	});

	test('compares no numbers or handles when a search looks at names only', async () => {
		await addAda();
		Object.assign(sandbox.guesses, { personSearch: 'names', personSearchMatching: 'normalized' });
		expect([await isFound('4930123'), await isFound('ADA')]).toEqual([false, true]);
	});
});

describe('a lag', () => {
	const hour = 3_600_000;

	test('hides new persons from searches, but not from the list', async () => {
		sandbox.guesses.searchLagMs = hour;
		const personId = await addAda();
		expect(await isFound('ada byron')).toBe(false);
		expect((await search('')).totalCount).toBe(240);
		const list = await call(sandbox, 'GET', '/v0/persons');
		expect(list.data.totalCount).toBe(241);
		Object.assign(sandbox.store.persons.get(personId) ?? {}, {
			updatedAt: new Date(Date.now() - hour).toISOString(),
		});
		expect(await isFound('ada byron')).toBe(true);
	});

	test('hides new persons from the list, but not from searches', async () => {
		sandbox.guesses.listLagMs = hour;
		const personId = await addAda();
		const read = async () => (await call(sandbox, 'GET', '/v0/persons')).data.totalCount;
		expect([await read(), await isFound('ada byron')]).toEqual([240, true]);
		Object.assign(sandbox.store.persons.get(personId) ?? {}, {
			createdAt: new Date(Date.now() - hour).toISOString(),
		});
		expect(await read()).toBe(241);
	});

	test('ends by itself', async () => {
		sandbox.guesses.searchLagMs = 200;
		await addAda();
		expect(await isFound('ada byron')).toBe(false);
		await waitFor('the new person', async () => await isFound('ada byron'));
	});

	test('hides new and renamed accounts and pages', async () => {
		sandbox.guesses.searchLagMs = hour;
		await call(sandbox, 'POST', '/v0/accounts', { body: { domain: 'new.example' } });
		expect((await search('new.example', 'accounts')).items).toEqual([]);
		const [{ accountId, domain }] = sandbox.store.accounts.all();
		expect((await search(domain, 'accounts')).items).toHaveLength(1);
		await call(sandbox, 'PATCH', `/v0/accounts/${accountId}`, { body: { name: 'Neo' } });
		expect((await search(domain, 'accounts')).items).toEqual([]);
		const [{ pageId, name }] = sandbox.store.pages.all();
		const idsOf = async () =>
			(await search(name, 'pages')).items.map((page: { pageId: string }) => page.pageId);
		expect(await idsOf()).toContain(pageId);
		await call(sandbox, 'PATCH', `/v0/pages/${pageId}`, { body: { pageContext: 'x' } });
		expect(await idsOf()).not.toContain(pageId);
	});
});

test('counts no persons with totalCountOfPersons null', async () => {
	sandbox.guesses.totalCountOfPersons = 'null';
	expect((await search('a')).totalCount).toBeNull();
	const { data } = await call(sandbox, 'GET', '/v0/persons');
	expect(data).toMatchObject({ totalCount: null, hasMore: true });
	expect((await search('a', 'accounts')).totalCount).toBeGreaterThan(0);
});
