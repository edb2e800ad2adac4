import { type Execution, itemsOf, type JsonObject } from '../../tools/n8n/execution.mts';
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

test('two nodes of a workflow, one of them in a loop, each skip what they have written', async () => {
	const { nodes, connections, ...rest } = describeWorkflow(parameters, stage.credential);
	const loop = {
		name: 'Loop',
		type: 'n8n-nodes-base.splitInBatches',
		typeVersion: 3,
		position: [110, 0] as [number, number],
		parameters: { batchSize: 4 },
	};
	// The first output of the loop has the records of all batches, written and skipped.
	const recordId = '={{ $json.idempotencyKey }}';
	const after = {
		...nodes[1],
		name: 'After',
		parameters: { ...parameters, source: 'after', recordId, recordVersion: '1' },
	};
	const to = (node: string) => [{ node, type: 'main' as const, index: 0 }];
	const id = await stage.createWorkflow({
		...rest,
		nodes: [...nodes, loop, after],
		connections: {
			...connections,
			[startNode]: { main: [to('Loop')] },
			Loop: { main: [to('After'), to(tested)] },
			[tested]: { main: [to('Loop')] },
		},
		settings: { executionOrder: 'v1' },
	});
	const contacts = makeContacts(10);
	expect(await stage.finish(id, contacts)).toMatchObject({ status: 'success' });
	expect(bodies()).toHaveLength(20);
	contacts[9].modified = '2026-01-02';
	const second = await stage.finish(id, contacts);
	expect(second.status).toBe('success');
	expect(second.nodes[tested]).toHaveLength(3);
	expect(bodies().slice(20)).toHaveLength(2);
	const [, , last] = second.nodes[tested];
	expect(last.hints[0].message).toBe('1 written, 1 skipped');
});

test('n8n killed in a night and again in its Retry has written each record once after the next night', async () => {
	const count = 300;
	// n8n retries a crashed execution from the last node that it has saved.
	const workflow = await stage.createWorkflow({
		...describeWorkflow(parameters, stage.credential),
		settings: { saveExecutionProgress: true },
	});
	const contacts = makeContacts(count);
	const { sandbox } = stage;
	// Slow enough to kill n8n in the middle.
	sandbox.latencyMs = 300;
	const killAfter = async (requests: number) => {
		await waitFor('the requests', () => sandbox.requests.length >= requests);
		await stage.restart('kill');
	};
	const killed = await stage.start(workflow, contacts);
	await killAfter(50);
	// Only then n8n accepts a Retry. It never says so of a Retry that was itself killed.
	await waitFor('the crash', async () => {
		return (await stage.client.getExecution(killed)).status === 'crashed';
	});
	const before = sandbox.requests.length;
	await stage.retry(workflow, killed);
	await killAfter(before + 50);
	expect(sandbox.requests.length).toBeLessThan(2 * count);
	sandbox.latencyMs = 0;

	const last = await stage.finish(workflow, contacts);
	expect(last.status).toBe('success');
	expect(itemsOf(last, tested)).toHaveLength(count);
	expect(new Set(bodies().map(({ idempotencyKey }) => idempotencyKey)).size).toBe(count);
	expect([...sandbox.store.personLogs]).toHaveLength(count);
	const sent = bodies().length;
	expect(countSkipped(await stage.finish(workflow, contacts))).toBe(count);
	expect(bodies()).toHaveLength(sent);
}, 600_000);
