import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { RequestFailedError } from '../../../../nodes/api/failure.ts';
import { path } from '../../../../nodes/api/path.ts';
import { create } from '../../../../nodes/PageAudience/resources/personLog.ts';
import type { Run } from '../../../../nodes/PageAudience/run/open.ts';
import type { Plan, PreviewPlan, SendPlan } from '../../../../nodes/PageAudience/run/plan.ts';
import { usualOptions } from '../../../../nodes/PageAudience/operation/sharedParameters.ts';
import { Synced } from '../../../../nodes/PageAudience/run/synced/synced.ts';
import { runTasks } from '../../../../nodes/runtime/runTasks.ts';

/** A write without a key, of which a repeat creates another record. */
const makeWrite = (body: IDataObject, more: Partial<SendPlan> = {}): SendPlan => ({
	kind: 'send',
	operation: create as SendPlan['operation'],
	values: { options: usualOptions },
	request: { method: 'POST', path: path`/persons`, body },
	json: {},
	changes: [],
	replacesState: false,
	attempts: 0,
	...more,
});
const makePlan = (key: string): SendPlan => makeWrite({}, { synced: { key, output: { key } } });
const makeDry = (key: string): PreviewPlan => ({ ...makePlan(key), kind: 'preview' });

/** One that may be repeated, as with an idempotency key. */
const makeRepeatable = (body: IDataObject): SendPlan =>
	makeWrite(body, {
		request: { method: 'POST', path: path`/person_logs`, body, repeatable: true },
	});

const rejected = (maybeDone: boolean) =>
	new RequestFailedError({
		message: 'Rejected',
		description: [],
		details: { endpoint: '', attempts: 1, maybeDone, repeated: false },
	});
const cancelled = Object.assign(new Error('Cancelled'), { name: 'AbortError' });

interface Execution {
	mode?: 'manual' | 'retry';
	baseUrl?: string;
	apiKey?: string;
	hasCredential?: boolean;
	/** In place of a name for each item. */
	isTool?: boolean;
	/** What sending these items ends with. */
	errors?: Record<number, Error>;
	stopsAtFailure?: boolean;
	failsToStore?: boolean;
	/** In place of how many entries there are. */
	reportedCount?: number;
}

/** A node, with what n8n keeps for it from one execution to the next. */
function makeNode() {
	const entries = new Set<string>();

	/** @returns of each item whether it was sent, and what came of it */
	async function execute(plans: Plan[], settings: Execution = {}) {
		const { mode = 'manual', baseUrl = 'https://api.example.com', apiKey = 'key' } = settings;
		const { hasCredential = true, isTool = false, errors = {}, stopsAtFailure = false } = settings;
		const calls: string[] = [];
		const called = async (name: string, scope: string, options: object) => {
			calls.push(name);
			expect([scope, options]).toEqual(['node', { mode: 'entries' }]);
			if (settings.failsToStore) throw new Error('The database is locked');
			return await Promise.resolve();
		};
		const helpers: Partial<IExecuteFunctions['helpers']> = {
			checkProcessedAndRecord: async (items, scope, options) => {
				await called('record', scope, options);
				const known = items.filter((item) => entries.has(String(item)));
				for (const item of items) entries.add(String(item));
				return { new: items.filter((item) => !known.includes(item)), processed: known };
			},
			removeProcessed: async (items, scope, options) => {
				await called('remove', scope, options);
				for (const item of items) entries.delete(String(item));
			},
			clearAllProcessedItems: async (scope, options) => {
				await called('clear', scope, options);
				entries.clear();
			},
			getProcessedDataCount: async (scope, options) => {
				await called('count', scope, options);
				return settings.reportedCount ?? entries.size;
			},
		};
		const context: Partial<IExecuteFunctions> = {
			helpers: helpers as IExecuteFunctions['helpers'],
			getMode: () => mode,
			getWorkflow: () => ({ id: 'workflow', active: false }),
			getNode: () => ({ id: '1' }) as never,
			getCredentials: async <T,>() => {
				calls.push('credential');
				if (!hasCredential) throw new Error('No credential');
				return await Promise.resolve({ baseUrl, apiKey } as T);
			},
		};
		const run: Partial<Run> = {
			context: context as IExecuteFunctions,
			execution: {
				isTool,
				id: '1',
				runIndex: 0,
				makeKey: () => 'unused',
				nameWrite: (item) => (isTool ? undefined : `write ${item}`),
			},
		};
		const synced = await Synced.open(run as Run, plans);
		const chunks: string[][][] = [];
		const isGoingOn = () => !stopsAtFailure;
		const results = await synced.runInChunks(
			plans.map((plan, item) => ({
				locks: 'changes' in plan ? plan.changes : [],
				run: async () => {
					if (plan.kind === 'preview') return synced.isWritten(item) ? 'written' : 'to send';
					const skipped = synced.find(item);
					if (skipped) return skipped;
					const sent = synced.isDoubtful(item) ? 'sent, perhaps again' : 'sent';
					await new Promise(setImmediate);
					const error = errors[item];
					if (error) {
						synced.noteFailure(item, error);
						throw error;
					}
					synced.confirm(item);
					return sent;
				},
			})),
			async (chunk) => {
				chunks.push(chunk.map(({ locks }) => locks));
				return await runTasks(chunk, 4, isGoingOn);
			},
			(all) => stopsAtFailure && all.some(({ status }) => status === 'failed'),
		);
		return {
			outcomes: results.map((result) => {
				if (result.status === 'done') return result.value;
				return result.status === 'failed' ? result.error : result.status;
			}),
			calls,
			chunks,
			limits: synced.describeLimits(),
		};
	}

	return { entries, execute };
}

