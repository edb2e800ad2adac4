import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { generated } from '../../generated.mts';
import { detectBy, onlyNewOrChanged, requestLimits } from '../../groups.mts';
import { entries, originOf } from '../engine.mts';
import { runAllOffline } from '../offline.mts';
import { nightlySync } from './nightlySync.mts';
import { Nights, type NightSettings, sandbox, type SyncedContact } from './nights.mts';

const make = (count: number): SyncedContact[] =>
	Array.from({ length: count }, (_, id) => ({ id, version: 'v1' }));
const skipped = (json: IDataObject[] = []) =>
	json.filter(({ alreadyWritten }) => alreadyWritten === true);
const rotated = { credential: { apiKey: 'rotated' } };

test('a second night sends what is new or changed, and returns each record linked to its item', async () => {
	const sync = new Nights();
	const first = await sync.run(make(3));
	expect(sync.sent).toEqual([0, 1, 2]);
	expect(first?.hints).toEqual(['3 written']);
	const contacts = make(4);
	contacts[1].version = 'v2';
	const second = await sync.run(contacts);
	expect(sync.sent.slice(3)).toEqual([1, 3]);
	expect(second?.output.map(originOf)).toEqual([0, 1, 2, 3]);
	expect(second?.json[2]).toEqual({
		recordId: '2',
		source: 'crm',
		type: 'contact',
		idempotencyKey: first?.json[2].idempotencyKey,
		alreadyWritten: true,
	});
	expect(second?.hints).toEqual(['2 written, 2 skipped']);
	await sync.run(contacts);
	expect(sync.sent).toHaveLength(5);
});

test.each<[what: string, sent: number, keys: number, change: NightSettings]>([
	['another source', 4, 4, { parameters: { source: 'erp' } }],
	['another type', 4, 4, { parameters: { type: 'deal' } }],
	['another text in Start Over', 4, 4, { startOver: 'again' }],
	['blanks around the text', 2, 2, { startOver: ' first\n' }],
	['another API key of the same tenant', 2, 2, rotated],
	['the API key of another tenant', 4, 2, { ...rotated, tenant: { id: 'tenant_2' } }],
	['another URL', 4, 2, { credential: { baseUrl: 'https://other.example.com' } }],
	['a copy of the node', 4, 2, { settings: { id: '3' } }],
])('with %s, two records are sent %i times, under %i keys', async (_, sent, keys, change) => {
	const sync = new Nights();
	const startOver = 'first';
	await sync.run(make(2), { startOver });
	for (let night = 0; night < 2; night++) await sync.run(make(2), { startOver, ...change });
	expect([sync.sent.length, sync.stored.size]).toEqual([sent, keys]);
});

describe('the tenant of an API key', () => {
	test('is asked for in one request of each run', async () => {
		const sync = new Nights();
		const lookUps: number[] = [];
		for (const settings of [{}, {}, rotated, rotated, {}]) {
			await sync.run(make(1), settings);
			lookUps.push(sync.lookUps);
		}
		expect(lookUps).toEqual([1, 2, 3, 4, 5]);
		expect(sync.sent).toEqual([0]);
	});

	test.each([{}, { status: 403 }])(
		'that cannot be told (%j) is the key itself: records are sent again, with the same keys, once it is told',
		async (tenant) => {
			const sync = new Nights();
			for (let night = 0; night < 2; night++) await sync.run(make(1), { tenant });
			expect(sync.sent).toEqual([0]);
			for (let night = 0; night < 2; night++) await sync.run(make(1));
			expect(sync.sent).toEqual([0, 0]);
			expect([sync.stored.size, sync.doubles]).toEqual([1, 0]);
		},
	);

	test.each([200, 301, 401, 407, 429, 500, 503])(
		'that cannot be read for now (%i) ends the run',
		async (status) => {
			const sync = new Nights();
			await sync.run(make(2));
			const failed = await sync.run(make(2), { ...rotated, tenant: { status } });
			expect(failed?.error?.message).toContain(String(status));
			await sync.run(make(3), rotated);
			expect(sync.sent).toEqual([0, 1, 2]);
		},
	);

	test('is not asked for where nothing is remembered', async () => {
		const sync = new Nights();
		await sync.run(make(1), { options: { onlyNewOrChanged: {} } });
		await sync.run(make(1), { options: { dryRun: true } });
		expect(sync.lookUps).toBe(0);
	});
});

