import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { refuseResponse } from '../../../nodes/api/errors.ts';
import { type ApiRequest, type ApiResponse, at } from '../../../nodes/api/request.ts';
import { openExecutionStore } from '../../../nodes/PageAudience/ledger/executionStore.ts';
import { type Attempt, writeOnce } from '../../../nodes/PageAudience/ledger/ledger.ts';
import type { Execution, PlannedItem } from '../../../nodes/PageAudience/run/model.ts';
import { failure, respond } from '../api/responding.mts';

type Write = Omit<PlannedItem, 'item'> & { looksFirst: boolean };
type Send = (plan: PlannedItem, attempt: Attempt) => Promise<IDataObject[]>;

interface Again extends Partial<Execution> {
	operation?: string;
	service?: string;
}

/** The data of one execution, which n8n keeps for its Retry. */
function makeExecution() {
	const stored: IDataObject = {};
	const context: Pick<IExecuteFunctions, 'getContext'> = { getContext: () => stored };
	return {
		stored,
		/** The node runs again in this execution, or in a Retry of it. */
		runAgain({ operation = 'person.create', service = 'https://a', ...more }: Again = {}) {
			const run = { isTool: false, id: '1', runIndex: 0, ...more };
			const execution = openExecutionStore(context, run, `${operation} ${service}`);
			return {
				find: (item: number) =>
					execution.find(execution.nameOf({ ...createPerson('Ada'), item })).is,
				forget: () => execution.forget(),
				writeOnce: async ({ looksFirst, ...plan }: Write, item: number, send: Send) =>
					await writeOnce({ execution }, { ...plan, item }, looksFirst, send),
			};
		},
	};
}

let made = 0;
beforeEach(() => (made = 0));

/** A plan as planItems makes it; a key that the node makes differs each time. */
function plan(request: Omit<ApiRequest, 'body'> & { body?: IDataObject }, withKey = false): Write {
	const body = withKey ? { ...request.body, idempotencyKey: `key-${++made}` } : request.body;
	return {
		looksFirst: false,
		values: { options: {} },
		request: { ...request, body },
		json: {},
		changes: () => [],
		leftOut: [],
	};
}

const createPerson = (name: string) =>
	plan({ method: 'POST', ...at.person`/persons`, body: { name } });
const createLog = (source: string) =>
	plan({ method: 'POST', ...at.personLog`/person_logs`, body: { source }, repeatable: true }, true);
const ensurePerson = (email: string): Write => ({
	...plan({ method: 'POST', ...at.person`/persons`, body: { email } }),
	looksFirst: true,
	values: { options: {}, limit: email.length },
});

const readOne = ({ body }: ApiResponse) => [body as IDataObject];

const failed = (status: number, maybeDone: boolean) =>
	failure({ status, maybeDone }, String(status));

/** Sends by a script, and keeps what was sent. */
function sender(...script: Array<IDataObject | Error>) {
	const sent: Array<{ body: unknown; inDoubt: boolean }> = [];
	return {
		sent,
		send: async ({ request }: PlannedItem, attempt: Attempt) =>
			await attempt.send(
				request,
				async (_, inDoubt) => {
					const reply = script[Math.min(sent.length, script.length - 1)];
					sent.push({ body: request.body, inDoubt });
					if (reply instanceof Error) throw reply;
					return await Promise.resolve(respond({ body: reply }));
				},
				readOne,
			),
	};
}

test.each<[what: string, item: number, again: Again]>([
	['another item', 1, {}],
	['another service', 0, { service: 'https://b' }],
	['another run of the node', 0, { runIndex: 1 }],
	['another operation', 0, { operation: 'account.create' }],
])('sends what %s writes, too', async (_, item, again) => {
	const { runAgain } = makeExecution();
	const { sent, send } = sender({});
	await runAgain().writeOnce(createPerson('Ada'), 0, send);
	await runAgain(again).writeOnce(createPerson('Ada'), item, send);
	expect(sent).toHaveLength(2);
});

test('returns what was written again, and does not send it, whatever the values are', async () => {
	const { runAgain } = makeExecution();
	const { sent, send } = sender({ personId: 'p1' });
	await runAgain().writeOnce(createPerson('Ada at 9:00'), 0, send);
	for (const id of ['1', '2', '3'])
		expect(await runAgain({ id }).writeOnce(createPerson(`Ada at ${id}`), 0, send)).toEqual([
			{ personId: 'p1' },
		]);
	expect(sent).toHaveLength(1);
});

