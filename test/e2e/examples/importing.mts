import {
	credentialType,
	readExample,
	runOnce,
	withCredential,
	type Example,
} from '../../../tools/start/starter.mts';
import type { Execution, JsonObject } from '../../../tools/n8n/execution.mts';
import type { StoredWorkflow, WorkflowNode } from '../../../tools/n8n/workflow.mts';
import type { Workbench } from '../workbench.mts';

/** Imports the file as the editor's "Import from file" saves it, then chooses the credential in its nodes. */
export async function importExample(
	{ client, credential }: Pick<Workbench, 'client' | 'credential'>,
	example: Example,
): Promise<StoredWorkflow> {
	const { id, nodes } = await client.createWorkflow(readExample(example));
	if (nodes.some(({ credentials }) => credentials?.[credentialType])) {
		throw new Error(`examples/ holds a credential: ${example}`);
	}
	return await client.updateWorkflow(id, { nodes: withCredential(nodes, credential) });
}

/** An example for the tests of one block: imported before them, deleted after them. */
export class ImportedExample {
	readonly #open: () => Workbench;
	#workflow?: StoredWorkflow;

	private constructor(open: () => Workbench) {
		this.#open = open;
	}

	/** @param open gives the bench, which is there when the first hook runs */
	static use(
		open: () => Workbench,
		example: Example,
		{ isPublished = false } = {},
	): ImportedExample {
		const imported = new ImportedExample(open);
		beforeAll(async () => {
			const bench = open();
			bench.sandbox.reset();
			imported.#workflow = await importExample(bench, example);
			if (isPublished) await bench.client.publish(imported.workflow.id);
		});
		afterAll(async () => {
			const { client, workflow } = imported;
			if (isPublished) await client.unpublish(workflow.id);
			await client.deleteWorkflow(workflow.id);
		});
		return imported;
	}

	get bench(): Workbench {
		return this.#open();
	}

	get client(): Workbench['client'] {
		return this.bench.client;
	}

	get sandbox(): Workbench['sandbox'] {
		return this.bench.sandbox;
	}

	get workflow(): StoredWorkflow {
		if (!this.#workflow) throw new Error('The example is imported before the first test');
		return this.#workflow;
	}

	async run(): Promise<Execution> {
		return await runOnce(this.client, this.workflow);
	}
}

/** Changes parameters of one node, as a person does in its panel. */
export async function changeNode(
	{ client }: Workbench,
	{ id }: StoredWorkflow,
	name: string,
	change: JsonObject,
): Promise<void> {
	const { nodes } = await client.getWorkflow(id);
	findNode(nodes, name);
	await client.updateWorkflow(id, {
		nodes: nodes.map((node) =>
			node.name === name ? { ...node, parameters: { ...node.parameters, ...change } } : node,
		),
	});
}

export function findNode(nodes: WorkflowNode[], name: string): WorkflowNode {
	const node = nodes.find((each) => each.name === name);
	if (!node) throw new Error(`No node is called "${name}"`);
	return node;
}
