import { type Execution, itemsOf, type JsonObject } from '../../tools/n8n/execution.mts';
import type { CredentialReference, WorkflowNode } from '../../tools/n8n/workflow.mts';
import { openScriptedModel, type ScriptedModel, type Turn } from './scriptedModel.mts';
import { credentialType, describeNode, type N8nSetup, startNode } from './n8nSetup.mts';

export const agent = 'Agent';
/** The name of the node, and with it of the tool. */
export const tool = 'Page_Audience';
const chatModel = 'Model';
/** The newest version of n8n's agent node. */
const newest = 3.1;

/** The agent's own input item. Its tools must send nothing of it. */
export const agentItem = { question: 'What happened?', secret: 'Of the agent alone' };

/** What the editor stores for "Let the model define this parameter". It makes the key from the label. */
export const fromModel = (key: string, type: 'string' | 'number' | 'json' = 'string'): string =>
	`={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${key}', \`\`, '${type}') }}`;

/** Person Log > Create, with all that it needs from the model. */
export const createLogFromModel = {
	resource: 'personLog',
	operation: 'create',
	source: fromModel('Source'),
	type: fromModel('Type'),
	payload: fromModel('Payload_JSON', 'json'),
	person: { email: fromModel('Email') },
};

/** The action node as a tool. */
export const describeTool = (
	{ credential }: Pick<N8nSetup, 'credential'>,
	parameters: JsonObject,
	settings: JsonObject = {},
): WorkflowNode =>
	describeNode(tool, 'n8n-nodes-page-audience.pageAudienceTool', parameters, {
		position: [420, 240],
		credentials: { [credentialType]: credential },
		...settings,
	});

/** n8n's AI Agent, with a scripted model. */
export class Agent {
	readonly model: ScriptedModel;
	readonly #setup: N8nSetup;
	readonly #openAiApi: CredentialReference;

	private constructor(setup: N8nSetup, model: ScriptedModel, openAiApi: CredentialReference) {
		this.#setup = setup;
		this.model = model;
		this.#openAiApi = openAiApi;
	}

	static async open(setup: N8nSetup): Promise<Agent> {
		const model = await openScriptedModel();
		const data = { apiKey: 'no-key', url: model.url };
		const openAiApi = await setup.client.createCredential('openAiApi', 'Scripted model', data);
		return new Agent(setup, model, openAiApi);
	}

	/** Runs the agent with this tool to the end of the script. */
	async run(node: WorkflowNode, turns: Turn[], version = newest): Promise<Execution> {
		this.model.setTurns(...turns, { say: 'Done.' });
		const { client } = this.#setup;
		const id = await this.createWorkflow(node, version);
		const execution = await client.waitForExecution(await client.runWorkflow(id, startNode));
		expect(execution.error).toBeUndefined();
		expect(itemsOf(execution, agent).map(({ json }) => json)).toEqual([{ output: 'Done.' }]);
		return execution;
	}

	/** A workflow of an agent with this node as its tool. */
	async createWorkflow(
		node: WorkflowNode,
		version = newest,
		options: JsonObject = {},
	): Promise<string> {
		const prompt = { promptType: 'define', text: '={{ $json.question }}', options };
		const model = { __rl: true, mode: 'id', value: 'scripted' };
		return await this.#setup.createWorkflow({
			name: 'Agent',
			// The editor's default. In the old order the agent continues before its tools have run.
			settings: { executionOrder: 'v1' },
			nodes: [
				describeNode(startNode, 'n8n-nodes-base.manualTrigger', {}),
				describeNode(agent, '@n8n/n8n-nodes-langchain.agent', prompt, {
					typeVersion: version,
					position: [220, 0],
				}),
				describeNode(
					chatModel,
					'@n8n/n8n-nodes-langchain.lmChatOpenAi',
					{ model, responsesApiEnabled: false },
					{
						typeVersion: 1.3,
						position: [180, 240],
						credentials: { openAiApi: this.#openAiApi },
					},
				),
				node,
			],
			connections: {
				[startNode]: { main: [[{ node: agent, type: 'main', index: 0 }]] },
				[chatModel]: { ai_languageModel: [[{ node: agent, type: 'ai_languageModel', index: 0 }]] },
				[node.name]: { ai_tool: [[{ node: agent, type: 'ai_tool', index: 0 }]] },
			},
			pinData: { [startNode]: [{ json: agentItem }] },
		});
	}

	close(): void {
		this.model.close();
	}
}