describe('a write in doubt', () => {
	const doubts: Array<[string, Error]> = [
		['after a 500', failed(500, true)],
		[
			'after a web page with status 200',
			refuseResponse('a record', respond({ request: createPerson('Ada').request, body: '<html>' })),
		],
		['that was cancelled', Object.assign(new Error('Cancelled'), { name: 'AbortError' })],
	];

	test.each(doubts)('%s is not resent by Retry On Fail', async (_, error) => {
		const { runAgain } = makeExecution();
		const { sent, send } = sender(error, { personId: 'p1' });
		await expect(runAgain().writeOnce(createPerson('Ada'), 0, send)).rejects.toBe(error);
		for (let i = 0; i < 2; i++)
			await expect(runAgain().writeOnce(createPerson('Ada'), 0, send)).rejects.toMatchObject({
				message: 'Not resent: an earlier attempt may have succeeded',
				description:
					'Look for it in the service. If it is missing, choose Retry in the Executions tab, or run the workflow with this item.',
				details: {
					endpoint: 'POST /v0/persons',
					attempts: 0,
					maybeDone: true,
					repeated: false,
				},
			});
		expect(sent).toHaveLength(1);
	});

	test.each(doubts)(
		'%s is sent as it was when a person retries the execution',
		async (_, error) => {
			const { runAgain } = makeExecution();
			const { sent, send } = sender(error, error, { personId: 'p1' });
			await expect(runAgain().writeOnce(createPerson('Ada'), 0, send)).rejects.toBe(error);
			const retry = async () =>
				await runAgain({ id: '2' }).writeOnce(createPerson('Adele'), 0, send);
			await expect(retry()).rejects.toBe(error);
			expect(sent).toEqual([
				{ body: { name: 'Ada' }, inDoubt: false },
				{ body: { name: 'Ada' }, inDoubt: true },
			]);
			// That was Retry, and not Retry On Fail within it.
			await expect(retry()).rejects.toThrow('Not resent');
			await runAgain({ id: '3' }).writeOnce(createPerson('Adele'), 0, send);
			expect(sent).toHaveLength(3);
		},
	);

	test('is resent by Retry On Fail where that does no harm', async () => {
		const { runAgain } = makeExecution();
		const { sent, send } = sender(failed(500, true), {});
		await expect(runAgain().writeOnce(createLog('crm'), 0, send)).rejects.toThrow('500');
		await runAgain().writeOnce(createLog('crm'), 0, send);
		expect(sent).toEqual([
			{ body: { source: 'crm', idempotencyKey: 'key-1' }, inDoubt: false },
			{ body: { source: 'crm', idempotencyKey: 'key-1' }, inDoubt: true },
		]);
	});

	test('is resent by Retry On Fail where the node looks first, with the values of the first attempt', async () => {
		const { runAgain } = makeExecution();
		const plans: PlannedItem[] = [];
		const send = async (now: PlannedItem, attempt: Attempt) => {
			plans.push(now);
			const reply = plans.length === 1 ? failed(500, true) : {};
			return await sender(reply).send(now, attempt);
		};
		await expect(runAgain().writeOnce(ensurePerson('ada@x'), 0, send)).rejects.toThrow('500');
		await runAgain().writeOnce(ensurePerson('ada@x.example'), 0, send);
		expect(plans.map(({ request, values }) => [request.body, values.limit])).toEqual([
			[{ email: 'ada@x' }, 5],
			[{ email: 'ada@x' }, 5],
		]);
	});

	test('says whether the record was there before', async () => {
		const { runAgain } = makeExecution();
		const existed: unknown[] = [];
		const methods = ['POST', 'PATCH', 'POST'] as const;
		const send: Send = async ({ request }, attempt) => {
			existed.push(attempt.state.is === 'doubt' && attempt.state.existed);
			const method = methods[existed.length - 1];
			const now = { ...createPerson('Ada'), item: 0, request: { ...request, method } };
			return await sender(failed(500, true)).send(now, attempt);
		};
		for (let i = 0; i < 3; i++)
			await expect(runAgain().writeOnce(ensurePerson('ada@x'), 0, send)).rejects.toThrow('500');
		expect(existed).toEqual([false, false, true]);
	});

	test('stays in doubt when it is refused later', async () => {
		const { runAgain } = makeExecution();
		const { sent, send } = sender(failed(500, true), failed(422, false), {});
		await expect(runAgain().writeOnce(createLog('crm'), 0, send)).rejects.toThrow('500');
		await expect(runAgain().writeOnce(createLog('crm'), 0, send)).rejects.toThrow('422');
		await runAgain().writeOnce(createLog('crm'), 0, send);
		expect(sent.map(({ inDoubt }) => inDoubt)).toEqual([false, true, true]);
	});
});

