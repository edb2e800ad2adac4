import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';
import { serve } from '../localServer.mts';
import { originOf } from './engine.mts';
import { openStage } from './stage.mts';

const stage = openStage();
beforeEach(() => {
	stage.sandbox.peakInFlight = 0;
});

const numbered = (count: number) => Array.from({ length: count }, (_, i) => ({ name: `n${i}`, i }));

/** A service that responds once as many requests wait as expected, so that a slow machine reaches the peak too. */
async function openGate(total: number, expected: number) {
	const waiting: Array<() => void> = [];
	let answered = 0;
	let peak = 0;
	const server = await serve(async ({ body }) => {
		const { name } = JSON.parse(body.toString()) as { name: string };
		const released = new Promise<void>((resolve) => waiting.push(resolve));
		peak = Math.max(peak, waiting.length);
		if (waiting.length >= Math.min(expected, total - answered)) {
			// A request too many would arrive now.
			await sleep(30);
			answered += waiting.length;
			for (const release of waiting.splice(0)) release();
		}
		await released;
		return { status: 201, body: JSON.stringify({ personId: name, name }) };
	});
	return { ...server, peak: () => peak };
}

test.each<[concurrency: number | '' | undefined, expected: number]>([
	[1, 1],
	[3, 3],
	[25, 25],
	[undefined, 10],
	['', 10],
])('with a concurrency of %p, %d requests are in flight', async (concurrency, expected) => {
	const items = numbered(50);
	const gate = await openGate(items.length, expected);
	const parameters = { resource: 'person', operation: 'create', name: '={{ $json.name }}' };
	const options = concurrency === undefined ? {} : { concurrency };
	const credential = { ...stage.credential, baseUrl: gate.url };
	const { output } = await stage.run({ ...parameters, options }, items, { credential });
	gate.close();
	expect(gate.peak()).toBe(expected);
	expect(output.map(({ json }) => json.name)).toEqual(items.map(({ name }) => name));
	expect(output.map(originOf)).toEqual(items.map((_, i) => i));
});

test('returns items in input order when the first takes longest', async () => {
	stage.sandbox.faults.add({ kind: 'latency', ms: 200 });
	const parameters = { resource: 'person', operation: 'search', query: '={{ $json.q }}', limit: 1 };
	const items = ['a', 'e', 'i', 'o'].map((q) => ({ q }));
	const { output } = await stage.run(parameters, items);
	expect(output.map(originOf)).toEqual(items.map((_, i) => i));
});

describe('writes to the same record are sent one after another', () => {
	/** The requests for each record, in the order of arrival, with their start and end. */
	function watch(
		keyOf: (path: string, body: IDataObject) => string,
		valueOf: (body: IDataObject) => unknown,
	) {
		const byKey = new Map<string, Array<{ value: unknown; from: number; to: number }>>();
		for (const { path, body, startedAtMs, endedAtMs = Infinity } of stage.sandbox.requests) {
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
		expect(stage.sandbox.peakInFlight).toBeGreaterThan(1);
	}
	beforeEach(() => (stage.sandbox.latencyMs = 30));

	test('for updates of the same account', async () => {
		const accounts = [...stage.sandbox.store.accounts]
			.slice(0, 4)
			.map(({ accountId }) => accountId);
		const items = numbered(24).map(({ name, i }) => ({ name, account: accounts[i % 4] }));
		const parameters = {
			resource: 'account',
			operation: 'update',
			accountId: '={{ $json.account }}',
			name: '={{ $json.name }}',
		};
		await stage.run(parameters, items);
		expectInOrder(
			watch(
				(path) => path,
				({ name }) => name,
			),
			4,
			6,
		);
		expect(accounts.map((id) => stage.sandbox.store.accounts.get(id)?.name)).toEqual([
			'n20',
			'n21',
			'n22',
			'n23',
		]);
	});

	test('for new accounts of the same domain', async () => {
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
		await stage.run(parameters, items);
		expectInOrder(
			watch(
				(_, { domain }) => String(domain),
				({ name }) => name,
			),
			2,
			6,
		);
	});

	test('for logs of the same person, however the person is identified', async () => {
		const { personId, email } =
			[...stage.sandbox.store.persons].find((each) => each.email !== null) ?? {};
		const people = [
			{ email },
			{ email: email?.toUpperCase(), personId },
			{ personId, phone: '+1 650 253 0000' },
			{ phone: '+1-650-253-0000', linkedin: 'https://linkedin.com/in/x' },
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
		const { error } = await stage.run(parameters, items);
		expect(error).toBeUndefined();
		const isOther = (body: IDataObject) => body.email === 'somebody@else.example';
		const byPerson = watch(
			(_, body) => String(isOther(body)),
			({ payload }) => (payload as IDataObject).i,
		);
		expect(byPerson.get('false')).toHaveLength(10);
		expectInOrder(new Map([['one', byPerson.get('false') ?? []]]), 1, 10);
	});

	test('for versions of the same record of a sync', async () => {
		const items = Array.from({ length: 8 }, (_, i) => ({ i, recordId: String(i % 2) }));
		const parameters = {
			resource: 'personLog',
			operation: 'create',
			source: 'test',
			write: 'changed',
			recordId: '={{ $json.recordId }}',
			recordVersion: '={{ $json.i }}',
			payloadFields: {
				assignments: [{ id: '1', name: 'i', value: '={{ $json.i }}', type: 'number' }],
			},
		};
		const { error } = await stage.run(parameters, items);
		expect(error).toBeUndefined();
		const byRecord = watch(
			(_, { payload }) => String(Number((payload as IDataObject).i) % 2),
			({ payload }) => (payload as IDataObject).i,
		);
		expectInOrder(byRecord, 2, 4);
	});
});

test('Requests per Second applies to all items of the run', async () => {
	const parameters = { resource: 'person', operation: 'create', name: '={{ $json.name }}' };
	const items = numbered(16);
	const started = Date.now();
	await stage.run({ ...parameters, options: { requestsPerSecond: 20, concurrency: 50 } }, items);
	const last = stage.sandbox.requests.at(-1)?.startedAtMs ?? 0;
	expect(stage.sandbox.requests).toHaveLength(items.length);
	// Fifteen pauses of 50 ms. A timer may fire a millisecond early.
	expect(last - started).toBeGreaterThanOrEqual(15 * 49);
});

test('a run that stops sends no further item and says how many it wrote', async () => {
	stage.sandbox.faults.add({ kind: 'status', status: 400, skip: 4 });
	const parameters = { resource: 'person', operation: 'create', name: '={{ $json.name }}' };
	const { error } = await stage.run({ ...parameters, options: { concurrency: 2 } }, numbered(30));
	expect(stage.sandbox.requests.length).toBeLessThanOrEqual(6);
	const created = [...stage.sandbox.store.persons].filter(({ name }) => /^n\d+$/.test(name)).length;
	expect(error?.message).toContain(`. ${created} of 30 items were written`);
});
