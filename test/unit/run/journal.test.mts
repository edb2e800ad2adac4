import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { RequestFailedError } from '../../../nodes/api/failure.ts';
import { path } from '../../../nodes/api/path.ts';
import type { ApiRequest } from '../../../nodes/api/request.ts';
import { UnexpectedResponseError } from '../../../nodes/api/response.ts';
import type { Execution } from '../../../nodes/PageAudience/run/execution.ts';
import type {
	EnsurePlan,
	Plan,
	SendPlan,
	WritingPlan,
} from '../../../nodes/PageAudience/run/plan.ts';
import { replacesState } from '../../../nodes/PageAudience/run/planItems.ts';
import { upsert } from '../../../nodes/PageAudience/resources/account.ts';
import { create } from '../../../nodes/PageAudience/resources/person.ts';
import { usualOptions } from '../../../nodes/PageAudience/operation/sharedParameters.ts';
import { InDoubtError, Journal, SupersededError } from '../../../nodes/PageAudience/run/journal.ts';
import { respond } from '../api/responding.mts';

/** The data of one execution, which n8n keeps for its Retry. */
function makeExecution() {
	const stored: IDataObject = {};
	const context: Pick<IExecuteFunctions, 'getContext'> = { getContext: () => stored };
	return {
		stored,
		/** The node runs again in this execution, or in a Retry of it. */
		runAgain: (more: Partial<Execution> = {}, operation = 'person.create') =>
			new Journal(
				context,
				{
					isTool: false,
					id: '1',
					runIndex: 0,
					makeKey: () => 'unused',
					nameWrite: () => undefined,
					...more,
				},
				operation,
			),
	};
}

let made = 0;
beforeEach(() => (made = 0));

/** A plan as planItems makes it; a key that the node makes differs each time. */
function plan(
	request: Omit<ApiRequest, 'body'> & { body?: IDataObject },
	withKey = false,
): SendPlan {
	const madeKey = withKey ? `key-${++made}` : undefined;
	const body = withKey ? { ...request.body, idempotencyKey: madeKey } : request.body;
	return {
		kind: 'send',
		operation: create as SendPlan['operation'],
		values: { options: usualOptions },
		request: { ...request, body },
		json: {},
		madeKey,
		changes: [],
		replacesState: replacesState({ ...request, body }),
		attempts: 0,
	};
}

type Send = (request: ApiRequest, mayBeDone: boolean) => Promise<IDataObject[]>;

/** The node runs with these plans, in order, and sends what is not done. */
async function runAll(journal: Journal, plans: Plan[], account: string, send: Send) {
	const results: Array<IDataObject[] | Error> = [];
	const where = { identity: account, baseUrl: `https://${account}` };
	const recalled = await journal.recall(plans, async () => await Promise.resolve(where));
	for (const [item, now] of recalled.entries()) {
		if (now.kind === 'withheld') results.push(now.error);
		if (now.kind === 'done') results.push(now.records);
		if (now.kind !== 'send') continue;
		const { request, mayBeDone = false } = now;
		const sending = journal.note(now, item, where, async () => await send(request, mayBeDone));
		results.push(await sending.catch((error: Error) => error));
	}
	return results;
}

/** As runAll, for one item. */
async function once(journal: Journal, item: number, write: SendPlan, account: string, send: Send) {
	const others = Array<Plan>(item).fill({ kind: 'withheld', error: new Error('another item') });
	const result = (await runAll(journal, [...others, write], account, send)).at(-1);
	if (result instanceof Error) throw result;
	return result;
}

const createPerson = (name: string) =>
	plan({ method: 'POST', path: path`/persons`, body: { name } });
const createLog = (source: string) =>
	plan({ method: 'POST', path: path`/person_logs`, body: { source }, repeatable: true }, true);

const failed = (status: number, maybeDone: boolean) =>
	new RequestFailedError({
		message: String(status),
		description: [],
		details: { status, endpoint: '', attempts: 1, maybeDone, repeated: false },
	});

