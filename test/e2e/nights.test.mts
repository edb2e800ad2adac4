import type { JsonObject } from '../../tools/n8n/execution.mts';
import { describeWorkflow, setUpN8n, startNode, tested } from '../n8n/n8nSetup.mts';
import { onlyNewOrChanged } from '../groups.mts';

// A nightly sync: what was written before is in n8n's own database.

const setup = setUpN8n();

const parameters = {
	...{ resource: 'personLog', operation: 'create', source: 'crm', payloadMode: 'inputItem' },
	person: { email: 'ada.berg@alpha.example' },
	options: onlyNewOrChanged('={{ $json.id }}', { recordVersion: '={{ $json.modified }}' }),
};

test('a node in a loop skips what it has written', async () => {
	const { nodes, ...rest } = describeWorkflow(parameters, setup.credential);
	const type = { type: 'n8n-nodes-base.splitInBatches', typeVersion: 3 };
	const to = (node: string) => [{ node, type: 'main' as const, index: 0 }];
	const id = await setup.createWorkflow({
		...rest,
		nodes: [...nodes, { ...type, name: 'Loop', position: [110, 0], parameters: { batchSize: 4 } }],
		connections: {
			[startNode]: { main: [to('Loop')] },
			Loop: { main: [[], to(tested)] },
			[tested]: { main: [to('Loop')] },
		},
		settings: { executionOrder: 'v1' },
	});
	const contacts = Array.from({ length: 10 }, (_, n): JsonObject => ({ id: n, modified: 'v1' }));
	expect(await setup.finish(id, contacts)).toMatchObject({ status: 'success' });
	// Each of the three runs of the node asks for the tenant.
	expect(setup.sandbox.requests).toHaveLength(13);
	contacts[9].modified = 'v2';
	const second = await setup.finish(id, contacts);
	expect(second.nodes[tested].map(({ hints }) => hints[0].message)).toEqual([
		...['4 skipped', '4 skipped', '1 written, 1 skipped'],
	]);
});
