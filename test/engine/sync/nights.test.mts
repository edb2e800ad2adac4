import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { generated } from '../../generated.mts';
import { beforeRead, entries, originOf } from '../engine.mts';
import { type Attempt, type Contact, Nights } from './nights.mts';

const make = (count: number, version = 'v1'): Contact[] =>
	Array.from({ length: count }, (_, id) => ({ id, version }));
const skipped = (output: IDataObject[] = []) =>
	output.filter(({ alreadyWritten }) => alreadyWritten === true);

describe('a second night', () => {
	test('sends nothing of what is unchanged, and returns each record linked to its item', async () => {
		const sync = new Nights();
		const first = await sync.run(make(3));
		expect(sync.sent).toEqual([0, 1, 2]);
		sync.sent = [];
		const second = await sync.run(make(3));
		expect(sync.sent).toEqual([]);
		expect(second?.output.map(originOf)).toEqual([0, 1, 2]);
		expect(second?.json).toEqual(
			[0, 1, 2].map((id) => ({
				recordId: String(id),
				source: 'crm',
				type: 'contact',
				idempotencyKey: first?.json[id].idempotencyKey,
				alreadyWritten: true,
			})),
		);
		expect(first?.hints).toEqual(['3 written']);
		expect(second?.hints).toEqual(['3 skipped']);
	});

	test('sends what is new or changed', async () => {
		const sync = new Nights();
		await sync.run(make(3));
		sync.sent = [];
		const contacts = make(4);
		contacts[1].version = 'v2';
		const { hints } = (await sync.run(contacts)) ?? {};
		expect(sync.sent).toEqual([1, 3]);
		expect(hints).toEqual(['2 written, 2 skipped']);
	});

	test('does not start over for blanks around the same text', async () => {
		const sync = new Nights();
		await sync.run(make(2), { options: { startOver: 'again' } });
		await sync.run(make(2), { options: { startOver: ' again\n' } });
		expect(sync.sent).toEqual([0, 1]);
	});

	test('resends what failed, with the same key', async () => {
		const sync = new Nights();
		const faults = { continues: true, rejected: [0], unanswered: [2] };
		const first = await sync.run(make(4), faults);
		expect(first?.json.map(({ error }) => error !== undefined)).toEqual([true, false, true, false]);
		sync.sent = [];
		const second = await sync.run(make(4));
		expect(sync.sent).toEqual([0, 2]);
		expect(sync.stored.size).toBe(4);
		expect(second?.hints).toEqual(['2 written, 2 skipped']);
	});

	test.each([
		['another source', { source: 'erp' }, {}],
		['another type', { type: 'deal' }, {}],
		['another text in Start Over', {}, { startOver: 'again' }],
	])('sends the same records for %s', async (_, parameters, options) => {
		const sync = new Nights();
		await sync.run(make(2));
		await sync.run(make(2), { parameters, options });
		expect(sync.sent).toEqual([0, 1, 0, 1]);
		expect(sync.stored.size).toBe(4);
	});

	test.each([
		['another API key', { apiKey: 'rotated' }],
		['another Base URL', { baseUrl: 'https://other.example.com' }],
	])('sends everything once more with the same keys for %s', async (_, credential) => {
		const sync = new Nights();
		await sync.run(make(2));
		await sync.run(make(2), { credential });
		expect(sync.sent).toEqual([0, 1, 0, 1]);
		expect(sync.stored.size).toBe(2);
		await sync.run(make(2), { credential });
		expect(sync.sent).toHaveLength(4);
	});

	test('of a copied node sends everything with the same keys', async () => {
		const sync = new Nights();
		await sync.run(make(2));
		await sync.run(make(2), { more: { settings: { id: '3' } } });
		expect(sync.sent).toEqual([0, 1, 0, 1]);
		expect(sync.stored.size).toBe(2);
	});
});

describe('without a Record Version, the content decides', () => {
	const write = async (sync: Nights, stage: string) =>
		await sync.run([{ id: 7, version: '', stage }]);

	test('so a record that returns to earlier content counts as written', async () => {
		const sync = new Nights();
		await write(sync, 'lead');
		await write(sync, 'won');
		expect(sync.sent).toHaveLength(2);
		const { json } = (await write(sync, 'lead')) ?? {};
		expect(skipped(json)).toHaveLength(1);
		expect(sync.sent).toHaveLength(2);
	});

	test('and with one, the content does not', async () => {
		const sync = new Nights();
		const contact = (stage: string) => ({ ...make(1)[0], stage });
		await sync.run([contact('lead')]);
		await sync.run([contact('won')]);
		expect(sync.sent).toEqual([0]);
	});
});

