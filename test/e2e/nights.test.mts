import { type Execution, itemsOf, type JsonObject } from '../../tools/n8n/execution.mts';
import type { WorkflowNode } from '../../tools/n8n/workflow.mts';
import { waitFor } from '../waitFor.mts';
import { OwnN8n } from '../n8n/instances.mts';
import { describeWorkflow, openStage, startNode, tested } from '../n8n/stage.mts';

// A nightly sync: what was written before is in n8n's own database.

const stage = openStage({ n8n: new OwnN8n() });
beforeEach(() => stage.sandbox.reset());

const parameters = {
	resource: 'personLog',
	operation: 'create',
	source: 'crm',
	payloadMode: 'inputItem',
	write: 'changed',
	recordId: '={{ $json.id }}',
	recordVersion: '={{ $json.modified }}',
};
const makeContacts = (size: number): JsonObject[] =>
	Array.from({ length: size }, (_, id) => ({ id, modified: '2026-01-01' }));
const bodies = () =>
	stage.sandbox.requests.map(({ body }) => body as { idempotencyKey: string; payload: JsonObject });
const countSkipped = (execution: Execution): number =>
	itemsOf(execution, tested).filter(({ json }) => json.alreadyWritten).length;

test('a node in a loop skips what it has written', async () => {
	const { nodes, ...rest } = describeWorkflow(parameters, stage.credential);
	const loop: WorkflowNode = {
		name: 'Loop',
		type: 'n8n-nodes-base.splitInBatches',
		typeVersion: 3,
		position: [110, 0],
		parameters: { batchSize: 4 },
	};
	const to = (node: string) => [{ node, type: 'main' as const, index: 0 }];
	const id = await stage.createWorkflow({
		...rest,
		nodes: [...nodes, loop],
		connections: {
			[startNode]: { main: [to('Loop')] },
			Loop: { main: [[], to(tested)] },
			[tested]: { main: [to('Loop')] },
		},
		settings: { executionOrder: 'v1' },
	});
	const contacts = makeContacts(10);
	expect(await stage.finish(id, contacts)).toMatchObject({ status: 'success' });
	expect(bodies()).toHaveLength(10);
	contacts[9].modified = '2026-01-02';
	const second = await stage.finish(id, contacts);
	expect(second.nodes[tested].map(({ hints }) => hints[0].message)).toEqual([
		...['4 skipped', '4 skipped', '1 written, 1 skipped'],
	]);
});

test('n8n killed in a night has written each record once after the next night', async () => {
	const count = 300;
	const workflow = await stage.create(parameters);
	const contacts = makeContacts(count);
	const { sandbox } = stage;
	// Slow enough to kill n8n in the middle.
	sandbox.latencyMs = 300;
	await stage.start(workflow, contacts);
	await waitFor('the requests', () => sandbox.requests.length >= 50);
	await stage.restart('kill');
	expect(sandbox.requests.length).toBeLessThan(count);
	sandbox.latencyMs = 0;

	const last = await stage.finish(workflow, contacts);
	expect(last.status).toBe('success');
	expect(itemsOf(last, tested)).toHaveLength(count);
	expect(new Set(bodies().map(({ idempotencyKey }) => idempotencyKey)).size).toBe(count);
	expect([...sandbox.store.personLogs]).toHaveLength(count);
	const sent = bodies().length;
	expect(countSkipped(await stage.finish(workflow, contacts))).toBe(count);
	expect(bodies()).toHaveLength(sent);
}, 300_000);
