import { LoadOptionsContext } from 'n8n-core';
import { type INodeListSearchResult, Workflow } from 'n8n-workflow';
import { PageAudience } from '../../nodes/PageAudience/PageAudience.node.ts';
import * as lists from '../../nodes/lists/listSearch.ts';
import { makeAdditionalData } from './additionalData.mts';
import { nodeTypeName } from './engine.mts';
import { openStage } from './stage.mts';

const stage = openStage();

/** Loads one list as the editor does, with the other values of the panel. */
async function fill(
	list: keyof typeof lists,
	{
		filter,
		token,
		pageId = '',
		baseUrl = stage.sandbox.url,
	}: { filter?: string; token?: string; pageId?: string; baseUrl?: string } = {},
): Promise<INodeListSearchResult> {
	const parameters = { pageId: { __rl: true, mode: 'list', value: pageId } };
	const node = {
		id: '1',
		name: 'Page Audience',
		type: nodeTypeName,
		typeVersion: 1,
		position: [0, 0] as [number, number],
		parameters,
		credentials: { pageAudienceApi: { id: '1', name: 'Page Audience API' } },
	};
	const type = new PageAudience();
	const workflow = new Workflow({
		id: '1',
		active: false,
		nodes: [node],
		connections: {},
		nodeTypes: {
			getByName: () => type,
			getByNameAndVersion: () => type,
			getKnownTypes: () => ({}),
		},
	});
	const additionalData = makeAdditionalData(workflow, { baseUrl, apiKey: stage.sandbox.apiKey });
	Object.assign(additionalData, { currentNodeParameters: parameters });
	const context = new LoadOptionsContext(workflow, node, additionalData, '');
	return await lists[list].call(context, filter, token);
}

/** All entries, by scrolling to the end. */
async function fillWhole(
	list: keyof typeof lists,
	options: { filter?: string; pageId?: string } = {},
) {
	const entries = [];
	for (let token: string | undefined; ; ) {
		const { results, paginationToken } = await fill(list, { ...options, token });
		entries.push(...results);
		if (paginationToken === undefined) return entries;
		token = String(paginationToken);
	}
}

const pageWith = (test: (audiences: number) => boolean): string => {
	const counts = [...stage.sandbox.store.pages].map(({ pageId }) => ({
		pageId,
		audiences: stage.sandbox.store.audiences.of(pageId).length,
	}));
	return counts.find(({ audiences }) => test(audiences))?.pageId ?? '';
};

test('lists all people and accounts once, people with their email', async () => {
	const persons = await fillWhole('searchPersons');
	expect(persons.map(({ value }) => value).sort()).toEqual(
		[...stage.sandbox.store.persons].map(({ personId }) => personId).sort(),
	);
	expect(persons.filter(({ name }) => /\(.+\)$/.test(name)).length).toBeGreaterThan(200);
	const accounts = await fillWhole('searchAccounts');
	expect(new Set(accounts.map(({ value }) => value)).size).toBe(stage.sandbox.store.accounts.size);
	const [first] = stage.sandbox.store.accounts.all();
	expect(accounts.find(({ value }) => value === first.accountId)?.name).toBe(
		`${first.name} (${first.domain})`,
	);
});

test('ends a list where the service says so, although it names a next position', async () => {
	const items = [...stage.sandbox.store.persons].slice(0, 2);
	const body = { items, hasMore: false, nextCursor: 'next' };
	const fault = { kind: 'status', status: 200, body, operationId: 'listPersons' } as const;
	stage.sandbox.faults.add(fault);
	const { results, paginationToken } = await fill('searchPersons');
	expect(results).toHaveLength(2);
	expect(paginationToken).toBeUndefined();
});

test('searches people, accounts and pages in the service', async () => {
	const [person] = [...stage.sandbox.store.persons].slice(-1);
	const found = await fill('searchPersons', { filter: ` ${person.name} ` });
	expect(found.results.map(({ value }) => value)).toContain(person.personId);
	expect(stage.sandbox.requests.at(-1)).toMatchObject({
		path: '/v0/persons/search',
		query: { query: person.name },
	});
	const [account] = [...stage.sandbox.store.accounts].slice(-1);
	expect((await fill('searchAccounts', { filter: account.domain })).results).toEqual([
		expect.objectContaining({ value: account.accountId }),
	]);
	await fill('searchPages', { filter: 'demo' });
	expect(stage.sandbox.requests.at(-1)?.rawQuery).toBe('query=demo');
});

test('searches the audiences of the chosen page until some match, and goes on from there', async () => {
	const pageId = pageWith((audiences) => audiences > 200);
	const audiences = stage.sandbox.store.audiences.of(pageId);
	const all = await fillWhole('searchAudiences', { pageId });
	expect(all).toHaveLength(audiences.length);
	const [last] = all.slice(-1);
	const id = String(last.value);
	const found = await fill('searchAudiences', { pageId, filter: id.toUpperCase() });
	expect(found.results.map(({ value }) => value)).toEqual([id]);

	const filter = 'a';
	const named = audiences.filter(({ audienceId, customName, computedName }) =>
		[audienceId, String(customName ?? computedName)].some((each) =>
			each.toLowerCase().includes(filter),
		),
	);
	expect(named.length).toBeGreaterThan(100);
	const { results, paginationToken } = await fill('searchAudiences', { pageId, filter });
	expect(results.length).toBeLessThan(named.length);
	expect(paginationToken).toBeDefined();
	const values = (await fillWhole('searchAudiences', { pageId, filter })).map(({ value }) => value);
	expect(values).toEqual(named.map(({ audienceId }) => audienceId));
});