describe('a sync', () => {
	test('sends what no execution before has sent, and returns the output of the rest', async () => {
		const { entries, execute } = makeNode();
		const first = await execute(['a', 'b'].map(makePlan));
		expect(first.outcomes).toEqual(['sent', 'sent']);
		const second = await execute(['c', 'a', 'b'].map(makePlan));
		expect(second.outcomes).toEqual(['sent', [{ key: 'a' }], [{ key: 'b' }]]);
		expect(second.limits).toEqual([]);
		// Each looks up its records, and takes those out of doubt that were written, in one call for all of them.
		expect([first, second].map(({ calls }) => calls)).toEqual([
			['credential', 'count', 'record', 'remove', 'count'],
			['credential', 'count', 'record', 'remove', 'remove', 'count'],
		]);
		// Neither a key nor the account is stored in clear text, and nothing is in doubt.
		expect([...entries]).toEqual([0, 1, 2].map((): unknown => expect.stringMatching(/^\w{64}$/)));
	});

	test('sends a record of two items once, and lets those that are skipped wait for nobody', async () => {
		const { execute } = makeNode();
		const plans = ['a', 'b', 'a'].map((key) => ({ ...makePlan(key), changes: [`person ${key}`] }));
		const first = await execute(plans);
		expect(first.outcomes).toEqual(['sent', 'sent', [{ key: 'a' }]]);
		const [[a, b, again]] = first.chunks;
		expect(a).toEqual(['person a', expect.stringMatching(/^record \w+$/)]);
		expect(b).toEqual(['person b', expect.stringMatching(/^record \w+$/)]);
		expect(again).toEqual(a);
		expect(b[1]).not.toBe(a[1]);
		const second = await execute(plans);
		expect(second.chunks).toEqual([[[], [], []]]);
	});

	test.each<[what: string, other: Execution]>([
		['API key', { apiKey: 'other' }],
		['service', { baseUrl: 'https://other.example.com' }],
	])('sends the records of another %s', async (_, other) => {
		const { execute } = makeNode();
		await execute([makePlan('a'), makePlan('b')]);
		const { outcomes } = await execute([makePlan('a'), makePlan('b')], other);
		expect(outcomes).toEqual(['sent', 'sent']);
	});

	test.each<[what: string, error: Error, inThisRun: string, inTheNext: string]>([
		['was rejected', rejected(false), 'sent', 'sent'],
		['may have arrived', rejected(true), 'sent, perhaps again', 'sent, perhaps again'],
		['was cancelled', cancelled, 'sent, perhaps again', 'sent, perhaps again'],
		['failed in the node', new TypeError('No'), 'sent', 'sent, perhaps again'],
	])('sends a record again that %s', async (_, error, inThisRun, inTheNext) => {
		const twice = makeNode();
		const { outcomes } = await twice.execute([makePlan('a'), makePlan('a')], {
			errors: { 0: error },
		});
		expect(outcomes).toEqual([error, inThisRun]);
		const { entries, execute } = makeNode();
		await execute([makePlan('a'), makePlan('b')], { errors: { 0: error } });
		expect(entries.size).toBe(inTheNext === 'sent' ? 1 : 3);
		expect((await execute([makePlan('a'), makePlan('b')])).outcomes).toEqual([
			inTheNext,
			[{ key: 'b' }],
		]);
	});

	test('stores nothing of the items after a failure that ends the run', async () => {
		const { entries, execute } = makeNode();
		const plans = Array.from({ length: 600 }, (_, i) => makePlan(`record ${i}`));
		const { outcomes, chunks } = await execute(plans, {
			errors: { 2: rejected(false) },
			stopsAtFailure: true,
		});
		const sent = outcomes.filter((outcome) => outcome === 'sent');
		expect(chunks).toHaveLength(1);
		expect(outcomes).toEqual([
			...['sent', 'sent', rejected(false)],
			...sent.slice(2),
			...Array<string>(597 - sent.length + 2).fill('not started'),
		]);
		expect(entries.size).toBe(sent.length);
	});

	test.each([
		[600, [250, 250, 100]],
		[6_500, Array<number>(25).fill(260)],
	])('of %i records is stored in parts', async (total, sizes) => {
		const { execute } = makeNode();
		const { chunks } = await execute(
			Array.from({ length: total }, (_, i) => makePlan(`record ${i}`)),
		);
		expect(chunks.map(({ length }) => length)).toEqual(sizes);
	});

	test('sends all without a credential that can be read, which then fails each of them', async () => {
		const { execute } = makeNode();
		const { outcomes, calls, chunks } = await execute(Array<Plan>(300).fill(makePlan('a')), {
			hasCredential: false,
		});
		expect(outcomes).toEqual(Array<string>(300).fill('sent'));
		expect(chunks).toEqual([Array<string[]>(300).fill([])]);
		expect(calls).toEqual(['credential']);
	});

	test('sends all while n8n cannot look them up, and says so', async () => {
		const { execute } = makeNode();
		await execute([makePlan('a'), makePlan('b')]);
		const { outcomes, limits } = await execute([makePlan('a'), makePlan('b')], {
			failsToStore: true,
		});
		expect(outcomes).toEqual(['sent', 'sent']);
		expect(limits).toEqual([
			'n8n failed to look up or remember some records, so they are sent again with the same keys: Error: The database is locked',
		]);
	});

	test('forgets older records in a full store only after it has reached all of its own', async () => {
		const plans = Array.from({ length: 25_000 }, (_, i) => makePlan(`record ${i}`));
		const settings = { reportedCount: 130_000, stopsAtFailure: true };
		const whole = await makeNode().execute(plans, settings);
		const partial = await makeNode().execute([...plans, makePlan('last')], {
			...settings,
			errors: { 25_000: rejected(false) },
		});
		expect([whole, partial].map(({ calls }) => calls.includes('clear'))).toEqual([true, false]);
	});

	test('of more records than n8n can remember sends each of them once and says so', async () => {
		const plans = Array.from({ length: 100_002 }, (_, i) => makePlan(`record ${i % 100_001}`));
		const invalid: Plan = { kind: 'withheld', error: new Error('Source is required') };
		const { outcomes, calls, limits } = await makeNode().execute([invalid, ...plans]);
		// The invalid item has nothing that could be skipped.
		expect(outcomes.filter((outcome) => outcome === 'sent')).toHaveLength(100_002);
		expect(outcomes.at(-1)).toEqual([{ key: 'record 0' }]);
		expect(calls).toEqual(['credential']);
		expect(limits).toEqual([
			'All 100,001 records are sent, with their keys: n8n can remember 100,000 of them for a node. To send only what changed, split the items between several nodes.',
		]);
	});
});

