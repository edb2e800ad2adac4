import { linkedTo } from './engine.mts';
import { openStage } from './stage.mts';

const stage = openStage();
let accounts: string[];
beforeEach(() => {
	accounts = [...stage.sandbox.store.accounts].slice(0, 2).map(({ accountId }) => accountId);
	stage.sandbox.store.addActivities(accounts[0], 730);
	stage.sandbox.store.addActivities(accounts[1], 1000);
});

/** The activities of an account that the sandbox lists by default, without deleted ones. */
function list(account: string): string[] {
	const activities = stage.sandbox.store.activities.of(account);
	return activities.filter(({ deletedAt }) => !deletedAt).map(({ activityId }) => activityId);
}

async function readAll(parameters: object = {}) {
	const run = await stage.run(
		{
			resource: 'account',
			operation: 'getActivity',
			accountId: '={{ $json.account }}',
			returnAll: true,
			...parameters,
		},
		accounts.map((account) => ({ account })),
	);
	const idsOf = (item: number) => linkedTo(run.output, item).map(({ json }) => json.activityId);
	return { ...run, ids: accounts.map((_, item) => idsOf(item)) };
}

test('returns every record once and in order', async () => {
	const { ids, error } = await readAll({ limit: 5 });
	expect(error).toBeUndefined();
	expect(ids).toEqual(accounts.map(list));
	// The service refuses the first limit of 1,000 for each account, and nothing else.
	const refused = stage.sandbox.requests.filter(({ status }) => status !== 200);
	expect(refused.map(({ query }) => query.limit)).toEqual(['1000', '1000']);
});

test('requests no more pages and records than the limit needs', async () => {
	const { ids } = await readAll({ returnAll: false, limit: 350 });
	expect(ids).toEqual(accounts.map((account) => list(account).slice(0, 350)));
	const asked = stage.sandbox.requests
		.filter(({ path }) => path.includes(accounts[1]))
		.map(({ query }) => [Number(query.offset ?? 0), Number(query.limit)])
		.sort(([a], [b]) => a - b);
	expect(asked.filter(([, limit]) => limit === 100)).toEqual([
		[0, 100],
		[100, 100],
		[200, 100],
		[300, 100],
	]);
	expect(asked.length).toBeLessThanOrEqual(5);
});

test.each([
	[{}, 50],
	[{ limit: 1 }, 1],
	[{ limit: 150 }, 150],
])('with %j reads %d records', async (limit, count) => {
	const { ids } = await readAll({ returnAll: false, ...limit });
	expect(ids).toEqual(accounts.map((account) => list(account).slice(0, count)));
});

test('keeps its filters on every page, and asks for as many records as Page Size says', async () => {
	const filters = { includeDeleted: 'true' };
	const options = { pageSize: 90, concurrency: 1 };
	await readAll({ returnAll: false, limit: 180, filters, options });
	const asked = stage.sandbox.requests.filter(({ path }) => path.includes(accounts[1]));
	expect(asked.map(({ rawQuery }) => rawQuery)).toEqual([
		'includeDeleted=true&limit=90',
		'includeDeleted=true&offset=90&limit=90',
	]);
});

test('fills a page that the service cuts short', async () => {
	const all = list(accounts[1]);
	const items = stage.sandbox.store.activities
		.of(accounts[1])
		.filter(({ activityId }) => activityId === all[300]);
	stage.sandbox.faults.add({
		operationId: 'listAccountActivity',
		path: new RegExp(accounts[1]),
		kind: 'answer',
		skip: 4,
		body: { items, totalCount: all.length, hasMore: true, nextOffset: 301 },
	});
	const { ids, error } = await readAll();
	expect(error).toBeUndefined();
	expect(ids).toEqual(accounts.map(list));
});

test('returns no duplicates when a list grows while it is read', async () => {
	const [before] = accounts.map(list);
	let grown = false;
	const growing = setInterval(() => {
		if (grown || stage.sandbox.requests.length < 4) return;
		grown = true;
		stage.sandbox.store.addActivities(accounts[0], 5);
	}, 1);
	stage.sandbox.latencyMs = 30;
	const { ids, error } = await readAll();
	clearInterval(growing);
	expect(grown).toBe(true);
	expect(error).toBeUndefined();
	expect(new Set(ids[0]).size).toBe(ids[0].length);
	expect(ids[0]).toEqual(expect.arrayContaining(before));
});

test('fails the item when a page fails, says how far it read, and stops sending requests', async () => {
	stage.sandbox.faults.add({
		operationId: 'listAccountActivity',
		kind: 'status',
		status: 403,
		skip: 4,
		times: Infinity,
	});
	const { error, output } = await readAll({ options: { concurrency: 2 } });
	expect(output).toEqual([]);
	expect(error?.context?.data).toMatchObject({ status: 403, recordsRead: 100 });
	expect(stage.sandbox.requests.length).toBeLessThan(10);
});
