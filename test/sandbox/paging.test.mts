import { startSandbox } from '../../sandbox/index.mts';
import { seedCounts } from '../../sandbox/seed/index.mts';
import { openSandbox } from '../openSandbox.mts';
import { call } from './calling.mts';

const sandbox = openSandbox();

interface List {
	path: string;
	idName: string;
	count: number;
	/** `nextCursor` on the last page. */
	end: null | undefined;
}

function describeLists(): Record<string, List> {
	const { pageId } = sandbox.store.pages.all()[0];
	const { audienceId } = sandbox.store.audiences.of(pageId)[0];
	const page = `/v0/pages/${pageId}`;
	const list = (path: string, idName: string, count: number, end: null | undefined): List => ({
		path,
		idName,
		count,
		end,
	});
	const { persons, accounts, audiencesOfFirstPage, versionsOfFirstAudience } = seedCounts;
	return {
		listPersons: list('/v0/persons', 'personId', persons, null),
		searchPersons: list('/v0/persons/search', 'personId', persons, null),
		searchAccounts: list('/v0/accounts/search', 'accountId', accounts, null),
		listAudiences: list(`${page}/audiences`, 'audienceId', audiencesOfFirstPage, undefined),
		listAudienceVersions: list(
			`${page}/audiences/${audienceId}/versions`,
			'versionId',
			versionsOfFirstAudience,
			undefined,
		),
		listAudienceSessions: list(
			`${page}/audience_sessions`,
			'audienceSessionId',
			seedCounts.sessionsOfFirstPage,
			null,
		),
	};
}

async function readAll({ path, idName }: List, limit?: number, between = () => {}) {
	const ids: string[] = [];
	const pages: { hasMore: boolean; totalCount: number; nextCursor?: string | null }[] = [];
	let cursor: string | undefined;
	do {
		const query = { ...(limit ? { limit } : {}), ...(cursor ? { cursor } : {}) };
		const { data } = await call(sandbox, 'GET', path, { query });
		ids.push(...data.items.map((item: Record<string, string>) => item[idName]));
		pages.push(data);
		cursor = data.nextCursor;
		between();
	} while (cursor);
	return { ids, pages };
}

describe.each([
	'listPersons',
	'searchPersons',
	'searchAccounts',
	'listAudiences',
	'listAudienceVersions',
	'listAudienceSessions',
])('%s', (operationId) => {
	test.each([undefined, 100, 7, 1])('returns each record once with limit %s', async (limit) => {
		const list = describeLists()[operationId];
		const { ids, pages } = await readAll(list, limit);
		expect(ids).toHaveLength(list.count);
		expect(new Set(ids).size).toBe(list.count);
		expect(pages).toHaveLength(Math.ceil(list.count / (limit ?? 25)));
		const last = pages.pop();
		expect(last).toMatchObject({ hasMore: false, totalCount: list.count });
		expect(last?.nextCursor).toBe(list.end);
		expect(last && 'nextCursor' in last).toBe(list.end === null);
		for (const { hasMore, nextCursor } of pages) {
			expect([hasMore, typeof nextCursor]).toEqual([true, 'string']);
		}
	});
});

test('keeps its position while records are added', async () => {
	const list = describeLists().listPersons;
	const { ids } = await readAll(list, 50, () => {
		if (sandbox.store.persons.size < seedCounts.persons + 40) sandbox.store.addPersons(10);
	});
	expect(new Set(ids).size).toBe(seedCounts.persons + 40);
	expect(ids).toHaveLength(seedCounts.persons + 40);
});

test('keeps its position when a record stops matching', async () => {
	const { path } = describeLists().searchAccounts;
	const query = { query: 'analytics', limit: 5 };
	const first = await call(sandbox, 'GET', path, { query });
	const { accountId } = first.data.items[0];
	Object.assign(sandbox.store.accounts.get(accountId) ?? {}, { name: 'x', domain: 'x.example' });
	const cursor = first.data.nextCursor;
	const second = await call(sandbox, 'GET', path, { query: { ...query, cursor } });
	const names = [...first.data.items, ...second.data.items].map(({ domain }) => domain);
	expect(new Set(names).size).toBe(10);
	expect(names).toEqual(
		sandbox.store.accounts
			.all()
			.slice(0, 10)
			.map(({ accountId: id, domain }) => (id === accountId ? first.data.items[0].domain : domain)),
	);
});

test.each(['zero', 'YWZ0ZXI6MQ==', 'YWZ0ZXI6LTE', 'MQ', ''])(
	'rejects the cursor %j',
	async (cursor) => {
		const answer = await call(sandbox, 'GET', '/v0/persons', { query: { cursor } });
		expect(answer.status).toBe(400);
		expect(answer.data.message).toMatch('is not a valid cursor');
	},
);

test('pages the activity by offset', async () => {
	const { accountId } = sandbox.store.accounts.all()[0];
	const path = `/v0/accounts/${accountId}/activity`;
	const ids: string[] = [];
	let offset: number | null = 0;
	while (offset !== null) {
		const { data } = await call(sandbox, 'GET', path, { query: { offset, limit: 100 } });
		expect(data.totalCount).toBe(seedCounts.activitiesOfFirstAccount);
		expect(data.hasMore).toBe(data.nextOffset !== null);
		ids.push(...data.items.map(({ activityId }: { activityId: string }) => activityId));
		offset = data.nextOffset;
	}
	expect(new Set(ids).size).toBe(seedCounts.activitiesOfFirstAccount);
	expect(ids).toHaveLength(seedCounts.activitiesOfFirstAccount);
	const beyond = await call(sandbox, 'GET', path, { query: { offset: 5000 } });
	expect(beyond.data).toMatchObject({ items: [], hasMore: false, nextOffset: null });
});

test('ends the lists with an optional cursor with null instead', async () => {
	const other = await startSandbox({ guesses: { endOfOptionalCursor: 'null' } });
	try {
		const { pageId } = other.store.pages.all()[1];
		const answer = await call(other, 'GET', `/v0/pages/${pageId}/audiences`);
		expect([answer.status, answer.data.nextCursor]).toEqual([200, null]);
	} finally {
		await other.close();
	}
});

test('switches the guess of the page size', async () => {
	const other = await startSandbox({ guesses: { defaultLimit: 3, maximumLimit: 5 } });
	try {
		expect((await call(other, 'GET', '/v0/persons')).data.items).toHaveLength(3);
		const { status, data } = await call(other, 'GET', '/v0/persons', { query: { limit: 6 } });
		expect([status, data.message]).toEqual([400, 'query/limit must be a whole number from 1 to 5']);
	} finally {
		await other.close();
	}
});
