import { itemsOf, type Execution } from '../../../tools/n8n/execution.mts';
import type { JsonObject } from '../../../tools/n8n/execution.mts';
import type { N8nClient } from '../../../tools/n8n/client.mts';
import type {
	CredentialReference,
	StoredWorkflow,
	WorkflowNode,
} from '../../../tools/n8n/workflow.mts';
import { openWorkbench, trigger, type Workbench } from '../workbench.mts';
import { openScriptedModel, type ScriptedModel, type Turn } from './scriptedModel.mts';
import { tool, ToolNode } from './toolNode.mts';

export const agent = 'Agent';
const chatModel = 'Model';
/** The newest version of n8n's agent node. */
const newest = 3.1;

/** The agent's own input item. Its tools must send nothing of it. */
export const agentItem = { question: 'What happened?', secret: 'Of the agent alone' };

/** n8n's AI Agent with a scripted model and the action node as its tool. */
export type AgentStage = {
	bench: Workbench;
	model: ScriptedModel;
	toolNode: ToolNode;
	/** Runs the agent to the end of the script. */
	run(node: WorkflowNode, turns: Turn[], version?: number): Promise<Execution>;
	close(): Promise<void>;
};

export async function openAgentStage(): Promise<AgentStage> {
	const bench = await openWorkbench();
	const model = await openScriptedModel();
	const { client } = bench;
	const toolNode = await ToolNode.read(client, bench.credential);
	const openAiApi = await createModelCredential(client, model);

	async function run(node: WorkflowNode, turns: Turn[], version = newest): Promise<Execution> {
		model.play(...turns, { say: 'Done.' });
		const { id } = await createAgent(client, openAiApi, node, version);
		try {
			const started = await client.runWorkflow(id, trigger);
			const execution = await client.waitForExecution(started);
			expect(execution.error).toBeUndefined();
			expect(itemsOf(execution, agent).map(({ json }) => json)).toEqual([{ output: 'Done.' }]);
			return execution;
		} finally {
			await client.deleteWorkflow(id);
		}
	}
	async function close(): Promise<void> {
		model.close();
		await bench.close();
	}
	return { bench, model, toolNode, run, close };
}

export async function createModelCredential(
	client: N8nClient,
	{ url }: ScriptedModel,
): Promise<CredentialReference> {
	return await client.createCredential('openAiApi', 'Scripted model', { apiKey: 'no-key', url });
}

/** A workflow of an agent with this node as its tool. */
export async function createAgent(
	{ session }: N8nClient,
	openAiApi: CredentialReference,
	node: WorkflowNode,
	version = newest,
): Promise<StoredWorkflow> {
	return await session.request<StoredWorkflow>('POST', '/rest/workflows', {
		name: 'Agent',
		// The editor's default. In the old order the agent continues before its tools have run.
		settings: { executionOrder: 'v1' },
		nodes: [
			describeNode(trigger, 'n8n-nodes-base.manualTrigger', 1, {}),
			{
				...describeNode(agent, '@n8n/n8n-nodes-langchain.agent', version, {
					promptType: 'define',
					text: '={{ $json.question }}',
				}),
				position: [220, 0],
			},
			{
				...describeNode(chatModel, '@n8n/n8n-nodes-langchain.lmChatOpenAi', 1.3, {
					model: { __rl: true, mode: 'id', value: 'scripted' },
					responsesApiEnabled: false,
				}),
				position: [180, 240],
				credentials: { openAiApi },
			},
			node,
		],
		connections: {
			[trigger]: { main: [[{ node: agent, type: 'main', index: 0 }]] },
			[chatModel]: { ai_languageModel: [[{ node: agent, type: 'ai_languageModel', index: 0 }]] },
			[tool]: { ai_tool: [[{ node: agent, type: 'ai_tool', index: 0 }]] },
		},
		pinData: { [trigger]: [{ json: agentItem }] },
	});
}

function describeNode(
	name: string,
	type: string,
	typeVersion: number,
	parameters: JsonObject,
): WorkflowNode {
	return { name, type, typeVersion, position: [0, 0], parameters };
}
