import { LoadOptionsContext } from 'n8n-core';
import { type INodeListSearchResult, Workflow } from 'n8n-workflow';
import { PageAudience } from '../../nodes/PageAudience/PageAudience.node.ts';
import * as lists from '../../nodes/parameters/listSearch.ts';
import { makeAdditionalData, nodeTypeName } from './engine.mts';
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

test('lists all people and accounts once, with their email or domain', async () => {
	const persons = await fillWhole('searchPersons');
	expect(persons.map(({ value }) => value).sort()).toEqual(
		[...stage.sandbox.store.persons].map(({ personId }) => personId).sort(),
	);
	expect(persons.filter(({ name }) => /\(.+\)$/.test(name)).length).toBeGreaterThan(200);
	const accounts = await fillWhole('searchAccounts');
	expect(new Set(accounts.map(({ value }) => value)).size).toBe(stage.sandbox.store.accounts.size);
	expect(accounts[0].name).toMatch(/^.+ \([a-z0-9.-]+\.[a-z]+\)$/);
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

test('searches the audiences of the chosen page until some match', async () => {
	const pageId = pageWith((audiences) => audiences > 200);
	const all = await fillWhole('searchAudiences', { pageId });
	expect(all).toHaveLength(stage.sandbox.store.audiences.of(pageId).length);
	const [last] = all.slice(-1);
	const { results } = await fill('searchAudiences', {
		pageId,
		filter: String(last.value).toUpperCase(),
	});
	expect(results).toEqual([last]);
});

test('names subscriptions by address, number of events and the end of their ID', async () => {
	const [first] = stage.sandbox.store.subscriptions;
	const end = first.subscriptionId.slice(-6);
	const { results } = await fill('searchSubscriptions', { filter: end.toUpperCase() });
	expect(results).toEqual([
		{
			name: expect.stringContaining(`${new URL(first.url).host}/`) as string,
			value: first.subscriptionId,
		},
	]);
	expect(results[0].name).toMatch(new RegExp(`\\((\\d+ events?|no list of events), …${end}\\)$`));
});

test('says why a list is empty and what to do', async () => {
	const empty = pageWith((audiences) => audiences === 0);
	await expect(fill('searchAudiences')).rejects.toThrow('Choose a page first');
	await expect(fill('searchAudiences', { pageId: empty })).rejects.toThrow(
		'No audiences on this page. Create one in the service.',
	);
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
});