/** Sends by a script, and keeps what was sent. */
function sender(...script: Array<IDataObject | Error>) {
	const sent: Array<{ body: unknown; mayBeDone: boolean }> = [];
	return {
		sent,
		send: async ({ body }: ApiRequest, mayBeDone: boolean) => {
			const reply = script[Math.min(sent.length, script.length - 1)];
			sent.push({ body, mayBeDone });
			if (reply instanceof Error) throw reply;
			return await Promise.resolve([reply]);
		},
	};
}

test('returns what was written again, and does not send it', async () => {
	const { runAgain } = makeExecution();
	const { sent, send } = sender({ personId: 'p1' });
	for (let i = 0; i < 3; i++)
		expect(await once(runAgain(), 0, createPerson('Ada'), 'a', send)).toEqual([{ personId: 'p1' }]);
	expect(sent).toHaveLength(1);
});

test.each<
	[what: string, item: number, account: string, more: Partial<Execution>, operation: string]
>([
	['another item', 1, 'a', {}, 'person.create'],
	['another service', 0, 'b', {}, 'person.create'],
	['another run of the node', 0, 'a', { runIndex: 1 }, 'person.create'],
	['another operation', 0, 'a', {}, 'account.create'],
])('sends %s', async (_, item, account, more, operation) => {
	const { runAgain } = makeExecution();
	const { sent, send } = sender({});
	await once(runAgain(), 0, createPerson('Ada'), 'a', send);
	await once(runAgain(more, operation), item, createPerson('Ada'), account, send);
	expect(sent).toHaveLength(2);
});

test('does not create again when the values are other ones', async () => {
	const { runAgain } = makeExecution();
	const { sent, send } = sender({ personId: 'p1' });
	await once(runAgain(), 0, createPerson('Ada at 9:00'), 'a', send);
	for (const id of ['1', '2', '3'])
		expect(await once(runAgain({ id }), 0, createPerson(`Ada at ${id}`), 'a', send)).toEqual([
			{ personId: 'p1' },
		]);
	expect(sent).toHaveLength(1);
});

describe('a write in doubt', () => {
	const doubts: Array<[string, Error]> = [
		['after a 500', failed(500, true)],
		[
			'after a web page with status 200',
			new UnexpectedResponseError(
				'a record',
				respond({ request: createPerson('Ada').request, body: '<html>' }),
			),
		],
	];

	test.each(doubts)('%s is not resent by Retry On Fail', async (_, error) => {
		const { runAgain } = makeExecution();
		const { sent, send } = sender(error, { personId: 'p1' });
		await expect(once(runAgain(), 0, createPerson('Ada'), 'a', send)).rejects.toBe(error);
		for (let i = 0; i < 3; i++)
			await expect(once(runAgain(), 0, createPerson('Ada'), 'a', send)).rejects.toThrow(
				InDoubtError,
			);
		expect(sent).toHaveLength(1);
		await expect(once(runAgain(), 0, createPerson('Ada'), 'a', send)).rejects.toMatchObject({
			message: 'Not resent: an earlier attempt got no response and may have succeeded',
			description:
				'Check in the service whether it exists. To send it anyway, retry the execution from the list of executions.',
			details: { maybeDone: true, status: error instanceof RequestFailedError ? 500 : 200 },
		});
	});

	test.each(doubts)('%s is sent when a person retries the execution', async (_, error) => {
		const { runAgain } = makeExecution();
		const { sent, send } = sender(error, { personId: 'p1' });
		await expect(once(runAgain(), 0, createPerson('Ada'), 'a', send)).rejects.toBe(error);
		await once(runAgain({ id: '2' }), 0, createPerson('Ada'), 'a', send);
		expect(sent).toEqual([
			{ body: { name: 'Ada' }, mayBeDone: false },
			{ body: { name: 'Ada' }, mayBeDone: true },
		]);
	});

	test('stays in doubt when it is refused later', async () => {
		const { runAgain } = makeExecution();
		const { sent, send } = sender(failed(500, true), failed(422, false), {});
		await expect(once(runAgain(), 0, createLog('crm'), 'a', send)).rejects.toThrow('500');
		await expect(once(runAgain(), 0, createLog('crm'), 'a', send)).rejects.toThrow('422');
		await once(runAgain(), 0, createLog('crm'), 'a', send);
		expect(sent.map(({ mayBeDone }) => mayBeDone)).toEqual([false, true, true]);
	});
});