test('beside Duplicate Detection, records are refused, and nothing is sent', async () => {
	const sync = new Nights();
	for (const mode of ['content', 'none']) {
		const outcome = await sync.run(make(2), { options: detectBy(mode) });
		expect(outcome?.error?.message).toContain(
			'Options > Only New or Changed Records makes the idempotency key itself: remove Duplicate Detection',
		);
	}
	expect(sync.sent).toEqual([]);
	// An option whose settings were all removed is none.
	await sync.run(make(2), { options: { idempotency: {} } });
	expect(sync.sent).toEqual([0, 1]);
});

test.each([
	// A record that returns to earlier content was written.
	['without a Record Version, each content of a record is sent once', '', 2],
	['with a Record Version, a record is sent once, whatever its content', 'v1', 1],
])('%s', async (_, version, sent) => {
	const sync = new Nights();
	for (const stage of ['lead', 'won', 'lead']) await sync.run([{ id: 7, version, stage }]);
	expect(sync.sent).toHaveLength(sent);
});

test.each([
	['sent once where one follows the other', { concurrency: 1 }, [0], [1]],
	['sent once where both may go at once', { concurrency: 100 }, [0], [1]],
	['sent twice where the first is refused', { continues: true, rejected: [0] }, [0, 0], []],
])('a record that two items hold is %s', async (_, settings, sent, skippedItems) => {
	const sync = new Nights();
	const outcome = await sync.run([...make(1), ...make(1)], settings);
	expect(sync.sent).toEqual(sent);
	const written = outcome?.output.filter(({ json }) => json.alreadyWritten === true);
	expect(written?.map(originOf)).toEqual(skippedItems);
});

test('what was refused or not reached leaves nothing behind', async () => {
	const sync = new Nights();
	// More than go together.
	const outcome = await sync.run(make(1_100), { rejected: [1] });
	expect(outcome?.error?.message).toContain('1 of 1100 items were written');
	expect(sync.sent).toEqual([0, 1]);
	expect(entries.size).toBe(1);
	// Both entries of a hundred records in one call, so that n8n stays responsive.
	expect(entries.mostRemoved).toBe(200);
});

test('a dry run shows every record once, says so, and leaves no trace', async () => {
	const sync = new Nights();
	await sync.run(make(1));
	const { size } = entries;
	// It does not ask the database.
	const settings = { options: { dryRun: true }, databaseFails: () => true };
	const outcome = await sync.run([...make(3), ...make(1)], settings);
	expect([sync.sent, entries.size]).toEqual([[0], size]);
	expect(outcome?.contextData).toEqual({ 'node:Page Audience': { writes: {} } });
	expect(outcome?.json).toMatchObject(
		[0, 1, 2, undefined].map((id) => ({
			dryRun: true,
			request: id === undefined ? null : { body: { payload: { id } } },
		})),
	);
	expect(outcome?.hints).toEqual([
		'Dry run, nothing was changed: 3 would be written, 1 skipped',
		'The dry run also shows records that earlier runs have sent and a real run would skip',
	]);
});

test('Retry of a record in doubt that has changed since leaves the change to the next night', async () => {
	const sync = new Nights();
	await sync.run(make(2), { unanswered: [1] });
	const contacts = make(2);
	contacts[1].version = 'v2';
	await sync.run(contacts, { isRetry: true });
	expect(sync.sent).toEqual([0, 1, 1]);
	await sync.run(contacts);
	expect(sync.sent).toEqual([0, 1, 1, 1]);
});

