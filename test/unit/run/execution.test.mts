import type { IExecuteFunctions } from 'n8n-workflow';
import { readExecution } from '../../../nodes/PageAudience/run/plan.ts';

interface Situation {
	type?: string;
	name?: string;
	establishedAt?: number;
	runIndex?: number;
	executionId?: string;
	workflowId?: string;
	instanceId?: string;
	/** n8n does not tell when the execution began. */
	isUntold?: boolean;
	/** n8n before it had execution contexts. */
	isOld?: boolean;
}

function read(situation: Situation = {}) {
	const { type = 'pageAudience', establishedAt = 1, runIndex = 0 } = situation;
	const told = { establishedAt };
	const context: Partial<IExecuteFunctions> = {
		getNode: () => ({
			id: '1',
			name: situation.name ?? 'Page Audience',
			type,
			typeVersion: 1,
			position: [0, 0],
			parameters: {},
		}),
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

	test.each<[what: string, situation: Situation, item: number, other: object]>([
		['another item', {}, 1, json],
		['another content', {}, 0, { email: 'bea@x.example' }],
		['another execution', { establishedAt: 2 }, 0, json],
		['another node', { name: 'Other' }, 0, json],
		['another run of the node', { runIndex: 1 }, 0, json],
		['another workflow', { workflowId: 'other' }, 0, json],
		['another n8n', { instanceId: 'other' }, 0, json],
	])('differs for %s', (_, situation, item, other) => {
		expect(read(situation).keyFor({ ...other }, item, 'crm')).not.toBe(usual);
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