test('resends what was refused, as something that was not done', async () => {
	const { runAgain } = makeExecution();
	const { sent, send } = sender(failed(422, false), { personId: 'p1' });
	await expect(once(runAgain(), 0, createPerson('Ada'), 'a', send)).rejects.toThrow('422');
	await once(runAgain(), 0, createPerson('Ada'), 'a', send);
	expect(sent.map(({ mayBeDone }) => mayBeDone)).toEqual([false, false]);
});

describe('a key that the node made', () => {
	const keysOf = (sent: Array<{ body: unknown }>) =>
		sent.map(({ body }) => (body as { idempotencyKey: string }).idempotencyKey);

	test.each([
		['after a lost response', failed(500, true)],
		['after a refusal', failed(422, false)],
	])('stays with its write %s', async (_, error) => {
		const { runAgain } = makeExecution();
		const { sent, send } = sender(error, {});
		await expect(once(runAgain(), 0, createLog('crm'), 'a', send)).rejects.toBe(error);
		await once(runAgain({ id: '2' }), 0, createLog('crm'), 'a', send);
		expect(keysOf(sent)).toEqual(['key-1', 'key-1']);
	});

	test('stays with the content that it was first sent with', async () => {
		const { runAgain } = makeExecution();
		const { sent, send } = sender(failed(500, true), {});
		await expect(once(runAgain(), 0, createLog('crm'), 'a', send)).rejects.toThrow();
		await once(runAgain(), 0, createLog('erp'), 'a', send);
		expect(sent.map(({ body }) => body)).toEqual([
			{ source: 'crm', idempotencyKey: 'key-1' },
			{ source: 'crm', idempotencyKey: 'key-1' },
		]);
	});

	test('is sent with a write that was refused without one', async () => {
		const { runAgain } = makeExecution();
		const { sent, send } = sender(failed(422, false), {});
		const keyless = plan({ method: 'POST', path: path`/person_logs`, body: { source: 'crm' } });
		await expect(once(runAgain(), 0, keyless, 'a', send)).rejects.toThrow('422');
		await once(runAgain({ id: '2' }), 0, createLog('crm'), 'a', send);
		expect(keysOf(sent)).toEqual([undefined, expect.any(String)]);
	});

	test('is not used for the other content of a write that was refused', async () => {
		const { runAgain } = makeExecution();
		const { sent, send } = sender(failed(422, false), failed(422, false), {});
		for (const source of ['crm', 'erp', 'shop']) {
			made = 0;
			await once(runAgain(), 0, createLog(source), 'a', send).catch(() => undefined);
		}
		expect(sent.map(({ body }) => (body as { source: string }).source)).toEqual([
			'crm',
			'erp',
			'shop',
		]);
		expect(new Set(keysOf(sent)).size).toBe(3);
	});
});

