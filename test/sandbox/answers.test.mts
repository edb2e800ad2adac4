import { startSandbox } from '../../sandbox/index.mts';
import { openSandbox } from '../openSandbox.mts';
import { call } from './calling.mts';

const sandbox = openSandbox();

const respondWith = async (change: object, remove?: string) => {
	const person = sandbox.store.persons.all()[0];
	Object.assign(person, change);
	if (remove) Reflect.deleteProperty(person, remove);
	const { status, data } = await call(sandbox, 'GET', '/v0/persons', { query: { limit: 1 } });
	return [status, data.message];
};

// The sandbox must not be able to make any of these mistakes.
test.each([
	[{}, 'slug', "response/items/0/slug must have required property 'slug'"],
	[{}, 'email', "response/items/0/email must have required property 'email'"],
	[{ score: 1 }, '', 'response/items/0/score must NOT have additional properties'],
	[{ name: null }, '', 'response/items/0/name must be string'],
	[{ domain: '' }, '', 'response/items/0/domain must NOT have fewer than 1 characters'],
	[{ personId: 'x' }, '', 'response/items/0/personId must match pattern "^prospect_[a-z0-9]{26}$"'],
	[{ phoneNumber: 5 }, '', 'response/items/0/phoneNumber must be string,null'],
])('does not return a record with %j and without %j', async (change, remove, breach) => {
	expect(await respondWith(change, remove)).toEqual([500, breach]);
});

test('returns null where it is documented', async () => {
	const change = { email: null, domain: null, phoneNumber: null, linkedinProfileUrl: null };
	expect(await respondWith(change)).toEqual([200, undefined]);
});

test('skips the validation of responses for a benchmark', async () => {
	const fast = await startSandbox({ validateResponses: false });
	try {
		Object.assign(fast.store.persons.all()[0], { score: 1 });
		expect((await call(fast, 'GET', '/v0/persons')).data.items[0].score).toBe(1);
	} finally {
		await fast.close();
	}
});

test('returns long lists completely', async () => {
	sandbox.store.addPersons(20_000);
	const { accountId } = sandbox.store.accounts.all()[0];
	const { pageId } = sandbox.store.pages.all()[0];
	sandbox.store.addActivities(accountId, 10_000);
	sandbox.store.addSessions(pageId, 5_000);
	const total = async (path: string) => {
		const { data } = await call(sandbox, 'GET', path, { query: { limit: 100 } });
		expect(data.items).toHaveLength(100);
		return data.totalCount;
	};
	expect(await total('/v0/persons')).toBe(20_240);
	expect(await total(`/v0/accounts/${accountId}/activity`)).toBe(10_260);
	expect(await total(`/v0/pages/${pageId}/audience_sessions`)).toBe(5_320);
	expect(new Set(sandbox.store.persons.all().map(({ personId }) => personId)).size).toBe(20_240);
});

test('starts with the same records in every run', async () => {
	const other = await startSandbox();
	try {
		for (const [name, collection] of Object.entries(other.store.collections())) {
			const same = new Map(Object.entries(sandbox.store.collections())).get(name);
			expect(collection.all()).toEqual(same?.all());
		}
	} finally {
		await other.close();
	}
});