describe('a dry run', () => {
	test('shows what a run would send, and stores nothing', async () => {
		const { entries, execute } = makeNode();
		const dry = ['a', 'b', 'a'].map(makeDry);
		expect((await execute(dry)).outcomes).toEqual(['to send', 'to send', 'written']);
		expect(entries.size).toBe(0);
		await execute([makePlan('a')]);
		const before = [...entries];
		expect((await execute(dry)).outcomes).toEqual(['written', 'to send', 'written']);
		expect([...entries]).toEqual(before);
	});

	test('of some items stores those that are sent', async () => {
		const { entries, execute } = makeNode();
		const { outcomes, calls } = await execute([makeDry('a'), makePlan('b')]);
		expect(outcomes).toEqual(['to send', 'sent']);
		expect(calls).toEqual(['credential', 'count', 'record', 'record', 'remove', 'remove', 'count']);
		expect(entries.size).toBe(1);
		expect((await execute([makePlan('a'), makePlan('b')])).outcomes).toEqual([
			'sent',
			[{ key: 'b' }],
		]);
	});

	test('that ends early leaves a record in doubt that was so before', async () => {
		const { entries, execute } = makeNode();
		await execute([makePlan('a')], { errors: { 0: cancelled } });
		const before = [...entries];
		const failing = Array.from({ length: 4 }, () => makeWrite({}));
		const { outcomes } = await execute([...failing, makeDry('a')], {
			errors: { 0: cancelled, 1: cancelled, 2: cancelled, 3: cancelled },
			stopsAtFailure: true,
		});
		expect(outcomes).toEqual([...Array<Error>(4).fill(cancelled), 'not started']);
		expect([...entries]).toEqual(before);
	});

	test('of writes that no sync remembers asks nobody', async () => {
		const { synced: _, ...dry } = makeDry('a');
		const { outcomes, calls } = await makeNode().execute([dry, dry]);
		expect(outcomes).toEqual(['to send', 'to send']);
		expect(calls).toEqual([]);
	});
});