describe('as a tool', () => {
	const tool = (runIndex: number) => ({ isTool: true, runIndex });

	test('a second call with the same values is a second write', async () => {
		const { runAgain } = makeExecution();
		const { sent, send } = sender({});
		for (const run of [0, 1]) await once(runAgain(tool(run)), 0, createLog('crm'), 'a', send);
		expect(sent.map(({ body }) => body)).toEqual([
			{ source: 'crm', idempotencyKey: 'key-1' },
			{ source: 'crm', idempotencyKey: 'key-2' },
		]);
	});

	test('a repeat of a call that failed is the same write', async () => {
		const { runAgain } = makeExecution();
		const { sent, send } = sender(failed(500, true), {});
		await expect(once(runAgain(tool(0)), 0, createLog('crm'), 'a', send)).rejects.toThrow();
		await once(runAgain(tool(1)), 0, createLog('crm'), 'a', send);
		expect(sent).toEqual([
			{ body: { source: 'crm', idempotencyKey: 'key-1' }, mayBeDone: false },
			{ body: { source: 'crm', idempotencyKey: 'key-1' }, mayBeDone: true },
		]);
	});

	test('a person who may have been created is not created again', async () => {
		const { runAgain } = makeExecution();
		const { sent, send } = sender(failed(500, true), {});
		const call = async (run: number) =>
			await once(runAgain(tool(run)), 0, createPerson('Ada'), 'a', send);
		await expect(call(0)).rejects.toThrow('500');
		await expect(call(1)).rejects.toThrow(InDoubtError);
		expect(sent).toHaveLength(1);
	});
});

describe('changes of one record', () => {
	const rename = (name: string) => ({
		...plan({ method: 'PATCH', path: path`/accounts/${'a1'}`, body: { name } }),
		changes: ['account a1'],
	});

	test('are not undone by an earlier item that is tried again', async () => {
		const { runAgain } = makeExecution();
		const plans = [rename('first'), rename('second')];
		const { sent, send } = sender(failed(500, true), { name: 'second' });
		await runAll(runAgain(), plans, 'a', send);
		const [first, second] = await runAll(runAgain(), plans, 'a', send);
		expect(first).toBeInstanceOf(SupersededError);
		expect(first).toMatchObject({
			message: '500. Not resent: a later item has changed the same record since',
			description:
				'To send it anyway, run the workflow again with this item only, after you have checked the record.',
			details: failed(500, true).details,
		});
		expect(second).toEqual([{ name: 'second' }]);
		expect(sent).toHaveLength(2);
	});

	test('are tried again in order where the later one is not done', async () => {
		const { runAgain } = makeExecution();
		const plans = [rename('first'), rename('second')];
		const { sent, send } = sender({ name: 'first' }, failed(500, true), { name: 'second' });
		await runAll(runAgain(), plans, 'a', send);
		expect(await runAll(runAgain(), plans, 'a', send)).toEqual([
			[{ name: 'first' }],
			[{ name: 'second' }],
		]);
		expect(sent).toHaveLength(3);
	});

	test('are sent with the values that an item has now, unless a later item came after them', async () => {
		const { runAgain } = makeExecution();
		const { sent, send } = sender({});
		await runAll(runAgain(), [rename('first')], 'a', send);
		// Retry On Fail is no correction.
		await runAll(runAgain(), [rename('another time')], 'a', send);
		await runAll(runAgain({ id: '2' }), [rename('third'), rename('second')], 'a', send);
		await runAll(runAgain({ id: '3' }), [rename('fourth'), rename('second')], 'a', send);
		expect(sent.map(({ body }) => body)).toEqual([
			{ name: 'first' },
			{ name: 'third' },
			{ name: 'second' },
		]);
	});

	test('do not concern log entries and other records', async () => {
		const { runAgain } = makeExecution();
		const { sent, send } = sender(failed(500, true), {});
		const log = () => ({ ...createLog('crm'), changes: ['email a'] });
		const logs = [log(), log()];
		await runAll(runAgain(), logs, 'a', send);
		await runAll(runAgain(), logs, 'a', send);
		expect(sent).toHaveLength(3);
		const others = [{ ...rename('first'), changes: ['account a2'] }, rename('second')];
		const next = sender(failed(500, true), {});
		await runAll(runAgain({ runIndex: 1 }), others, 'a', next.send);
		await runAll(runAgain({ runIndex: 1 }), others, 'a', next.send);
		expect(next.sent).toHaveLength(3);
	});
});