describe('a database that fails', () => {
	test('skips nothing, is told, and leaves what was written before as it was', async () => {
		const sync = new Nights();
		await sync.run(make(2));
		const failed = await sync.run(make(3), { databaseFails: () => true });
		expect(sync.sent).toEqual([0, 1, 0, 1, 2]);
		expect(failed?.hints).toEqual([
			'3 written',
			'n8n failed to look up or remember some records, so they are resent with the same keys: Error: SQLITE_BUSY: database is locked',
		]);
		const again = await sync.run(make(3));
		expect(skipped(again?.json)).toHaveLength(2);
		expect(sync.stored.size).toBe(3);
	});

	let calls = 0;
	test.each<[what: string, sent: number, databaseFails: (call: string) => boolean]>([
		['after the records were sent resends them', 4, (call) => call === 'removeProcessed'],
		// As when two executions record the first entries at the same moment.
		['once is asked again', 2, () => calls++ === 1],
	])('%s', async (_, sent, databaseFails) => {
		const sync = new Nights();
		await sync.run(make(2), { databaseFails });
		for (let night = 0; night < 2; night++) await sync.run(make(2));
		expect(sync.sent).toHaveLength(sent);
	});
});

test('an AI tool sends every call', async () => {
	const sync = new Nights();
	const parameters = { payloadMode: 'json', payload: '{"id":0}' };
	for (let call = 0; call < 2; call++) await sync.run(make(1), { parameters, asTool: true });
	expect(sync.sent).toHaveLength(2);
	expect(entries.size).toBe(0);
});

test('a service that refuses a repeated key with 409 has the record, if it was sent to it before', async () => {
	const sync = new Nights('conflict');
	await sync.run(make(2), { unanswered: [0, 1], continues: true });
	const next = await sync.run(make(2));
	expect(next?.json).toMatchObject(Array(2).fill({ source: 'crm', alreadyStored: true }));
	// In another tenant, nothing is known of it.
	const elsewhere = { ...rotated, tenant: { id: 'tenant_2' }, continues: true };
	const refused = await sync.run(make(2), elsewhere);
	expect(refused?.json).toMatchObject(
		[0, 1].map((item) => ({
			error: `A conflicting record already exists (409) [item ${item}]`,
			details: { maybeDone: false },
		})),
	);
	await sync.run(make(2));
	expect(sync.sent).toHaveLength(6);
});

const contact: fc.Arbitrary<SyncedContact> = fc.record({
	id: fc.nat({ max: 5 }),
	// Without one, the content decides.
	version: fc.constantFrom('v1', 'v2', ''),
});
const contacts = fc.array(contact, { minLength: 1, maxLength: 8 });
const some = fc.array(fc.nat({ max: 5 }), { maxLength: 2 });
const oneToFour = { minLength: 1, maxLength: 4 };
const attempts: fc.Arbitrary<NightSettings> = fc.record(
	{
		continues: fc.boolean(),
		rejected: some,
		unanswered: some,
		killedAt: fc.integer({ min: 0, max: 60 }),
		isRetry: fc.boolean(),
		concurrency: fc.constantFrom(1, 100),
		options: fc.constantFrom({}, {}, { dryRun: true }),
	},
	{ requiredKeys: [] },
);

test('whatever ends a run, the next ones leave no gap and skip only what was confirmed', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.constantFrom('returned', 'conflict', 'ignored'),
			fc.array(fc.tuple(contacts, fc.array(attempts, oneToFour)), oneToFour),
			async (repeats, nights) => {
				const sync = new Nights(repeats);
				let repeated = 0;
				for (const [night, tries] of nights)
					for (const attempt of tries) {
						const outcome = await sync.run(night, attempt);
						if (!outcome) repeated += night.length;
						repeated += (attempt.unanswered?.length ?? 0) * night.length;
					}
				const last = nights[nights.length - 1][0];
				const outcome = await sync.run(last);
				expect(outcome?.error).toBeUndefined();
				expect(outcome?.output.map(originOf)).toEqual([...last.keys()]);
				expect(sync.lost).toEqual([]);
				const isStored = ({ idempotencyKey, alreadyStored }: IDataObject) =>
					alreadyStored === true || sync.stored.has(String(idempotencyKey));
				expect(outcome?.json.map(isStored)).toEqual(last.map(() => true));
				expect(sync.doubles).toBeLessThanOrEqual(repeats === 'ignored' ? repeated : 0);
			},
		),
		generated(60, 0.002),
	);
}, 300_000);