describe('a record with a Record Version', () => {
	test('has each of its parameters read once, because an expression such as $now differs each time', async () => {
		const sync = new Nights();
		const reads: string[][] = [];
		const handOver = beforeRead((name, item) => void (reads[item] ??= []).push(name));
		// No simple expression, which the node would read itself.
		const parameters = { recordVersion: '={{ $json.version + "" }}' };
		await sync.run(make(2), { parameters, more: { handOver } });
		expect(reads).toHaveLength(2);
		for (const names of reads) expect(names).toEqual([...new Set(names)]);
		sync.sent = [];
		await sync.run(make(2));
		expect(sync.sent).toEqual([]);
	});

	test('stops a run by what is invalid in it, even where it was written before, and nothing is remembered', async () => {
		const sync = new Nights();
		const parameters = { person: { email: '={{ $json.email }}' } };
		const contacts = make(3).map((each) => ({ ...each, email: `${each.id}@x.example` }));
		await sync.run(contacts.slice(0, 2), { parameters });
		const { size } = entries;
		sync.sent = [];
		contacts[1].email = ' ';
		const outcome = await sync.run(contacts, { parameters });
		expect(outcome?.error?.message).toContain('[item 1]');
		expect(sync.sent).toEqual([]);
		expect(entries.size).toBe(size);
	});

	test('beside others whose content decides, is skipped like them', async () => {
		const sync = new Nights();
		const contacts = make(4);
		contacts[1].version = contacts[3].version = '';
		await sync.run(contacts);
		sync.sent = [];
		const { hints, output } = (await sync.run(contacts)) ?? {};
		expect(sync.sent).toEqual([]);
		expect(output?.map(originOf)).toEqual([0, 1, 2, 3]);
		expect(hints).toEqual(['4 skipped']);
	});
});

test.each([1, 100])(
	'of two items with one record the second is skipped (concurrency %i)',
	async (concurrency) => {
		const sync = new Nights();
		const [contact] = make(1);
		const { json } = (await sync.run([contact, contact], { concurrency })) ?? {};
		expect(sync.sent).toEqual([0]);
		expect(json?.map(({ alreadyWritten }) => alreadyWritten)).toEqual([false, true]);
		expect(json?.map(({ recordId }) => recordId)).toEqual(['0', '0']);
	},
);

test('of two items with one record the second is sent when the first fails', async () => {
	const sync = new Nights();
	const [contact] = make(1);
	await sync.run([contact, contact], { continues: true, rejected: [0] });
	expect(sync.sent).toEqual([0, 0]);
});

test.each([
	['has no Record ID', ' ', 'Record ID is required'],
	['has a Record ID that is no text', ['a'], 'Record ID must be text'],
])('refuses an item that %s', async (_, id, message) => {
	const sync = new Nights();
	const contacts = [...make(1), { id, version: 'v1' }];
	const { error } = (await sync.run(contacts)) ?? {};
	expect(error?.message).toContain(message);
	expect(sync.sent).toEqual([]);
	expect(entries.size).toBe(0);
});

describe('a dry run', () => {
	const dry = { options: { dryRun: true } };

	test('shows every record, says so, and leaves no trace', async () => {
		const sync = new Nights();
		await sync.run(make(1));
		const { size } = entries;
		const onAccess = () => {
			throw new Error('not asked');
		};
		const outcome = await sync.run(make(3), { ...dry, onAccess });
		expect(sync.sent).toEqual([0]);
		expect(entries.size).toBe(size);
		expect(outcome?.contextData).toEqual({ 'node:Page Audience': { writes: {} } });
		expect(outcome?.json).toMatchObject(
			[0, 1, 2].map((id) => ({
				dryRun: true,
				request: { method: 'POST', path: '/v0/person_logs', body: { payload: { id } } },
			})),
		);
		expect(outcome?.hints).toEqual([
			'Dry run, nothing was changed: 3 would be written',
			'A dry run does not look up what earlier runs have written',
		]);
	});
});

test('Retry On Fail and Retry return what was written before', async () => {
	const sync = new Nights();
	const first = await sync.run(make(3), { rejected: [1] });
	expect(first?.error?.message).toContain('1 of 3 items were written');
	const second = await sync.run(make(3), { isRetry: true });
	expect(sync.sent).toEqual([0, 1, 1, 2]);
	expect(second?.json.map(({ personLogId }) => typeof personLogId)).toEqual(
		Array(3).fill('string'),
	);
	await sync.run(make(3));
	expect(sync.sent).toHaveLength(4);
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
	const failWith = (fails: (call: string) => boolean): Attempt => ({
		onAccess: (call) => {
			if (fails(call)) throw new Error('SQLITE_BUSY: database is locked');
		},
	});

	test('skips nothing, is told, and leaves what was written before as it was', async () => {
		const sync = new Nights();
		await sync.run(make(2));
		const { hints } =
			(await sync.run(
				make(3),
				failWith(() => true),
			)) ?? {};
		expect(sync.sent).toEqual([0, 1, 0, 1, 2]);
		expect(hints).toEqual([
			'3 written',
			'n8n failed to look up or remember some records, so they are resent with the same keys: Error: SQLITE_BUSY: database is locked',
		]);
		const again = await sync.run(make(3));
		expect(skipped(again?.json)).toHaveLength(2);
		expect(sync.stored.size).toBe(3);
	});

	test('after the records were sent lets the next run send them again', async () => {
		const sync = new Nights();
		await sync.run(
			make(2),
			failWith((call) => call === 'removeProcessed'),
		);
		await sync.run(make(2));
		expect(sync.sent).toEqual([0, 1, 0, 1]);
		await sync.run(make(2));
		expect(sync.sent).toHaveLength(4);
	});

	test('once, as when two executions record the first entries at the same moment, is asked again', async () => {
		const sync = new Nights();
		let calls = 0;
		const { hints } =
			(await sync.run(
				make(2),
				failWith(() => calls++ === 1),
			)) ?? {};
		expect(hints).toEqual(['2 written']);
		await sync.run(make(2));
		expect(sync.sent).toEqual([0, 1]);
	});
});