test('is the same write with another API key', async () => {
	const { runAgain } = makeExecution();
	const { sent, send } = sender({ personId: 'p1' });
	const plans = [createPerson('Ada')];
	for (const identity of ['rejected key', 'new key']) {
		const journal = runAgain();
		const where = { identity, baseUrl: 'https://a' };
		const [now] = await journal.recall(plans, async () => await Promise.resolve(where));
		if (now.kind === 'send')
			await journal.note(now, 0, where, async () => await send(now.request, false));
	}
	expect(sent).toHaveLength(1);
});

test('an update with another ID is another update', async () => {
	const { runAgain } = makeExecution();
	const { sent, send } = sender({});
	for (const id of ['wrong', 'right'])
		await once(runAgain({ id }), 0, plan({ method: 'PATCH', path: path`/pages/${id}` }), 'a', send);
	expect(sent).toHaveLength(2);
});

describe('an item that is invalid at the second try', () => {
	const onAccount = (write: SendPlan) => ({ ...write, changes: ['account a1'] });
	const rename = (name: string) =>
		onAccount(plan({ method: 'PATCH', path: path`/accounts/${'a1'}`, body: { name } }));
	const invalid: Plan = { kind: 'withheld', error: new Error('Name is required') };
	const refused = failed(422, false);

	test('is not undone by an earlier one', async () => {
		const { runAgain } = makeExecution();
		const { sent, send } = sender(refused, {});
		await runAll(runAgain(), [rename('first'), rename('second')], 'a', send);
		const [first] = await runAll(runAgain(), [rename('first'), invalid], 'a', send);
		expect(first).toBeInstanceOf(SupersededError);
		expect(sent).toHaveLength(2);
	});

	test.each([
		['failed before', rename('second'), refused],
		['replaces nothing', onAccount(createLog('crm')), {}],
	])('does not keep an earlier one from being sent where it %s', async (_, second, answer) => {
		const { runAgain } = makeExecution();
		const { send } = sender(refused, answer, { name: 'first' });
		await runAll(runAgain(), [rename('first'), second], 'a', send);
		const [first] = await runAll(runAgain(), [rename('first'), invalid], 'a', send);
		expect(first).toEqual([{ name: 'first' }]);
	});
});

test('forgets the run, and nothing of it stays in the data of the execution', async () => {
	const { runAgain, stored } = makeExecution();
	const { send } = sender({ personId: 'p1' });
	const memory = runAgain();
	await once(memory, 0, createPerson('Ada'), 'a', send);
	expect(JSON.stringify(stored)).toContain('p1');
	memory.forget();
	expect(JSON.stringify(stored)).not.toContain('p1');
});

test('keeps neither the account nor a key in clear text', async () => {
	const { runAgain, stored } = makeExecution();
	const journal = runAgain();
	const account = { identity: 'secret-account', baseUrl: 'https://a' };
	await journal.note(createPerson('Ada'), 0, account, async () => await Promise.resolve([]));
	expect(JSON.stringify(stored)).not.toContain('secret-account');
});

