import { LoadOptionsContext } from 'n8n-core';
import { type INodeListSearchResult, Workflow } from 'n8n-workflow';
import { PageAudience } from '../../nodes/PageAudience/PageAudience.node.ts';
import * as lists from '../../nodes/parameters/listSearch.ts';
import { startSandbox, type Sandbox } from '../../sandbox/index.mts';
import { makeAdditionalData, nodeTypeName } from './engine.mts';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});
beforeEach(() => sandbox.reset());
afterAll(async () => await sandbox.close());

/** Fills one list as the editor does, with the panel's other values. */
async function fill(
	list: keyof typeof lists,
	{
		filter,
		token,
		pageId = '',
		baseUrl = sandbox.url,
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
	const additionalData = makeAdditionalData(workflow, { baseUrl, apiKey: sandbox.apiKey });
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
	const counts = [...sandbox.store.pages].map(({ pageId }) => ({
		pageId,
		audiences: sandbox.store.audiences.of(pageId).length,
	}));
	return counts.find(({ audiences }) => test(audiences))?.pageId ?? '';
};

test('persons and accounts page on to the last, each once, told apart by email or domain', async () => {
	const persons = await fillWhole('searchPersons');
	expect(persons.map(({ value }) => value).sort()).toEqual(
		[...sandbox.store.persons].map(({ personId }) => personId).sort(),
	);
	expect(persons.filter(({ name }) => /\(.+\)$/.test(name)).length).toBeGreaterThan(200);
	const accounts = await fillWhole('searchAccounts');
	expect(new Set(accounts.map(({ value }) => value)).size).toBe(sandbox.store.accounts.size);
	expect(accounts[0].name).toMatch(/^.+ \([a-z0-9.-]+\.[a-z]+\)$/);
});

test('persons, accounts and pages are searched by the service', async () => {
	const [person] = [...sandbox.store.persons].slice(-1);
	const found = await fill('searchPersons', { filter: ` ${person.name} ` });
	expect(found.results.map(({ value }) => value)).toContain(person.personId);
	expect(sandbox.requests.at(-1)).toMatchObject({
		path: '/v0/persons/search',
		query: { query: person.name },
	});
	const [account] = [...sandbox.store.accounts].slice(-1);
	expect((await fill('searchAccounts', { filter: account.domain })).results).toEqual([
		expect.objectContaining({ value: account.accountId }),
	]);
	await fill('searchPages', { filter: 'demo' });
	expect(sandbox.requests.at(-1)?.rawQuery).toBe('query=demo');
});

test('audiences of the chosen page are looked through until some match', async () => {
	const pageId = pageWith((audiences) => audiences > 200);
	const all = await fillWhole('searchAudiences', { pageId });
	expect(all).toHaveLength(sandbox.store.audiences.of(pageId).length);
	const [last] = all.slice(-1);
	const { results } = await fill('searchAudiences', {
		pageId,
		filter: String(last.value).toUpperCase(),
	});
	expect(results).toEqual([last]);
});


test('subscriptions are named by address, number of events and the end of their ID', async () => {
	const [first] = sandbox.store.subscriptions;
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

test('an empty list says why, and what to do', async () => {
	const empty = pageWith((audiences) => audiences === 0);
	await expect(fill('searchAudiences')).rejects.toThrow('Choose a page first');
	await expect(fill('searchAudiences', { pageId: empty })).rejects.toThrow(
		'There are no audiences on this page. Create one in the service; the API cannot.',
	);
	sandbox.faults.add({ kind: 'answer', body: { items: [] } });
	await expect(fill('searchPages')).rejects.toThrow('Type a word of the page to search for it');
	// What was typed simply matches nothing.
	expect(await fill('searchPages', { filter: 'zyxwvut' })).toEqual({ results: [] });
});

test('a list that cannot be read says what happened and what to do', async () => {
	sandbox.faults.add({ kind: 'status', status: 403 });
	await expect(fill('searchAccounts')).rejects.toThrow(
		/^The API key may not do this \(403\)\. .*Use the key of a user who may/,
	);
	await expect(fill('searchAccounts', { baseUrl: 'nowhere' })).rejects.toThrow(/not a web address/);
});
