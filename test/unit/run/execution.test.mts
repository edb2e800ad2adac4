import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { readExecution } from '../../../nodes/PageAudience/run/plan.ts';

interface Situation {
	type?: string;
	name?: string;
	establishedAt?: number;
	runIndex?: number;
	executionId?: string;
	workflowId?: string;
	instanceId?: string;
	/** What n8n keeps of the node in the execution. */
	kept?: IDataObject;
	/** n8n does not tell when the execution began. */
	isUntold?: boolean;
	/** n8n before it had execution contexts. */
	isOld?: boolean;
	/** Its execution contexts name no trigger. */
	isN8n1?: boolean;
}

function read(situation: Situation = {}) {
	const { type = 'pageAudience', establishedAt = 1, runIndex = 0, kept = {} } = situation;
	const told = { establishedAt, ...(!situation.isN8n1 && { triggerNode: {} }) };
	const context: Partial<IExecuteFunctions> = {
		getNode: () => ({
			id: '1',
			name: situation.name ?? 'Page Audience',
			type,
			typeVersion: 1,
			position: [0, 0],
			parameters: {},
		}),
		getContext: () => kept,
		getExecutionId: () => situation.executionId ?? '1',
		getInstanceId: () => situation.instanceId ?? 'instance',
		getWorkflow: () => ({ id: situation.workflowId ?? 'workflow', active: false }),
		getWorkflowDataProxy: () => ({ $runIndex: runIndex }) as never,
		...(!situation.isOld && {
			getExecutionContext: () => (situation.isUntold ? undefined : (told as never)),
		}),
	};
	return readExecution(context as IExecuteFunctions);
}

const json = { email: 'ada@x.example' };

describe('the key of an item', () => {
	const usual = read().keyFor(json, 0, 'crm');

	test('is the same in a Retry of the execution', () => {
		expect(read({ executionId: '2' }).keyFor(json, 0, 'crm')).toBe(usual);
	});

	/** As Create or Update gives it out. The service counts and dates what happens to the account. */
	const account = { accountId: 'account_1', name: 'Alpha', outcome: 'created', order: 7 };
	const keyOf = (change: object) => read().keyFor({ ...account, ...change }, 0, 'crm');

	test('is the same in a Retry that finds the record which the execution had created', () => {
		const found = { linkedPersonsCount: 1, latestActivityAt: '2026-11-27', linkedPersons: [{}] };
		expect(keyOf({ ...found, outcome: 'unchanged' })).toBe(keyOf({ latestActivityAt: null }));
	});

	test.each([{ order: 8 }, { outcome: 'won' }, { accountId: 'account_2' }, { name: 'Beta' }])(
		'differs for a record that comes with %j',
		(change) => {
			expect(keyOf(change)).not.toBe(keyOf({}));
		},
	);

	test('takes an outcome of another kind for content', () => {
		expect(keyOf({ outcome: 'won' })).not.toBe(keyOf({ outcome: 'lost' }));
		expect(keyOf({ outcome: 'won', paidAt: '1' })).not.toBe(keyOf({ outcome: 'won', paidAt: '2' }));
	});

	test('is the same in a Retry after which an entry of a log before it is there already', () => {
		const entry = { source: 'crm', type: 'call', idempotencyKey: 'key_1' };
		const first = { ...entry, personLogId: 'log_1', createdPerson: true, alreadyWritten: false };
		const keyOfEntry = (each: object) => read().keyFor({ ...each }, 0, 'crm');
		const again = [
			{ ...first, createdPerson: false },
			{ ...entry, alreadyStored: true },
			{ ...entry, recordId: '7', alreadyWritten: true },
		].map(keyOfEntry);
		expect(again).toEqual(again.map(() => keyOfEntry(first)));
		const other = { ...first, idempotencyKey: 'key_2' };
		expect(keyOfEntry(other)).not.toBe(keyOfEntry(first));
		expect(keyOfEntry({ ...entry, createdPerson: true })).not.toBe(keyOfEntry(entry));
	});

	test.each<[what: string, situation: Situation, item: number, other: object]>([
		['another item', {}, 1, json],
		['another content', {}, 0, { email: 'bea@x.example' }],
		['another execution', { establishedAt: 2 }, 0, json],
		['another node', { name: 'Other' }, 0, json],
		['another workflow', { workflowId: 'other' }, 0, json],
		['another n8n', { instanceId: 'other' }, 0, json],
	])('differs for %s', (_, situation, item, other) => {
		expect(read(situation).keyFor({ ...other }, item, 'crm')).not.toBe(usual);
	});

	test('counts the runs of the node, and the same one again in a retry', () => {
		const kept = {};
		const keyOf = (runIndex: number) => read({ runIndex, kept }).keyFor(json, 0, 'crm');
		const keys = [0, 1, 1, 2].map(keyOf);
		expect(keys).toEqual([usual, keys[2], keys[1], keys[3]]);
		expect(new Set(keys).size).toBe(3);
	});

	// n8n keeps nothing of the node then, but counts the runs that ended before the crash.
	test('is the same in a Retry after a crash', () => {
		const [before, after] = [{}, {}];
		const keyOf = (runIndex: number, kept: IDataObject) =>
			read({ runIndex, kept }).keyFor(json, 0, 'crm');
		expect([1, 2, 3].map((index) => keyOf(index, after))).toEqual(
			[0, 1, 2].map((index) => keyOf(index, before)),
		);
	});

	test('is the same when n8n 1 begins the execution again on another worker, and in its Retry', () => {
		const keyOf = (situation: Situation) =>
			read({ isN8n1: true, ...situation }).keyFor(json, 0, 'crm');
		const kept = {};
		const first = keyOf({ kept });
		expect(keyOf({ establishedAt: 2 })).toBe(first);
		expect(keyOf({ executionId: '2', kept })).toBe(first);
		expect(keyOf({ executionId: '2' })).not.toBe(first);
		// A new database counts executions from 1.
		expect(keyOf({ establishedAt: 86_400_000 })).not.toBe(first);
	});

	test('differs for what is written of an item that two executions share', () => {
		expect(read().keyFor(json, 0, 'shop')).not.toBe(usual);
	});

	test.each<[what: string, situation: Situation]>([
		['an older n8n', { isOld: true }],
		['a tool call', { type: 'pageAudienceTool' }],
		['an n8n that does not tell when the execution began', { isUntold: true }],
	])('is new for each write of %s', (_, situation) => {
		const { keyFor } = read(situation);
		const keys = [keyFor, keyFor, read(situation).keyFor].map((each) => each(json, 0, 'crm'));
		expect(new Set(keys).size).toBe(3);
	});
});

test('knows a tool by the type of its node', () => {
	expect(read({ type: 'x.pageAudienceTool' }).isTool).toBe(true);
	expect(read({ type: 'x.pageAudience' }).isTool).toBe(false);
});