describe('the second try of a write', () => {
	const withName = (name: string) => ({ options: { ...usualOptions, timeout: name.length } });
	const rename = (name: string, record = 'a1'): SendPlan => ({
		...plan({ method: 'PATCH', path: path`/accounts/${record}`, body: { name } }),
		values: withName(name),
		changes: [`account ${record}`],
	});
	const named = (name: string): SendPlan => ({ ...createPerson(name), values: withName(name) });
	const ensured = (name: string, more: Partial<EnsurePlan> = {}): EnsurePlan => ({
		kind: 'ensure',
		operation: upsert as EnsurePlan['operation'],
		values: withName(name),
		request: { method: 'POST', path: path`/accounts`, body: { name } },
		json: {},
		changes: ['domain a'],
		replacesState: false,
		attempts: 0,
		isDryRun: false,
		...more,
	});
	const replacing = (name: string, more: Partial<EnsurePlan> = {}) =>
		ensured(name, { replacesState: true, ...more });

	const where = { identity: 'a', baseUrl: 'https://a' };
	type First = IDataObject[] | Error;
	/** What the second plan becomes after the first one had this outcome. */
	async function recall(first: WritingPlan, outcome: First, second: WritingPlan, id: string) {
		const { runAgain } = makeExecution();
		const send = async () => {
			if (outcome instanceof Error) throw outcome;
			return await Promise.resolve(outcome);
		};
		await runAgain()
			.note(first, 0, where, send)
			.catch(() => undefined);
		const [now] = await runAgain({ id }).recall([second], async () => await Promise.resolve(where));
		return now;
	}

	const found = { outcome: 'found' };
	const unchanged = { outcome: 'unchanged' };
	const created = { outcome: 'created' };
	const doubt = failed(500, true);
	const refusal = failed(422, false);
	const [a, b] = [ensured('Ada'), ensured('Beatrix')];

	test.each<[what: string, first: WritingPlan, outcome: First, second: WritingPlan, id: string]>([
		['found its record', a, [found], b, '2'],
		['found its record as wanted', a, [unchanged], b, '2'],
		['found all of its records', a, [found, unchanged], b, '2'],
		['updates the same record', replacing('Ada'), [created], replacing('Beatrix'), '2'],
		['was refused', a, refusal, b, '1'],
	])('has its values of now where it %s', async (_, first, outcome, second, id) => {
		expect(await recall(first, outcome, second, id)).toEqual(second);
	});

	test.each<
		[what: string, first: WritingPlan, records: IDataObject[], second: WritingPlan, id: string]
	>([
		['created its record', a, [created], b, '2'],
		['created one of its records', a, [found, created], b, '2'],
		['runs again by itself', a, [found], b, '1'],
		['only sends', named('Ada'), [found], named('Beatrix'), '2'],
		[
			'changes another record now',
			replacing('Ada'),
			[found, created],
			replacing('Beatrix', { changes: ['domain b'] }),
			'2',
		],
		[
			'goes to another endpoint now',
			replacing('Ada'),
			[created],
			replacing('Beatrix', { request: { method: 'POST', path: path`/persons`, body: {} } }),
			'2',
		],
	])('returns what was written where it %s', async (_, first, records, second, id) => {
		expect(await recall(first, records, second, id)).toEqual({
			...first,
			values: second.values,
			kind: 'done',
			records,
			isKept: true,
		});
	});

	test('returns what was written with the same values, and does not call them older ones', async () => {
		expect(await recall(a, [created], ensured('Ada'), '2')).toEqual({
			...a,
			kind: 'done',
			records: [created],
			isKept: false,
		});
	});

	test.each<[what: string, first: WritingPlan, second: WritingPlan, id: string, isKept: boolean]>([
		['looks first', a, ensured('Ada'), '1', false],
		['looks first, and has other values now', a, b, '1', true],
		['is retried by a person', named('Ada'), named('Ada'), '2', false],
		['is retried by a person, with other values', named('Ada'), named('Beatrix'), '2', true],
		[
			'changes another record now',
			replacing('Ada'),
			replacing('Beatrix', { changes: [] }),
			'2',
			true,
		],
	])('is sent in doubt as it was where it %s', async (_, first, second, id, isKept) => {
		expect(await recall(first, doubt, second, id)).toEqual({
			...first,
			mayBeDone: true,
			attempts: 1,
			isKept,
		});
	});

	test.each([
		['in doubt', doubt, true],
		['refused', refusal, false],
	])('sends another update after one that was %s', async (_, outcome, mayBeDone) => {
		for (const id of ['1', '2'])
			expect(await recall(rename('Ada'), outcome, rename('Beatrix', 'a2'), id)).toEqual({
				...rename('Beatrix', 'a2'),
				mayBeDone,
			});
	});

	test('counts the attempts that got no answer', async () => {
		const { runAgain } = makeExecution();
		let now: Plan = rename('Ada');
		for (const attempts of [1, 2, 3]) {
			if (now.kind !== 'send') throw new Error('It is sent each time');
			const sending = runAgain().note(now, 0, where, async () => await Promise.reject(doubt));
			await expect(sending).rejects.toBe(doubt);
			[now] = await runAgain().recall([rename('Ada')], async () => await Promise.resolve(where));
			expect(now).toMatchObject({ kind: 'send', attempts });
		}
	});

	test("with a person's own key is another one where the key is another one", async () => {
		const own = (key: string) =>
			plan({ method: 'POST', path: path`/person_logs`, body: { idempotencyKey: key } });
		expect(await recall(own('mine-1'), refusal, own('mine-2'), '2')).toEqual(own('mine-2'));
		const { runAgain } = makeExecution();
		const { sent, send } = sender(doubt);
		for (const key of ['mine-1', 'mine-2', 'mine-3'])
			await once(runAgain({ isTool: true }), 0, own(key), 'a', send).catch(() => undefined);
		expect(sent.map(({ mayBeDone }) => mayBeDone)).toEqual([false, false, false]);
	});

	test('has no key after a refusal where it has none', async () => {
		expect(await recall(named('Ada'), refusal, named('Beatrix'), '1')).toEqual(named('Beatrix'));
	});
});

