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

const doubts: Record<string, Error> = {
	'a 500': failed(500, true),
	'a web page with status 200': refuseResponse(
		'a record',
		respond({ request: createPerson('Ada').request, body: '<html>' }),
	),
	'a cancelled request': Object.assign(new Error('Cancelled'), { name: 'AbortError' }),
};
const done = { personId: 'p1' };
const onFail: Again = {};
const retry: Again = { id: '2' };
const call: Again = { isTool: true, runIndex: 1 };
const log = (n: number) => ({ source: 'crm', idempotencyKey: `key-${n}` });
const notResent = {
	message: 'Not resent: an earlier attempt may have succeeded',
	description:
		'Look for it in the service. If it is missing, choose Retry in the Executions tab, or run the workflow with this item.',
	details: { endpoint: 'POST /v0/persons', attempts: 0, maybeDone: true, repeated: false },
};
const toModel = {
	...notResent,
	description: 'Look for it. If it is missing, tell the user about it.',
};

/** What the second attempt comes to: what it sends, and whether that may be there already, or what is told in its place. */
type Second = [body: object, inDoubt: boolean] | { told: object } | { returned: object };

const createEntry = () => createLog('crm');
type Row = [what: string, first: IDataObject | Error, (name: string) => Write, Again, Second];

test.each<Row>([
	['a success, by Retry On Fail', done, createPerson, onFail, { returned: done }],
	['a success, by Retry', done, createPerson, retry, { returned: done }],
	// A model that calls a tool again means another entry.
	['a success, by another call of a tool', done, createEntry, call, [log(2), false]],
	[
		'a refusal, by Retry On Fail',
		failed(422, false),
		createPerson,
		onFail,
		[{ name: 'Adele' }, false],
	],
	['a refusal, by Retry', failed(422, false), createPerson, retry, [{ name: 'Adele' }, false]],
	...Object.entries(doubts).flatMap(([what, doubt]): Row[] => [
		[`${what}, by Retry On Fail`, doubt, createPerson, onFail, { told: notResent }],
		[`${what}, by Retry`, doubt, createPerson, retry, [{ name: 'Ada' }, true]],
		[`${what}, by another call of a tool`, doubt, createPerson, call, { told: toModel }],
		[`${what}, by Retry On Fail, with a key`, doubt, createEntry, onFail, [log(1), true]],
		[`${what}, by another call of a tool, with a key`, doubt, createEntry, call, [log(1), true]],
		[`${what}, by one that looks first`, doubt, ensurePerson, onFail, [{ email: 'Ada' }, true]],
	]),
])('what a write does again after %s', async (_, first, write, again, second) => {
	const { runAgain } = makeExecution();
	const { sent, send } = sender(first, done);
	const begun = { ...again, id: '1', runIndex: 0 };
	await runAgain(begun)
		.writeOnce(write('Ada'), 0, send)
		.catch((error: unknown) => expect(error).toBe(first));
	// A tool call is known by its values.
	const attempt = runAgain(again).writeOnce(write(again.isTool ? 'Ada' : 'Adele'), 0, send);
	if ('told' in second) await expect(attempt).rejects.toMatchObject(second.told);
	else if ('returned' in second) expect(await attempt).toEqual([second.returned]);
	else {
		await attempt;
		const [body, inDoubt] = second;
		expect(sent.slice(1)).toEqual([{ body, inDoubt }]);
	}
	expect(sent).toHaveLength(Array.isArray(second) ? 2 : 1);
});

test('Retry On Fail within a Retry resends no write in doubt, and the next Retry does', async () => {
	const { runAgain } = makeExecution();
	const { sent, send } = sender(failed(500, true), failed(500, true), done);
	const attempt = async (id: string) =>
		await runAgain({ id }).writeOnce(createPerson('Ada'), 0, send);
	for (const id of ['1', '2']) await expect(attempt(id)).rejects.toThrow('500');
	await expect(attempt('2')).rejects.toThrow('Not resent');
	await attempt('3');
	expect(sent).toHaveLength(3);
});

describe('a write in doubt', () => {
	test('is resent with the values of the first attempt, where the node looks first', async () => {
		const { runAgain } = makeExecution();
		const limits: unknown[] = [];
		const send: Send = async (now, attempt) => {
			limits.push(now.values.limit);
			return await sender(limits.length === 1 ? failed(500, true) : {}).send(now, attempt);
		};
		await expect(runAgain().writeOnce(ensurePerson('ada@x'), 0, send)).rejects.toThrow('500');
		await runAgain().writeOnce(ensurePerson('ada@x.example'), 0, send);
		expect(limits).toEqual([5, 5]);
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

describe('as a tool', () => {
	const tool = (runIndex: number) => ({ isTool: true, runIndex });

	test('a call beside one with the same values is a second write', async () => {
		const { runAgain } = makeExecution();
		const { sent, send } = sender({});
		const call = async (run: number) =>
			await runAgain(tool(run)).writeOnce(createPerson('Ada'), 0, send);
		await Promise.all([call(0), call(1)]);
		expect(sent.map(({ inDoubt }) => inDoubt)).toEqual([false, false]);
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
