import type { IDataObject } from 'n8n-workflow';
import { startSandbox, type Sandbox } from '../../sandbox/index.mts';
import { runNode, type Run } from './engine.mts';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});
beforeEach(() => {
	sandbox.reset();
	sandbox.peakInFlight = 0;
});
afterAll(async () => await sandbox.close());

const run = async (parameters: Run['parameters'], items: IDataObject[], more: Partial<Run> = {}) =>
	await runNode({
		parameters,
		items,
		credential: { baseUrl: sandbox.url, apiKey: sandbox.apiKey },
		...more,
	});

const numbered = (count: number) => Array.from({ length: count }, (_, i) => ({ name: `n${i}`, i }));

test.each([1, 3, 25])('%d requests are in flight at once and no more', async (concurrency) => {
	sandbox.latencyMs = 30;
	const items = numbered(50);
	const parameters = { resource: 'person', operation: 'create', name: '={{ $json.name }}' };
	const { output } = await run({ ...parameters, options: { concurrency } }, items);
	expect(sandbox.peakInFlight).toBe(concurrency);
	expect(output.map(({ json }) => json.name)).toEqual(items.map(({ name }) => name));
	expect(output.map(({ pairedItem }) => pairedItem)).toEqual(items.map((_, item) => ({ item })));
});

test('ten are in flight at once unless told otherwise', async () => {
	sandbox.latencyMs = 30;
	const parameters = { resource: 'person', operation: 'create', name: '={{ $json.name }}' };
	await run(parameters, numbered(30));
	expect(sandbox.peakInFlight).toBe(10);
});

test('the output is in input order also where the first takes longest', async () => {
	sandbox.faults.add({ kind: 'latency', ms: 200 });
	const parameters = { resource: 'person', operation: 'search', query: '={{ $json.q }}', limit: 1 };
	const items = ['a', 'e', 'i', 'o'].map((q) => ({ q }));
	const { output } = await run(parameters, items);
	expect(output.map(({ pairedItem }) => pairedItem)).toEqual(items.map((_, item) => ({ item })));
});

describe('writes to the same record go out one after another', () => {
	/** How many were under way at once per record, and in which order they came. */
	function watch(
		keyOf: (path: string, body: IDataObject) => string,
		valueOf: (body: IDataObject) => unknown,
	) {
		const byKey = new Map<string, Array<{ value: unknown; from: number; to: number }>>();
		for (const { path, body, startedAtMs, endedAtMs = Infinity } of sandbox.requests) {
			const key = keyOf(path, body as IDataObject);
			const entry = { value: valueOf(body as IDataObject), from: startedAtMs, to: endedAtMs };
			byKey.set(key, [...(byKey.get(key) ?? []), entry]);
		}
		return byKey;
	}
	function expectInOrder(byKey: ReturnType<typeof watch>, keys: number, perKey: number) {
		expect(byKey.size).toBe(keys);
		for (const entries of byKey.values()) {
			expect(entries).toHaveLength(perKey);
			const values = entries.map(({ value }) => Number(String(value).replace(/\D/g, '')));
			expect(values).toEqual([...values].sort((a, b) => a - b));
			for (const [i, { from }] of entries.slice(1).entries())
				expect(from).toBeGreaterThanOrEqual(entries[i].to);
		}
		expect(sandbox.peakInFlight).toBeGreaterThan(1);
	}
	beforeEach(() => (sandbox.latencyMs = 10));

	test('accounts', async () => {
		const accounts = [...sandbox.store.accounts].slice(0, 4).map(({ accountId }) => accountId);
		const items = numbered(24).map(({ name, i }) => ({ name, account: accounts[i % 4] }));
		const parameters = {
			resource: 'account',
			operation: 'update',
			accountId: '={{ $json.account }}',
			name: '={{ $json.name }}',
		};
		await run(parameters, items);
		expectInOrder(
			watch(
				(path) => path,
				({ name }) => name,
			),
			4,
			6,
		);
		expect(accounts.map((id) => sandbox.store.accounts.get(id)?.name)).toEqual([
			'n20',
			'n21',
			'n22',
			'n23',
		]);
	});

	test('accounts of the same domain, which would be created twice', async () => {
		const items = numbered(12).map(({ name, i }) => ({
			name,
			domain: ['New.Example', 'other.example'][i % 2],
		}));
		const parameters = {
			resource: 'account',
			operation: 'create',
			domain: '={{ $json.domain }}',
			additionalFields: { name: '={{ $json.name }}' },
		};
		await run(parameters, items);
		expectInOrder(
			watch(
				(_, { domain }) => String(domain),
				({ name }) => name,
			),
			2,
			6,
		);
	});

	test('logs of the same person, by any of the ways to name one', async () => {
		const { personId, email } =
			[...sandbox.store.persons].find((each) => each.email !== null) ?? {};
		const people = [
			{ email },
			{ email: email?.toUpperCase(), personId },
			{ personId, phone: '+1 555' },
			{ phone: '+1-555', linkedin: 'https://linkedin.com/in/x' },
			{ linkedin: 'http://www.linkedin.com/in/X/' },
			{ email: 'somebody@else.example' },
		];
		const items = people.flatMap((person, i) => [
			{ ...person, i: 2 * i },
			{ ...person, i: 2 * i + 1 },
		]);
		const parameters = {
			resource: 'personLog',
			operation: 'create',
			source: 'test',
			person: {
				personId: '={{ $json.personId }}',
				email: '={{ $json.email }}',
				phoneNumber: '={{ $json.phone }}',
				linkedinProfileUrl: '={{ $json.linkedin }}',
			},
			payloadFields: {
				assignments: [{ id: '1', name: 'i', value: '={{ $json.i }}', type: 'number' }],
			},
		};
		const { error } = await run(parameters, items);
		expect(error).toBeUndefined();
		const isOther = (body: IDataObject) => body.email === 'somebody@else.example';
		const byPerson = watch(
			(_, body) => String(isOther(body)),
			({ payload }) => (payload as IDataObject).i,
		);
		expect(byPerson.get('false')).toHaveLength(10);
		expectInOrder(new Map([['one', byPerson.get('false') ?? []]]), 1, 10);
	});
});

test('requestsPerSecond holds over all items of the run', async () => {
	const parameters = { resource: 'person', operation: 'create', name: '={{ $json.name }}' };
	await run({ ...parameters, options: { requestsPerSecond: 20, concurrency: 50 } }, numbered(16));
	const starts = sandbox.requests.map(({ startedAtMs }) => startedAtMs);
	expect(starts).toHaveLength(16);
	// Fifteen pauses of 50 ms, less what the network may shift.
	expect(starts[15] - starts[0]).toBeGreaterThan(700);
});

test('a run that stops at an item starts no further one and says from where on', async () => {
	sandbox.faults.add({ kind: 'status', status: 400, skip: 4 });
	const parameters = { resource: 'person', operation: 'create', name: '={{ $json.name }}' };
	const { error } = await run({ ...parameters, options: { concurrency: 2 } }, numbered(30));
	expect(sandbox.requests.length).toBeLessThanOrEqual(6);
	const created = [...sandbox.store.persons].filter(({ name }) => /^n\d+$/.test(name)).length;
	expect(error?.message).toContain(`${created} of 30 items were written, none from item`);
	const from = Number(/none from item (\d+) on/.exec(error?.message ?? '')?.[1]);
	expect(from).toBe(sandbox.requests.length);
});
