import { type INode, type INodeTypeDescription, NodeHelpers } from 'n8n-workflow';
import type { WorkflowNode } from '../../../tools/n8n/workflow.mts';
import { exampleNames, readExample } from '../../../tools/start/starter.mts';
import { openStage } from '../../n8n/stage.mts';

const stage = openStage();

let descriptions: INodeTypeDescription[];
beforeAll(async () => {
	const response = await stage.client.session.send('GET', '/types/nodes.json');
	descriptions = (await response.json()) as INodeTypeDescription[];
});

/** The node's description in n8n, for its own nodes and the package's. */
function describeNode({ type, typeVersion }: WorkflowNode): INodeTypeDescription {
	const found = descriptions.find(
		({ name, version }) => name === type && [version].flat().includes(typeVersion),
	);
	if (!found) throw new Error(`n8n has no ${type} of version ${typeVersion}`);
	return found;
}

test.each(exampleNames)(
	'%s sets only parameters that its nodes have, to values that n8n takes',
	(example) => {
		for (const node of readExample(example).nodes) {
			const description = describeNode(node);
			const { properties } = description;
			const stored = { ...node, id: node.name } as INode;
			const given = stored.parameters;
			// n8n leaves out parameters that the node does not have or does not show.
			const read = NodeHelpers.getNodeParameters(
				properties,
				given,
				true,
				false,
				stored,
				description,
			);
			expect([node.name, read]).toMatchObject([node.name, node.parameters]);
			const whole = { ...stored, parameters: read ?? {} };
			const issues = NodeHelpers.getNodeParametersIssues(properties, whole, description);
			expect([node.name, issues]).toEqual([node.name, null]);
		}
	},
);
