import { LoadOptionsContext } from 'n8n-core';
import type { INodeListSearchResult } from 'n8n-workflow';
import { PageAudience } from '../../nodes/PageAudience/PageAudience.node.ts';
import { makeAdditionalData, makeWorkflowOf } from './additionalData.mts';
import { setUpActionNode } from './actionNodeSetup.mts';

/* What a record is called is in test/unit/lists/listEntry.test.mts. */

const setup = setUpActionNode();
const type = new PageAudience();
type List = keyof typeof type.methods.listSearch;

interface Panel {
	filter?: string;
	token?: string;
	pageId?: string;
}

/** Loads one list as the editor does, with the other values of the panel. */
async function fill(
	list: List,
	{ filter, token, pageId = '' }: Panel = {},
): Promise<INodeListSearchResult> {
	const parameters = { pageId: { __rl: true, mode: 'list', value: pageId } };
	const workflow = makeWorkflowOf(
		type,
		{ id: '1', name: 'Page Audience', parameters },
		{ id: '1', active: false, staticData: {} },
	);
	const [node] = Object.values(workflow.nodes);
	const additionalData = makeAdditionalData(workflow, setup.credential);
	Object.assign(additionalData, { currentNodeParameters: parameters });
	const context = new LoadOptionsContext(workflow, node, additionalData, '');
	return await type.methods.listSearch[list].call(context, filter, token);
}

const valuesOf = ({ results }: INodeListSearchResult) => results.map(({ value }) => String(value));

/** All values, by scrolling to the end. */
async function scroll(list: List, panel: Panel = {}): Promise<string[]> {
	const page = await fill(list, panel);
	const { paginationToken } = page;
	if (paginationToken === undefined) return valuesOf(page);
	return [...valuesOf(page), ...(await scroll(list, { ...panel, token: String(paginationToken) }))];
}

/** A page with so many audiences and sessions. */
function pageWith(test: (audiences: number, sessions: number) => boolean): string {
	const { pages, audiences, sessions } = setup.sandbox.store;
	const ids = pages.all().map(({ pageId }) => pageId);
	return ids.find((id) => test(audiences.of(id).length, sessions.of(id).length))!;
}

test('lists all people and accounts once', async () => {
	const { persons, accounts } = setup.sandbox.store;
	const people = persons.all().map(({ personId }) => personId);
	expect((await scroll('searchPersons')).sort()).toEqual(people.sort());
	const companies = accounts.all().map(({ accountId }) => accountId);
	expect((await scroll('searchAccounts')).sort()).toEqual(companies.sort());
});

test('ends a list where the service says so, and tells records of one name apart', async () => {
	const items = ['person_first', 'person_second'].map((personId) => ({ personId, name: 'Ann' }));
	const body = { items, hasMore: false, nextCursor: 'next', totalCount: 9 };
	setup.sandbox.faults.add({ kind: 'answer', body, operationId: 'listPersons' });
	const { results, paginationToken } = await fill('searchPersons');
	expect(results.map(({ name }) => name)).toEqual(['Ann (…_first)', 'Ann (…second)']);
	expect(paginationToken).toBeUndefined();
});

test('searches people, accounts and pages in the service', async () => {
	const [person] = [...setup.sandbox.store.persons].slice(-1);
	const found = await fill('searchPersons', { filter: ` ${person.name} ` });
	expect(valuesOf(found)).toContain(person.personId);
	const query = { query: person.name };
	expect(setup.sandbox.requests.at(-1)).toMatchObject({ path: '/v0/persons/search', query });
	const [account] = [...setup.sandbox.store.accounts].slice(-1);
	const accounts = await fill('searchAccounts', { filter: account.domain });
	expect(valuesOf(accounts)).toEqual([account.accountId]);
	await fill('searchPages', { filter: 'demo' });
	expect(setup.sandbox.requests.at(-1)?.rawQuery).toBe('query=demo');
});

test('searches the audiences of the chosen page until some match, and continues from there', async () => {
	const pageId = pageWith((audiences) => audiences > 200);
	const audiences = setup.sandbox.store.audiences.of(pageId);
	const { audienceId: last } = audiences.at(-1)!;
	expect(valuesOf(await fill('searchAudiences', { pageId, filter: last }))).toEqual([last]);
	for (const filter of ['', 'a', last.toUpperCase()]) {
		const matching = audiences.filter(({ audienceId, customName, computedName }) =>
			[audienceId, String(customName ?? computedName)].some((each) =>
				each.toLowerCase().includes(filter.toLowerCase()),
			),
		);
		expect(await scroll('searchAudiences', { pageId, filter })).toEqual(
			matching.map(({ audienceId }) => audienceId),
		);
	}
});

test('lists the sessions of the chosen page with the latest first, and finds them by their email', async () => {
	const pageId = pageWith((_, sessions) => sessions > 1 && sessions <= 100);
	const newestFirst = [...setup.sandbox.store.sessions.of(pageId)].sort(
		(a, b) => Date.parse(b.sessionStartedAt) - Date.parse(a.sessionStartedAt),
	);
	const listed = await fill('searchSessions', { pageId });
	expect(valuesOf(listed)).toEqual(newestFirst.map(({ audienceSessionId: id }) => id));
	expect(listed.results[0].name).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d/);
	newestFirst[1].formSubmissionEmail = 'ada@one.example';
	const found = await fill('searchSessions', { pageId, filter: 'ada@one.example' });
	expect(valuesOf(found)).toEqual([newestFirst[1].audienceSessionId]);
});

test('finds a subscription by the end of its ID, and names it by its address', async () => {
	const [{ subscriptionId, url }] = setup.sandbox.store.subscriptions;
	const filter = subscriptionId.slice(-6).toUpperCase();
	const { results } = await fill('searchSubscriptions', { filter });
	expect(results.map(({ value }) => value)).toEqual([subscriptionId]);
	expect(results[0].name).toContain(`${new URL(url).host}/`);
});

test('says what is missing for a list', async () => {
	for (const list of ['searchAudiences', 'searchSessions'] as const)
		await expect(fill(list)).rejects.toThrow('Choose a page first');
	setup.sandbox.faults.add({ kind: 'answer', body: { items: [] } });
	await expect(fill('searchPages')).rejects.toThrow('Type a word to search for a page');
	// A search without a match is no error.
	expect(await fill('searchPages', { filter: 'zyxwvut' })).toEqual({ results: [] });
});

test('says why a list failed and what to do', async () => {
	setup.sandbox.faults.add({ kind: 'status', status: 403 });
	await expect(fill('searchAccounts')).rejects.toThrow(
		/^The API key or this n8n has no access to this \(403\)\. .*Use a key that has the rights/,
	);
	// No option changes how long a list waits.
	setup.sandbox.faults.add({ kind: 'status', status: 429, headers: { 'retry-after': '400' } });
	await expect(fill('searchAccounts')).rejects.toThrow(
		/^Rate limit reached \(429\)\. Retry later\. ./,
	);
});