describe('a Retry', () => {
	const retry = { mode: 'retry' as const };
	const refusal = (store = '') => ({
		message: `Not sent: another Retry of this execution may have written it${store}`,
		description:
			'n8n starts each Retry from the execution that it retries. Retry the latest execution instead, or check in the service whether the record exists and run the workflow again with this item only.',
		details: { maybeDone: true },
	});
	const read = (outcomes: unknown[]) =>
		outcomes.map((outcome) => {
			if (!(outcome instanceof Error)) return outcome;
			const { message, description, details } = outcome as Error & Record<string, unknown>;
			return { message, description, details };
		});

	test.each<[what: string, errors: Record<number, Error>]>([
		['has sent', {}],
		['may have sent', { 0: rejected(true), 1: cancelled }],
	])('does not send again what another Retry %s', async (_, errors) => {
		const { execute } = makeNode();
		const writes = [makeWrite({ name: 'Ada' }), makeWrite({ name: 'Bea' })];
		await execute(writes, { ...retry, errors });
		const { outcomes, limits } = await execute([...writes, makeWrite({ name: 'Cem' })], retry);
		expect(read(outcomes)).toEqual([refusal(), refusal(), 'sent']);
		expect(limits).toEqual([]);
	});

	test('sends what another Retry saw rejected', async () => {
		const { entries, execute } = makeNode();
		await execute([makeWrite({ name: '' }), makeWrite({})], {
			...retry,
			errors: { 0: rejected(false), 1: rejected(false) },
		});
		expect(entries.size).toBe(0);
		const { outcomes } = await execute([makeWrite({ name: 'Ada' }), makeWrite({})], retry);
		expect(outcomes).toEqual(['sent', 'sent']);
	});

	test('sends with its key what another Retry has sent, unless it has another content now', async () => {
		const { entries, execute } = makeNode();
		await execute([makeRepeatable({ source: 'a' }), makeRepeatable({ source: 'b' })], retry);
		const before = [...entries];
		const { outcomes } = await execute(
			[makeRepeatable({ source: 'a' }), makeRepeatable({ source: 'other' })],
			retry,
		);
		expect(read(outcomes)).toEqual(['sent, perhaps again', refusal()]);
		expect([...entries]).toEqual(before);
	});

	test('does not send what n8n cannot look up, unless a repeat does no harm', async () => {
		const { execute } = makeNode();
		const { outcomes, limits } = await execute([makeWrite({}), makeRepeatable({ source: 'a' })], {
			...retry,
			failsToStore: true,
		});
		expect(read(outcomes)).toEqual([
			refusal('. n8n could not look it up: Error: The database is locked'),
			'sent',
		]);
		expect(limits).toEqual([]);
	});

	test('skips the records of a sync as any execution does', async () => {
		const { execute } = makeNode();
		await execute([makePlan('a'), makePlan('b')]);
		const { outcomes } = await execute([makePlan('a'), makePlan('c')], retry);
		expect(outcomes).toEqual([[{ key: 'a' }], 'sent']);
	});

	test.each<[what: string, first: Execution, second: Execution, expected: unknown]>([
		['with a new API key', retry, { ...retry, apiKey: 'new' }, refusal()],
		['at another service', retry, { ...retry, baseUrl: 'https://other.example.com' }, 'sent'],
		['after an execution that is none', {}, retry, 'sent'],
		['in an execution that is none', retry, {}, 'sent'],
		[
			'of a tool, whose items have no names',
			{ ...retry, isTool: true },
			{ ...retry, isTool: true },
			'sent',
		],
	])('recognizes a write %s as another or the same', async (_, first, second, expected) => {
		const { execute } = makeNode();
		const writes = [makeWrite({ name: 'Ada' }), makeWrite({ name: 'Bea' })];
		await execute(writes, first);
		expect(read((await execute(writes, second)).outcomes)).toEqual([expected, expected]);
	});

	test.each<[what: string, write: SendPlan]>([
		['replaces what was written', makeWrite({ name: 'Ada' }, { replacesState: true })],
		['had an attempt before', makeWrite({ name: 'Ada' }, { attempts: 1 })],
		[
			'goes to another endpoint',
			makeWrite({}, { request: { method: 'POST', path: path`/accounts`, body: {} } }),
		],
	])('sends a write that %s', async (_, write) => {
		const { execute } = makeNode();
		await execute([makeWrite({ name: 'Ada' })], retry);
		expect((await execute([write], retry)).outcomes).toEqual(['sent']);
	});
});
