import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { refuseResponse } from '../../../nodes/api/errors.ts';
import { type ApiRequest, at } from '../../../nodes/api/request.ts';
import { openExecutionStore } from '../../../nodes/PageAudience/ledger/executionStore.ts';
import { type Attempt, writeOnce } from '../../../nodes/PageAudience/ledger/ledger.ts';
import type { Execution, PlannedItem } from '../../../nodes/PageAudience/run/model.ts';
import { failure, respond } from '../api/responding.mts';

type Write = Omit<PlannedItem, 'item'> & { looksFirst: boolean };
type Send = (plan: PlannedItem, attempt: Attempt) => Promise<IDataObject[]>;

interface Again extends Partial<Execution> {
	item?: number;
	operation?: string;
	service?: string;
}

/** An execution with its Retries, whose service answers by a script, and what was sent. */
function execute(...script: Array<IDataObject | Error>) {
	// What n8n keeps for a Retry.
	const stored: IDataObject = {};
	const context: Pick<IExecuteFunctions, 'getContext'> = { getContext: () => stored };
	const sent: Array<{ body: unknown; inDoubt: boolean }> = [];
	const open = ({ operation = 'person.create', service = 'https://a', ...more }: Again) =>
		openExecutionStore(
			context,
			{ isTool: false, id: '1', runIndex: 0, ...more },
			`${operation} ${service}`,
		);
	const answer: Send = async ({ request }, attempt) =>
		await attempt.send(
			request,
			async (_, inDoubt) => {
				const reply = script[Math.min(sent.length, script.length - 1)];
				sent.push({ body: request.body, inDoubt });
				if (reply instanceof Error) throw reply;
				return await Promise.resolve(respond({ body: reply }));
			},
			({ body }) => [body as IDataObject],
		);
	return {
		...{ stored, sent, open, answer },
		/** The node writes an item, in the execution or in a Retry of it. */
		write: async (
			{ looksFirst, ...plan }: Write,
			{ item = 0, ...again }: Again = {},
			send = answer,
		) => await writeOnce({ execution: open(again) }, { ...plan, item }, looksFirst, send),
	};
}

let made = 0;
beforeEach(() => (made = 0));

/** A plan as planItems makes it. */
const plan = (request: ApiRequest, more: Partial<Write> = {}): Write => ({
	...{ looksFirst: false, values: { options: {} }, request, json: {} },
	...{ changes: () => [], leftOut: [], ...more },
});
const createPerson = (name: string) =>
	plan({ method: 'POST', ...at.person`/persons`, body: { name } });
/** Its key differs each time. */
const createLog = () => {
	const body = { source: 'crm', idempotencyKey: `key-${++made}` };
	return plan({ method: 'POST', ...at.personLog`/person_logs`, body, repeatable: true });
};
const ensurePerson = (email: string) =>
	plan(
		{ method: 'POST', ...at.person`/persons`, body: { email } },
		{ looksFirst: true, values: { options: {}, limit: email.length } },
	);

const failed = (status: number, maybeDone: boolean) =>
	failure({ status, maybeDone }, String(status));
const [lost, refused] = [failed(500, true), failed(422, false)];