test('a long run that is killed repeats no more than one chunk', async () => {
	const sync = new Nights('ignored');
	expect(await sync.run(make(1_200), { killedAt: 2_300, concurrency: 10 })).toBeUndefined();
	expect(sync.sent.length).toBeGreaterThan(1_000);
	await sync.run(make(1_200));
	expect(sync.doubles).toBeGreaterThan(0);
	expect(sync.doubles).toBeLessThanOrEqual(1_000);
	expect(sync.stored.size).toBe(1_200);
	expect(sync.lost).toEqual([]);
});

// Both entries of a record are removed at once.
test('an overlapping run that is killed leaves no gap', async () => {
	const sync = new Nights();
	const killer = new AbortController();
	const removal = Promise.withResolvers<void>();
	let removals = 0;
	entries.onAccess = async (call) => {
		if (killer.signal.aborted) throw new Error('Killed');
		if (call !== 'removeProcessed' || ++removals > 1) return;
		removal.resolve();
		for (let turn = 0; turn < 30; turn++) await new Promise((resolve) => setImmediate(resolve));
	};
	const options = { ...nightlySync.options, ...requestLimits({ concurrency: 1, maxRetries: 0 }) };
	const run = { items: make(101), parameters: { ...nightlySync, options } };
	let posts = 0;
	await runAllOffline([run, { ...run, signal: killer.signal }], async (request, n) => {
		if (request.method === 'GET') {
			if (n > 0) await removal.promise;
			const items = [{ personId: 'prospect_1', tenantId: 'tenant_1' }];
			return { status: 200, body: { items, hasMore: false } };
		}
		posts++;
		if (posts === 1) return sandbox.answer(request);
		// The first run ends: the other 100 were not sent.
		if (posts === 2) return { status: 401, body: {} };
		// n8n is killed before the second run has sent anything.
		killer.abort();
		return await new Promise(() => undefined);
	});
	await sync.run(make(101));
	expect(sync.stored.size).toBe(101);
});

const [ofId, ofVersion] = ['={{ $json.id.toNumber() }}', '={{ $json.version }}'];

test.each([
	['Record ID', onlyNewOrChanged(ofId, { recordVersion: ofVersion })],
	['Record Version', onlyNewOrChanged(ofVersion, { recordVersion: ofId })],
])('an expression in %s that throws for the first item fails it alone', async (_, options) => {
	const sync = new Nights();
	const contacts = ['abc', '2', '3'].map((id) => ({ id, version: `v${id}` }));
	const outcome = await sync.run(contacts, { continues: true, options });
	expect(outcome?.json.map(({ error }) => error !== undefined)).toEqual([true, false, false]);
	expect(sync.sent).toEqual(['2', '3']);
});

test('beside an invalid item, nothing is sent', async () => {
	const sync = new Nights();
	const outcome = await sync.run([...make(1), { id: 'null', version: 'v1' }]);
	expect(outcome?.error?.description).toContain('Nothing was sent.');
	expect([sync.sent, sync.lookUps]).toEqual([[], 0]);
});

test('a node that remembers too much starts over, with the same keys', async () => {
	const sync = new Nights();
	await sync.run(make(2));
	const row = Object.keys(entries.content)[0];
	const many = Array.from({ length: 200_000 }, (_, i) => `entry ${i}`);
	entries.content = { [row]: JSON.stringify(many) };
	const told = await sync.run(make(2));
	expect(told?.hints.at(-1)).toContain('This node can remember 200,000 versions of records');
	expect(entries.size).toBe(0);
	await sync.run(make(2));
	expect(sync.sent).toEqual([0, 1, 0, 1, 0, 1]);
	expect(sync.stored.size).toBe(2);
	await sync.run(make(2));
	expect(sync.sent).toHaveLength(6);
});
