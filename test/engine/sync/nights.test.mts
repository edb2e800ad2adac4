import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { generated } from '../../generated.mts';
import { entries, originOf } from '../engine.mts';
import { Nights, type NightSettings, type SyncedContact } from './nights.mts';
import { detectBy } from '../../groups.mts';

const make = (count: number): SyncedContact[] =>
	Array.from({ length: count }, (_, id) => ({ id, version: 'v1' }));
const skipped = (json: IDataObject[] = []) =>
	json.filter(({ alreadyWritten }) => alreadyWritten === true);

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

const [underNewKeys, underTheSameKeys] = ['again, under new keys', 'again, under the same keys'];

test.each<[what: string, how: string, change: NightSettings, sent: number, stored: number]>([
	['another source', underNewKeys, { parameters: { source: 'erp' } }, 4, 4],
	['another type', underNewKeys, { parameters: { type: 'deal' } }, 4, 4],
	['another text in Start Over', underNewKeys, { startOver: 'again' }, 4, 4],
	['blanks around the text', 'only once', { startOver: ' first\n' }, 2, 2],
	['another API key of the same tenant', 'only once', { credential: { apiKey: 'rotated' } }, 2, 2],
	[
		'the API key of another tenant',
		underTheSameKeys,
		{ credential: { apiKey: 'rotated' }, tenant: { id: 'tenant_2' } },
		4,
		2,
	],
	['another URL', underTheSameKeys, { credential: { baseUrl: 'https://other.example.com' } }, 4, 2],
	['a copy of the node', underTheSameKeys, { settings: { id: '3' } }, 4, 2],
])('with %s, records are sent %s', async (_what, _how, change, sent, stored) => {
	const sync = new Nights();
	const startOver = 'first';
	await sync.run(make(2), { startOver });
	for (let night = 0; night < 2; night++) await sync.run(make(2), { startOver, ...change });
	expect(sync.sent).toHaveLength(sent);
	expect(sync.stored.size).toBe(stored);
});

describe('the tenant of an API key', () => {
	const rotated = { credential: { apiKey: 'rotated' } };

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
	['sent once where one follows the other', { concurrency: 1 }, [0], [false, true]],
	['sent once where both may go at once', { concurrency: 100 }, [0], [false, true]],
	[
		'sent twice where the first is refused',
		{ continues: true, rejected: [0] },
		[0, 0],
		[undefined, undefined],
	],
])('a record that two items hold is %s', async (_, settings, sent, written) => {
	const sync = new Nights();
	const [contact] = make(1);
	const { json } = (await sync.run([contact, contact], settings)) ?? {};
	expect(sync.sent).toEqual(sent);
	expect(json?.map(({ alreadyWritten }) => alreadyWritten)).toEqual(written);
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
	const contacts = [...make(3), ...make(1)];
	const outcome = await sync.run(contacts, {
		options: { dryRun: true },
		databaseFails: () => true,
	});
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
	test.each<[what: string, fails: (call: string) => boolean, sent: number]>([
		[
			'after the records were sent lets the next night send them',
			(call) => call === 'removeProcessed',
			4,
		],
		// As when two executions record the first entries at the same moment.
		['once is asked again', () => calls++ === 1, 2],
	])('%s', async (_, fails, sent) => {
		const sync = new Nights();
		await sync.run(make(2), { databaseFails: fails });
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
	const rotated = await sync.run(make(2), {
		continues: true,
		credential: { apiKey: 'rotated' },
		tenant: { id: 'tenant_2' },
	});
	expect(rotated?.json).toMatchObject(
		[0, 1].map((item) => ({
			error: `A conflicting record already exists (409) [item ${item}]`,
			details: { maybeDone: false },
		})),
	);
	await sync.run(make(2));
	expect(sync.sent).toHaveLength(6);
});

const contacts = fc
	// Without a version, the content decides.
	.array(fc.tuple(fc.integer({ min: 0, max: 5 }), fc.constantFrom('v1', 'v2', '')), {
		minLength: 1,
		maxLength: 8,
	})
	.map((all) => all.map(([id, version]): SyncedContact => ({ id, version })));
const some = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 2 });
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
			fc.constantFrom('returned' as const, 'conflict' as const, 'ignored' as const),
			fc.array(fc.tuple(contacts, fc.array(attempts, { minLength: 1, maxLength: 4 })), {
				minLength: 1,
				maxLength: 4,
			}),
			async (repeats, nights) => {
				const sync = new Nights(repeats);
				let repeated = 0;
				for (const [night, tries] of nights) {
					for (const attempt of tries) {
						const outcome = await sync.run(night, attempt);
						if (!outcome) repeated += night.length;
						repeated += (attempt.unanswered?.length ?? 0) * night.length;
					}
				}
				const last = nights[nights.length - 1][0];
				const outcome = await sync.run(last);
				expect(outcome?.error).toBeUndefined();
				expect(outcome?.output.map(originOf)).toEqual(last.map((_, item) => item));
				expect(sync.lost).toEqual([]);
				const keys = outcome?.json.map(({ idempotencyKey, alreadyStored }) =>
					alreadyStored ? 'stored' : sync.stored.has(String(idempotencyKey)) && 'stored',
				);
				expect(keys).toEqual(last.map(() => 'stored'));
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
