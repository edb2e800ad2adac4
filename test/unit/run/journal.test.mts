import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { RequestFailedError } from '../../../nodes/api/failure.ts';
import { path } from '../../../nodes/api/path.ts';
import type { ApiRequest } from '../../../nodes/api/request.ts';
import { UnexpectedResponseError } from '../../../nodes/api/response.ts';
import type { Execution } from '../../../nodes/PageAudience/run/execution.ts';
import type { Plan, SendPlan } from '../../../nodes/PageAudience/run/plan.ts';
import { replacesState } from '../../../nodes/PageAudience/run/planItems.ts';
import { create } from '../../../nodes/PageAudience/resources/person/create.operation.ts';
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
