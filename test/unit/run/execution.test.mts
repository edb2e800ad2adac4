import type { IExecuteFunctions } from 'n8n-workflow';
import { readExecution } from '../../../nodes/PageAudience/run/plan.ts';

/** What n8n tells. */
const usual = {
	...{ type: 'pageAudience', name: 'Page Audience', runIndex: 0 },
	...{ executionId: '1', workflowId: 'workflow', instanceId: 'instance' },
	begun: { establishedAt: 1 } as { establishedAt: number } | undefined,
	/** Before n8n had execution contexts. */
	isOld: false,
};
type Situation = Partial<typeof usual>;

function read(situation: Situation = {}) {
	const told = { ...usual, ...situation };
	const context: object = {
		getNode: () => ({ name: told.name, type: told.type }),
		getExecutionId: () => told.executionId,
		getInstanceId: () => told.instanceId,
		getWorkflow: () => ({ id: told.workflowId }),
		getWorkflowDataProxy: () => ({ $runIndex: told.runIndex }),
		...(!told.isOld && { getExecutionContext: () => told.begun }),
	};
	return readExecution(context as IExecuteFunctions);
}

const json = { email: 'ada@x.example' };

describe('the key of an item', () => {
	const key = read().keyFor(json, 0, 'crm');

	test('is the same in a Retry of the execution', () => {
		expect(read({ executionId: '2' }).keyFor(json, 0, 'crm')).toBe(key);
	});

	test.each<[what: string, situation: Situation, item: number, other: object, of: string]>([
		['another item', {}, 1, json, 'crm'],
		['another content', {}, 0, { email: 'bea@x.example' }, 'crm'],
		['what is written of an item that two executions share', {}, 0, json, 'shop'],
		['another execution', { begun: { establishedAt: 2 } }, 0, json, 'crm'],
		['another node', { name: 'Other' }, 0, json, 'crm'],
		['another run of the node', { runIndex: 1 }, 0, json, 'crm'],
		['another workflow', { workflowId: 'other' }, 0, json, 'crm'],
		['another n8n', { instanceId: 'other' }, 0, json, 'crm'],
	])('differs for %s', (_, situation, item, other, of) => {
		expect(read(situation).keyFor({ ...other }, item, of)).not.toBe(key);
	});

	test.each<[what: string, situation: Situation]>([
		['an older n8n', { isOld: true }],
		['a tool call', { type: 'pageAudienceTool' }],
		['an n8n that does not tell when the execution began', { begun: undefined }],
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
