import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { RequestFailedError } from '../../../nodes/api/failure.ts';
import { path } from '../../../nodes/api/path.ts';
import type { ApiRequest } from '../../../nodes/api/request.ts';
import { UnexpectedResponseError } from '../../../nodes/api/response.ts';
import type { Execution } from '../../../nodes/PageAudience/run/execution.ts';
import type { Write } from '../../../nodes/PageAudience/run/plan.ts';
import { replacesState } from '../../../nodes/PageAudience/run/planItems.ts';
import { usualOptions } from '../../../nodes/PageAudience/operation/sharedParameters.ts';
import { InDoubtError, Journal } from '../../../nodes/PageAudience/run/journal.ts';
import { respond } from '../api/responding.mts';

/** The data of one execution, which n8n keeps for its Retry. */
function makeExecution() {
	const stored: IDataObject = {};
	const context: Pick<IExecuteFunctions, 'getContext'> = { getContext: () => stored };
	return {
		stored,
		/** The node runs again in this execution, or in a Retry of it. */
		runAgain: (more: Partial<Execution> = {}) =>
			new Journal(context, {
				isTool: false,
				id: '1',
				runIndex: 0,
				makeKey: () => 'unused',
				...more,
			}),
	};
}

let made = 0;
beforeEach(() => (made = 0));

/** A plan as planItems makes it; a key that the node makes differs each time. */
function plan(request: Omit<ApiRequest, 'body'> & { body?: IDataObject }, withKey = false): Write {
	const build = (idempotencyKey?: string): ApiRequest => ({
		...request,
		body: withKey ? { ...request.body, idempotencyKey } : request.body,
	});
	const madeKey = withKey ? `key-${++made}` : undefined;
	return {
		kind: 'send',
		values: { options: usualOptions },
		request: build(madeKey),
		json: {},
		madeKey,
		requestWith: build,
		changes: [],
		replacesState: replacesState(build(madeKey)),
	};
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
		expect(await runAgain().once(0, createPerson('Ada'), 'a', send)).toEqual([{ personId: 'p1' }]);
	expect(sent).toHaveLength(1);
});

test.each<
	[what: string, item: number, write: () => Write, account: string, more: Partial<Execution>]
>([
	['another item', 1, () => createPerson('Ada'), 'a', {}],
	['another content', 0, () => createPerson('Bea'), 'a', {}],
	['another account', 0, () => createPerson('Ada'), 'b', {}],
	['another run of the node', 0, () => createPerson('Ada'), 'a', { runIndex: 1 }],
	[
		'another operation',
		0,
		() => plan({ method: 'POST', path: path`/accounts`, body: { name: 'Ada' } }),
		'a',
		{},
	],
	[
		'another method',
		0,
		() => plan({ method: 'PATCH', path: path`/persons`, body: { name: 'Ada' } }),
		'a',
		{},
	],
])('sends %s', async (_, item, write, account, more) => {
	const { runAgain } = makeExecution();
	const { sent, send } = sender({});
	await runAgain().once(0, createPerson('Ada'), 'a', send);
	await runAgain(more).once(item, write(), account, send);
	expect(sent).toHaveLength(2);
});

test('does not give out an archived record as a restored one', async () => {
	const { runAgain } = makeExecution();
	const audience = path`/pages/${'p'}/audiences/${'a'}`;
	const archived = sender({ status: 'archived' });
	await runAgain().once(0, plan({ method: 'DELETE', path: audience }), 'a', archived.send);
	const restored = sender({ status: 'draft' });
	const restore = plan({
		method: 'POST',
		path: path`/pages/${'p'}/audiences/${'a'}/restore`,
		body: {},
		repeatable: true,
	});
	expect(await runAgain({ id: '2' }).once(0, restore, 'a', restored.send)).toEqual([
		{ status: 'draft' },
	]);
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
		await expect(runAgain().once(0, createPerson('Ada'), 'a', send)).rejects.toBe(error);
		for (let i = 0; i < 3; i++)
			await expect(runAgain().once(0, createPerson('Ada'), 'a', send)).rejects.toThrow(
				InDoubtError,
			);
		expect(sent).toHaveLength(1);
		await expect(runAgain().once(0, createPerson('Ada'), 'a', send)).rejects.toMatchObject({
			details: { maybeDone: true, status: error instanceof RequestFailedError ? 500 : 200 },
		});
	});

	test.each(doubts)('%s is sent when a person retries the execution', async (_, error) => {
		const { runAgain } = makeExecution();
		const { sent, send } = sender(error, { personId: 'p1' });
		await expect(runAgain().once(0, createPerson('Ada'), 'a', send)).rejects.toBe(error);
		await runAgain({ id: '2' }).once(0, createPerson('Ada'), 'a', send);
		expect(sent).toEqual([
			{ body: { name: 'Ada' }, mayBeDone: false },
			{ body: { name: 'Ada' }, mayBeDone: true },
		]);
	});

	test('stays in doubt when it is refused later', async () => {
		const { runAgain } = makeExecution();
		const { sent, send } = sender(failed(500, true), failed(422, false), {});
		await expect(runAgain().once(0, createLog('crm'), 'a', send)).rejects.toThrow('500');
		await expect(runAgain().once(0, createLog('crm'), 'a', send)).rejects.toThrow('422');
		await runAgain().once(0, createLog('crm'), 'a', send);
		expect(sent.map(({ mayBeDone }) => mayBeDone)).toEqual([false, true, true]);
	});
});

