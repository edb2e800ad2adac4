import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type INode, type INodeTypeDescription, NodeHelpers } from 'n8n-workflow';
import type { WorkflowNode } from '../../../tools/n8n/workflow.mts';
import { root } from '../../../tools/root.mts';
import { exampleNames, examples, readExample } from '../../../tools/start/starter.mts';
import { openStage } from '../../n8n/stage.mts';

const stage = openStage();
const folder = join(root, 'examples');

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

test('every file is offered at start-up and listed in the README of the folder', () => {
	const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
	const offered = Object.values(examples).map((name) => `${name}.json`);
	expect(files.sort()).toEqual(offered.sort());
	const readme = readFileSync(join(folder, 'README.md'), 'utf8');
	for (const example of exampleNames)
		expect(readme).toContain(`[${readExample(example).name}](${examples[example]}.json)`);
});

describe.each(exampleNames)('%s', (example) => {
	const { nodes } = readExample(example);

	test('sets only parameters that its nodes have, to values that n8n takes', () => {
		for (const node of nodes) {
			const description = describeNode(node);
			const { properties } = description;
			const stored = { ...node, id: node.name } as INode;
			// n8n leaves out parameters that the node does not have or does not show.
			const read = NodeHelpers.getNodeParameters(
				properties,
				stored.parameters,
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
	});

	test('uses no code, no credential, and no webhook ID of another n8n', () => {
		for (const { type, credentials, webhookId } of nodes) {
			expect(type).toMatch(/^n8n-nodes-(base|page-audience)\./);
			expect(type).not.toMatch(/\.(code|function|httpRequest|executeCommand)/i);
			expect([credentials, webhookId]).toEqual([undefined, undefined]);
		}
	});
});