test('asks for the credential only after a run that wrote something', async () => {
	const { runAgain } = makeExecution();
	const plans = [createPerson('Ada')];
	const noCredential = jest.fn(async () => await Promise.reject(new Error('No credential')));
	expect(await runAgain().recall(plans, noCredential)).toBe(plans);
	expect(noCredential).not.toHaveBeenCalled();
	const { send } = sender({ personId: 'p1' });
	await once(runAgain(), 0, createPerson('Ada'), 'a', send);
	expect(await runAgain().recall(plans, noCredential)).toBe(plans);
	expect(noCredential).toHaveBeenCalledTimes(1);
});

test('remembers the calls of a tool in one place, whatever run n8n counts, until they succeed', async () => {
	const { runAgain, stored } = makeExecution();
	const { send } = sender(failed(500, true), {});
	const memory = runAgain({ isTool: true });
	await once(memory, 0, createLog('crm'), 'a', send).catch(() => undefined);
	memory.forget();
	const { writes } = stored as { writes: Record<string, IDataObject> };
	expect(
		Object.entries(writes).map(([run, entries]) => [run, Object.keys(entries).length]),
	).toEqual([['tool', 1]]);
	await once(runAgain({ isTool: true, runIndex: 4 }), 0, createLog('crm'), 'a', send);
	expect(writes).toEqual({ tool: {} });
});

describe('a write that an earlier version recognized by its content', () => {
	/** Of the log entry below, at account a, as that version stored it. */
	const fingerprint = 'a9ad4088c7bf344b09c54db319d7ca81ca569bba21a3eefdff80614ce7790612';
	const entry = { fingerprint, key: 'key-0', state: 'done', records: [{ logId: 'l1' }] };

	test.each<[what: string, source: string, account: string, expected: object]>([
		['is recognized', 'crm', 'a', { logId: 'l1' }],
		['is another one with another content', 'erp', 'a', { logId: 'l2' }],
		['is another one at another account', 'crm', 'b', { logId: 'l2' }],
	])('%s', async (_, source, account, expected) => {
		const { runAgain, stored } = makeExecution();
		stored.writes = { 0: { 0: { ...entry, executionId: '1' } } };
		const { send } = sender({ logId: 'l2' });
		expect(await once(runAgain(), 0, createLog(source), account, send)).toEqual([expected]);
	});
});