test('resends what was refused, as something that was not done', async () => {
	const { runAgain } = makeExecution();
	const { sent, send } = sender(failed(422, false), { personId: 'p1' });
	await expect(runAgain().once(0, createPerson('Ada'), 'a', send)).rejects.toThrow('422');
	await runAgain().once(0, createPerson('Ada'), 'a', send);
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
		await expect(runAgain().once(0, createLog('crm'), 'a', send)).rejects.toBe(error);
		await runAgain({ id: '2' }).once(0, createLog('crm'), 'a', send);
		expect(keysOf(sent)).toEqual(['key-1', 'key-1']);
	});

	test('is not used for another content', async () => {
		const { runAgain } = makeExecution();
		const { sent, send } = sender(failed(500, true), {});
		await expect(runAgain().once(0, createLog('crm'), 'a', send)).rejects.toThrow();
		await runAgain().once(0, createLog('erp'), 'a', send);
		expect(keysOf(sent)).toEqual(['key-1', 'key-2']);
	});
});

describe('as a tool', () => {
	const tool = (runIndex: number) => ({ isTool: true, runIndex });

	test('a second call with the same values is a second write', async () => {
		const { runAgain } = makeExecution();
		const { sent, send } = sender({});
		for (const run of [0, 1]) await runAgain(tool(run)).once(0, createLog('crm'), 'a', send);
		expect(sent.map(({ body }) => body)).toEqual([
			{ source: 'crm', idempotencyKey: 'key-1' },
			{ source: 'crm', idempotencyKey: 'key-2' },
		]);
	});

	test('a repeat of a call that failed is the same write', async () => {
		const { runAgain } = makeExecution();
		const { sent, send } = sender(failed(500, true), {});
		await expect(runAgain(tool(0)).once(0, createLog('crm'), 'a', send)).rejects.toThrow();
		await runAgain(tool(1)).once(0, createLog('crm'), 'a', send);
		expect(sent).toEqual([
			{ body: { source: 'crm', idempotencyKey: 'key-1' }, mayBeDone: false },
			{ body: { source: 'crm', idempotencyKey: 'key-1' }, mayBeDone: true },
		]);
	});

	test('a person who may have been created is not created again', async () => {
		const { runAgain } = makeExecution();
		const { sent, send } = sender(failed(500, true), {});
		const call = async (run: number) =>
			await runAgain(tool(run)).once(0, createPerson('Ada'), 'a', send);
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
		const first = runAgain();
		expect(await first.findSuperseded(plans, 'a')).toEqual(new Set());
		await expect(first.once(0, plans[0], 'a', send)).rejects.toThrow('500');
		await first.once(1, plans[1], 'a', send);

		const second = runAgain();
		const superseded = await second.findSuperseded(plans, 'a');
		expect(superseded).toEqual(new Set([0]));
		await expect(second.once(0, plans[0], 'a', send, true)).rejects.toThrow(
			'500. Not resent: a later item has changed the same record since',
		);
		expect(await second.once(1, plans[1], 'a', send)).toEqual([{ name: 'second' }]);
		expect(sent).toHaveLength(2);
	});

	test('are tried again in order where the later one is not done', async () => {
		const { runAgain } = makeExecution();
		const plans = [rename('first'), rename('second')];
		const { send } = sender({ name: 'first' }, failed(500, true));
		await runAgain().once(0, plans[0], 'a', send);
		await expect(runAgain().once(1, plans[1], 'a', send)).rejects.toThrow();
		expect(await runAgain().findSuperseded(plans, 'a')).toEqual(new Set());
	});

	test('do not concern log entries, other records, other accounts and other values', async () => {
		const { runAgain } = makeExecution();
		const { send } = sender({});
		const log = { ...createLog('crm'), changes: ['email a'] };
		await runAgain().once(1, log, 'a', send);
		expect(await runAgain().findSuperseded([log, log], 'a')).toEqual(new Set());
		await runAgain().once(1, rename('second'), 'a', send);
		const other = { ...rename('first'), changes: ['account a2'] };
		expect(await runAgain().findSuperseded([other, rename('second')], 'a')).toEqual(new Set());
		expect(await runAgain().findSuperseded([rename('first'), rename('second')], 'b')).toEqual(
			new Set(),
		);
		expect(await runAgain().findSuperseded([rename('first'), rename('third')], 'a')).toEqual(
			new Set(),
		);
	});
});

test('forgets the run, and nothing of it stays in the data of the execution', async () => {
	const { runAgain, stored } = makeExecution();
	const { send } = sender({ personId: 'p1' });
	const memory = runAgain();
	await memory.once(0, createPerson('Ada'), 'a', send);
	expect(JSON.stringify(stored)).toContain('p1');
	memory.forget();
	expect(JSON.stringify(stored)).not.toContain('p1');
});

test('keeps neither the account nor a key in clear text', async () => {
	const { runAgain, stored } = makeExecution();
	await runAgain().once(0, createPerson('Ada'), 'secret-account', sender({}).send);
	expect(JSON.stringify(stored)).not.toContain('secret-account');
});