test('resends what was refused, with the values that it has now', async () => {
	const { runAgain } = makeExecution();
	const { sent, send } = sender(failed(422, false), { personId: 'p1' });
	await expect(runAgain().writeOnce(createPerson('Ada'), 0, send)).rejects.toThrow('422');
	await runAgain().writeOnce(createPerson('Adele'), 0, send);
	expect(sent).toEqual([
		{ body: { name: 'Ada' }, inDoubt: false },
		{ body: { name: 'Adele' }, inDoubt: false },
	]);
});

describe('as a tool', () => {
	const tool = (runIndex: number) => ({ isTool: true, runIndex });

	test('a second call with the same values is a second write', async () => {
		const { runAgain } = makeExecution();
		const { sent, send } = sender({});
		for (const run of [0, 1]) await runAgain(tool(run)).writeOnce(createLog('crm'), 0, send);
		expect(sent.map(({ body }) => body)).toEqual([
			{ source: 'crm', idempotencyKey: 'key-1' },
			{ source: 'crm', idempotencyKey: 'key-2' },
		]);
	});

	test('a call beside one with the same values is a second write', async () => {
		const { runAgain } = makeExecution();
		const { sent, send } = sender({});
		const call = async (run: number) =>
			await runAgain(tool(run)).writeOnce(createPerson('Ada'), 0, send);
		await Promise.all([call(0), call(1)]);
		expect(sent.map(({ inDoubt }) => inDoubt)).toEqual([false, false]);
	});

	test('a repeat of a call that failed is the same write', async () => {
		const { runAgain } = makeExecution();
		const { sent, send } = sender(failed(500, true), {});
		await expect(runAgain(tool(0)).writeOnce(createLog('crm'), 0, send)).rejects.toThrow();
		await runAgain(tool(1)).writeOnce(createLog('crm'), 0, send);
		expect(sent).toEqual([
			{ body: { source: 'crm', idempotencyKey: 'key-1' }, inDoubt: false },
			{ body: { source: 'crm', idempotencyKey: 'key-1' }, inDoubt: true },
		]);
	});

	test('a person who may have been created is not created again', async () => {
		const { runAgain } = makeExecution();
		const { sent, send } = sender(failed(500, true), {});
		const call = async (run: number) =>
			await runAgain(tool(run)).writeOnce(createPerson('Ada'), 0, send);
		await expect(call(0)).rejects.toThrow('500');
		await expect(call(1)).rejects.toMatchObject({
			message: expect.stringContaining('Not resent') as string,
			description: 'Look for it. If it is missing, tell the user about it.',
		});
		expect(sent).toHaveLength(1);
	});

	test('calls are remembered in one place, whatever run n8n counts, until they succeed', async () => {
		const { runAgain, stored } = makeExecution();
		const { send } = sender(failed(500, true), {});
		const again = runAgain({ isTool: true });
		await again.writeOnce(createLog('crm'), 0, send).catch(() => undefined);
		again.forget();
		const { writes } = stored as { writes: Record<string, IDataObject> };
		expect(
			Object.entries(writes).map(([run, entries]) => [run, Object.keys(entries).length]),
		).toEqual([['tool', 1]]);
		await runAgain(tool(4)).writeOnce(createLog('crm'), 0, send);
		expect(writes).toEqual({ tool: {} });
	});
});

test('says what became of an item when the node ran before', async () => {
	const { runAgain } = makeExecution();
	const { send } = sender({}, failed(500, true), failed(422, false));
	for (const item of [0, 1, 2])
		await runAgain()
			.writeOnce(createPerson('Ada'), item, send)
			.catch(() => undefined);
	const again = runAgain();
	expect([0, 1, 2, 3].map((item) => again.find(item))).toEqual([
		'done',
		'doubt',
		'unknown',
		'unknown',
	]);
});