test('stores no status and no count with the name, and tells records of one name apart', async () => {
	const pageId = pageWith((audiences) => audiences > 200);
	const [page] = (await fill('searchPages')).results;
	expect(page.name).toBe(stage.sandbox.store.pages.get(String(page.value))?.name);
	const records = [
		{ audienceId: 'audience_first', effectiveName: 'Buyers', status: 'draft' },
		{ audienceId: 'audience_second', effectiveName: 'Buyers', status: 'draft' },
		{ audienceId: 'audience_third', effectiveName: 'Partners', status: 'draft' },
	];
	stage.sandbox.faults.add({ kind: 'answer', body: { items: records, hasMore: false } });
	expect((await fill('searchAudiences', { pageId })).results.map(({ name }) => name)).toEqual([
		'Buyers (…_first)',
		'Buyers (…second)',
		'Partners',
	]);
});

describe('the sessions of the chosen page', () => {
	const visited = () => {
		const pages = [...stage.sandbox.store.pages].map(({ pageId }) => pageId);
		const fitsOnOnePage = (count: number) => count > 1 && count <= 100;
		return (
			pages.find((pageId) => fitsOnOnePage(stage.sandbox.store.sessions.of(pageId).length)) ?? ''
		);
	};

	test('are listed with the latest first, and found by their email', async () => {
		const pageId = visited();
		const sessions = stage.sandbox.store.sessions.of(pageId);
		const newestFirst = [...sessions].sort(
			(a, b) => Date.parse(b.sessionStartedAt) - Date.parse(a.sessionStartedAt),
		);
		const { results } = await fill('searchSessions', { pageId });
		expect(results.map(({ value }) => value)).toEqual(
			newestFirst.map(({ audienceSessionId }) => audienceSessionId),
		);
		expect(results[0].name).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d/);
		const [submitted] = newestFirst;
		const filter = 'ada@one.example';
		submitted.formSubmissionEmail = filter;
		const found = await fill('searchSessions', { pageId, filter });
		expect(found.results.map(({ value }) => value)).toContain(submitted.audienceSessionId);
		const emails = found.results.map(
			({ value }) => stage.sandbox.store.sessions.get(String(value))?.formSubmissionEmail,
		);
		expect(new Set(emails)).toEqual(new Set([filter]));
	});

	test('are all listed by scrolling, and found on a later page', async () => {
		const pageId = visited();
		const { store } = stage.sandbox;
		store.addSessions(pageId, 250);
		const listed = (await fillWhole('searchSessions', { pageId })).map(({ value }) => value);
		const ids = store.sessions.of(pageId).map(({ audienceSessionId }) => audienceSessionId);
		expect([...listed].sort()).toEqual([...ids].sort());
		const filter = String(listed.at(-1));
		const { results } = await fill('searchSessions', { pageId, filter });
		expect(results.map(({ value }) => value)).toEqual([filter]);
	});

	test('need a page', async () => {
		await expect(fill('searchSessions')).rejects.toThrow('Choose a page first');
	});
});

test('names subscriptions by address and the end of their ID', async () => {
	const [first] = stage.sandbox.store.subscriptions;
	const end = first.subscriptionId.slice(-6);
	const { results } = await fill('searchSubscriptions', { filter: end.toUpperCase() });
	expect(results).toEqual([
		{
			name: expect.stringContaining(`${new URL(first.url).host}/`) as string,
			value: first.subscriptionId,
		},
	]);
	expect(results[0].name).toMatch(new RegExp(` \\(…${end}\\)$`));
});

test('says what is missing for a list', async () => {
	await expect(fill('searchAudiences')).rejects.toThrow('Choose a page first');
	stage.sandbox.faults.add({ kind: 'answer', body: { items: [] } });
	await expect(fill('searchPages')).rejects.toThrow('Type a word to search for a page');
	// A search without a match is no error.
	expect(await fill('searchPages', { filter: 'zyxwvut' })).toEqual({ results: [] });
});

test('says why a list failed and what to do', async () => {
	stage.sandbox.faults.add({ kind: 'status', status: 403 });
	await expect(fill('searchAccounts')).rejects.toThrow(
		/^The API key has no access to this \(403\)\. .*Use a key that has access/,
	);
	await expect(fill('searchAccounts', { baseUrl: 'nowhere' })).rejects.toThrow(/not a web address/);
	// No option changes how long a list waits.
	stage.sandbox.faults.add({ kind: 'status', status: 429, headers: { 'retry-after': '400' } });
	await expect(fill('searchAccounts')).rejects.toThrow(
		/^Rate limit reached \(429\)\. .* Retry later\.$/,
	);
	stage.sandbox.faults.add({ kind: 'status', status: 200, body: '<html>Log in</html>' });
	await expect(fill('searchAccounts')).rejects.toThrow(
		/^The service responded with something other than .*\. .*Check the Base URL in the credential/,
	);
});