const doubts: Record<string, Error> = {
	'a 500': lost,
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

/** What the second attempt comes to: what it sends, and what is told where it sends nothing. */
interface Second {
	sent: Array<{ body: object; inDoubt: boolean }>;
	told?: object;
}
const none: Second = { sent: [] };
const sends = (body: object, inDoubt: boolean): Second => ({ sent: [{ body, inDoubt }] });
const adele = sends({ name: 'Adele' }, false);
const tells = (description: string): Second => ({
	sent: [],
	told: {
		message: 'Not resent: an earlier attempt may have succeeded',
		description,
		details: { endpoint: 'POST /v0/persons', attempts: 0, maybeDone: true, repeated: false },
	},
});
const notResent = tells(
	'Look for it in the service. If it is missing, choose Retry in the Executions tab, or run the workflow with this item.',
);
const toModel = tells('Look for it. If it is missing, tell the user about it.');

type Row = [what: string, first: IDataObject | Error, (name: string) => Write, Again, Second];

test.each<Row>([
	['a success, by Retry On Fail', done, createPerson, onFail, none],
	['a success, by Retry', done, createPerson, retry, none],
	// A model that calls a tool again means another entry.
	['a success, by another call of a tool', done, createLog, call, sends(log(2), false)],
	['a success, for another item', done, createPerson, { item: 1 }, adele],
	['a success, for another service', done, createPerson, { service: 'https://b' }, adele],
	['a success, in another run of the node', done, createPerson, { runIndex: 1 }, adele],
	['a success, by another operation', done, createPerson, { operation: 'account.create' }, adele],
	['a refusal, by Retry On Fail', refused, createPerson, onFail, adele],
	['a refusal, by Retry', refused, createPerson, retry, adele],
	...Object.entries(doubts).flatMap(([what, doubt]): Row[] => [
		[`${what}, by Retry On Fail`, doubt, createPerson, onFail, notResent],
		[`${what}, by Retry`, doubt, createPerson, retry, sends({ name: 'Ada' }, true)],
		[`${what}, by another call of a tool`, doubt, createPerson, call, toModel],
		[`${what}, by Retry On Fail, with a key`, doubt, createLog, onFail, sends(log(1), true)],
		[`${what}, by another call of a tool, with a key`, doubt, createLog, call, sends(log(1), true)],
		[
			`${what}, by one that looks first`,
			doubt,
			ensurePerson,
			onFail,
			sends({ email: 'Ada' }, true),
		],
	]),
])('what a write does again after %s', async (_, first, plan, again, second) => {
	const { write, sent } = execute(first, done);
	const { isTool = false } = again;
	const begun = write(plan('Ada'), { isTool });
	await begun.catch((error: unknown) => expect(error).toBe(first));
	// A tool call is known by its values.
	const attempt = write(plan(isTool ? 'Ada' : 'Adele'), again);
	if (second.told) await expect(attempt).rejects.toMatchObject(second.told);
	else expect(await attempt).toEqual([done]);
	expect(sent.slice(1)).toEqual(second.sent);
});

test('Retry On Fail within a Retry resends no write in doubt, and the next Retry does', async () => {
	const { write, sent } = execute(lost, lost, done);
	const attempt = async (id: string) => await write(createPerson('Ada'), { id });
	for (const id of ['1', '2']) await expect(attempt(id)).rejects.toThrow('500');
	await expect(attempt('2')).rejects.toThrow('Not resent');
	await attempt('3');
	expect(sent).toHaveLength(3);
});

describe('a write in doubt', () => {
	test('is resent with the values of the first attempt, where the node looks first', async () => {
		const { write, answer } = execute(lost, {});
		const limits: unknown[] = [];
		const send: Send = async (now, attempt) => {
			limits.push(now.values.limit);
			return await answer(now, attempt);
		};
		await expect(write(ensurePerson('ada@x'), {}, send)).rejects.toThrow('500');
		await write(ensurePerson('ada@x.example'), {}, send);
		expect(limits).toEqual([5, 5]);
	});

	test('says whether the record was there before', async () => {
		const { write, answer } = execute(lost);
		const existed: unknown[] = [];
		for (const method of ['POST', 'PATCH', 'POST'] as const) {
			const send: Send = async (now, attempt) => {
				existed.push(attempt.state.is === 'doubt' && attempt.state.existed);
				return await answer({ ...now, request: { ...now.request, method } }, attempt);
			};
			await expect(write(ensurePerson('ada@x'), {}, send)).rejects.toThrow('500');
		}
		expect(existed).toEqual([false, false, true]);
	});

	test('stays in doubt when it is refused later', async () => {
		const { write, sent } = execute(lost, refused, {});
		await expect(write(createLog())).rejects.toThrow('500');
		await expect(write(createLog())).rejects.toThrow('422');
		await write(createLog());
		expect(sent.map(({ inDoubt }) => inDoubt)).toEqual([false, true, true]);
	});
});

describe('as a tool', () => {
	const tool = (runIndex: number) => ({ isTool: true, runIndex });

	test('a call beside one with the same values is a second write', async () => {
		const { write, sent } = execute({});
		await Promise.all([0, 1].map(async (run) => await write(createPerson('Ada'), tool(run))));
		expect(sent.map(({ inDoubt }) => inDoubt)).toEqual([false, false]);
	});

	test('calls are remembered in one place, whatever run n8n counts, until they succeed', async () => {
		const { write, open, stored } = execute(lost, {});
		await expect(write(createLog(), tool(0))).rejects.toThrow('500');
		open(tool(0)).forget();
		const { writes } = stored as { writes: Record<string, IDataObject> };
		expect(Object.keys(writes)).toEqual(['tool']);
		expect(Object.keys(writes.tool)).toHaveLength(1);
		await write(createLog(), tool(4));
		expect(writes).toEqual({ tool: {} });
	});
});

test('says what became of an item when the node ran before', async () => {
	const { write, open } = execute({}, lost, refused);
	for (const item of [0, 1, 2]) await write(createPerson('Ada'), { item }).catch(() => undefined);
	const again = open({});
	const found = [0, 1, 2, 3].map(
		(item) => again.find(again.nameOf({ ...createPerson('Ada'), item })).is,
	);
	expect(found).toEqual(['done', 'doubt', 'unknown', 'unknown']);
});