test('a credential that cannot be used fails each item and looks nothing up', async () => {
	const sync = new Nights();
	const outcome = await sync.run(make(2), { continues: true, credential: { baseUrl: 'no URL' } });
	expect(outcome?.json.every(({ error }) => error !== undefined)).toBe(true);
	expect(entries.size).toBe(0);
});

test('an AI tool sends every call', async () => {
	const sync = new Nights();
	const parameters = { payloadMode: 'json', payload: '{"id":0}' };
	for (let call = 0; call < 2; call++)
		await sync.run(make(1), { parameters, more: { asTool: true } });
	expect(sync.sent).toHaveLength(2);
	expect(entries.size).toBe(0);
});

test('batches of a loop skip their own records', async () => {
	const sync = new Nights('ignored');
	const batches = [make(4).slice(0, 2), make(4).slice(2)];
	for (let night = 0; night < 3; night++) {
		for (const batch of batches) await sync.run(batch);
	}
	expect(sync.sent).toEqual([0, 1, 2, 3]);
});

describe('a service that refuses a repeated key with 409', () => {
	test('has stored a record whose response was lost the night before', async () => {
		const sync = new Nights('conflict');
		await sync.run(make(2), { unanswered: [0, 1], continues: true });
		const next = await sync.run(make(2));
		expect(next?.json).toMatchObject(Array(2).fill({ source: 'crm', alreadyStored: true }));
		await sync.run(make(2));
		expect(sync.sent).toHaveLength(4);
	});

	test('fails the records that were sent with another API key', async () => {
		const sync = new Nights('conflict');
		await sync.run(make(2));
		for (let night = 0; night < 2; night++) {
			const rotated = await sync.run(make(2), {
				continues: true,
				credential: { apiKey: 'rotated' },
			});
			expect(rotated?.json).toMatchObject(
				[0, 1].map((item) => ({
					error: `A conflicting record already exists (409) [item ${item}]`,
					details: {
						description: expect.stringMatching(
							/^The service said: "[^"]*"\. Look for a record with the same values\.$/,
						) as string,
						maybeDone: false,
					},
				})),
			);
		}
		expect(sync.sent).toHaveLength(6);
	});
});

test('a record that is refused leaves nothing behind, and is sent again', async () => {
	const sync = new Nights();
	for (let night = 0; night < 3; night++)
		await sync.run(make(2), { rejected: [0, 1], continues: true });
	expect(sync.sent).toHaveLength(6);
	expect(entries.size).toBe(0);
});

test('records that were not reached leave nothing behind', async () => {
	const sync = new Nights();
	// More than are looked up together.
	await sync.run(make(300), { rejected: [1] });
	expect(sync.sent).toEqual([0, 1]);
	expect(entries.size).toBe(1);
});

const contacts = fc
	// Without a version, the content decides.
	.array(fc.tuple(fc.integer({ min: 0, max: 5 }), fc.constantFrom('v1', 'v2', '')), {
		minLength: 1,
		maxLength: 8,
	})
	.map((all) => all.map(([id, version]): Contact => ({ id, version })));
const some = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 2 });
const attempts: fc.Arbitrary<Attempt> = fc.record(
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

test('a run of 2,400 records that is killed ten times repeats one chunk for each kill at most', async () => {
	const sync = new Nights('ignored');
	const total = 2_400;
	for (let kill = 1; kill <= 10; kill++) {
		const outcome = await sync.run(make(total), { killedAt: kill * 500, concurrency: 10 });
		if (!outcome) expect(sync.doubles).toBeLessThanOrEqual(1_000 * kill);
	}
	const last = await sync.run(make(total));
	expect(last?.json).toHaveLength(total);
	expect(sync.stored.size).toBe(total);
	expect(sync.lost).toEqual([]);
	sync.sent = [];
	await sync.run(make(total));
	expect(sync.sent).toEqual([]);
}, 300_000);

test('a node that remembers too much starts over, with the same keys', async () => {
	const sync = new Nights();
	await sync.run(make(2));
	const row = Object.keys(entries.content)[0];
	const many = Array.from({ length: 200_000 }, (_, i) => `entry ${i}`);
	entries.content = { [row]: JSON.stringify(many) };
	const told = await sync.run(make(2));
	expect(told?.hints.at(-1)).toContain(
		'This node remembered more than 200,000 versions of records',
	);
	expect(entries.size).toBe(0);
	await sync.run(make(2));
	expect(sync.sent).toEqual([0, 1, 0, 1, 0, 1]);
	expect(sync.stored.size).toBe(2);
	await sync.run(make(2));
	expect(sync.sent).toHaveLength(6);
});
