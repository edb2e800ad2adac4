import type { INodeProperties } from 'n8n-workflow';
import type { N8nClient } from '../../tools/n8n/client.mts';
import { type Execution, itemsOf, type JsonObject } from '../../tools/n8n/execution.mts';
import type { CredentialReference, WorkflowNode } from '../../tools/n8n/workflow.mts';
import { openScriptedModel, type ScriptedModel, type Turn } from './scriptedModel.mts';
import { credentialType, type Stage, startNode } from './stage.mts';

export const agent = 'Agent';
/** The name of the node, and with it of the tool. */
export const tool = 'Page_Audience';
const chatModel = 'Model';
/** The newest version of n8n's agent node. */
const newest = 3.1;

/** The agent's own input item. Its tools must send nothing of it. */
export const agentItem = { question: 'What happened?', secret: 'Of the agent alone' };

/** What an agent's workflow is made of. */
type Ingredients = Pick<Stage, 'client' | 'credential'>;

/** n8n's AI Agent, with a scripted model and the action node as its tool. */
export class Agent {
	readonly model: ScriptedModel;
	readonly #client: N8nClient;
	readonly #credential: CredentialReference;
	readonly #openAiApi: CredentialReference;
	readonly #properties: INodeProperties[];

	private constructor(
		{ client, credential }: Ingredients,
		model: ScriptedModel,
		openAiApi: CredentialReference,
		properties: INodeProperties[],
	) {
		this.#client = client;
		this.#credential = credential;
		this.model = model;
		this.#openAiApi = openAiApi;
		this.#properties = properties;
	}

	static async open(ingredients: Ingredients): Promise<Agent> {
		const { client } = ingredients;
		const model = await openScriptedModel();
		const data = { apiKey: 'no-key', url: model.url };
		const openAiApi = await client.createCredential('openAiApi', 'Scripted model', data);
		return new Agent(ingredients, model, openAiApi, await readToolProperties(client));
	}

	/** Runs the agent with this tool to the end of the script. */
	async run(node: WorkflowNode, turns: Turn[], version = newest): Promise<Execution> {
		this.model.play(...turns, { say: 'Done.' });
		const id = await this.createWorkflow(node, version);
		const execution = await this.#client.waitForExecution(
			await this.#client.runWorkflow(id, startNode),
		);
		expect(execution.error).toBeUndefined();
		expect(itemsOf(execution, agent).map(({ json }) => json)).toEqual([{ output: 'Done.' }]);
		return execution;
	}

	/** A workflow of an agent with this node as its tool. */
	async createWorkflow(node: WorkflowNode, version = newest): Promise<string> {
		const workflow = describeAgent(node, this.#openAiApi, version);
		const { session } = this.#client;
		return (await session.request<{ id: string }>('POST', '/rest/workflows', workflow)).id;
	}

	/** The parameters that the tool's panel shows for an operation and these choices. */
	listParameters(chosen: JsonObject): INodeProperties[] {
		return this.#properties.filter((property) => isShown(property, chosen));
	}

	/** The tool with an operation. The model fills in the named parameters; `into.name` is a member of a collection. */
	describeTool(chosen: JsonObject, names: string[], settings: JsonObject = {}): WorkflowNode {
		const parameters: JsonObject = { ...chosen };
		for (const path of names) {
			const [name, member] = path.split('.');
			const property = find(this.listParameters(chosen), name);
			parameters[name] = member
				? {
						...(parameters[name] as JsonObject),
						[member]: leaveToModel(find(property.options as INodeProperties[], member)),
					}
				: leaveToModel(property);
		}
		return {
			...describeNode(tool, 'n8n-nodes-page-audience.pageAudienceTool', 1, parameters),
			position: [420, 240],
			credentials: { [credentialType]: this.#credential },
			...settings,
		};
	}

	close(): void {
		this.model.close();
	}
}

/** What n8n makes of the action node's panel for a tool. */
async function readToolProperties({ session }: N8nClient): Promise<INodeProperties[]> {
	const response = await session.send('GET', '/types/nodes.json');
	const types = (await response.json()) as Array<{ name: string; properties: INodeProperties[] }>;
	const found = types.find(({ name }) => name === 'n8n-nodes-page-audience.pageAudienceTool');
	if (!found) throw new Error('n8n has no tool of the action node');
	return found.properties;
}

function find(properties: INodeProperties[], name: string): INodeProperties {
	const property = properties.find((each) => each.name === name);
	if (!property) throw new Error(`The tool has no parameter ${name}`);
	return property;
}

function isShown({ displayOptions = {} }: INodeProperties, chosen: JsonObject): boolean {
	const { show = {}, hide = {} } = displayOptions;
	const holds = (name: string, values: unknown[] = []) =>
		name === '@tool' ? values.includes(true) : !(name in chosen) || values.includes(chosen[name]);
	return (
		Object.entries(show).every(([name, values]) => holds(name, values)) &&
		!Object.entries(hide).some(([name, values]) => name === '@tool' && values?.includes(true))
	);
}

/** What the editor stores for "Let the model define this parameter". The label becomes the key. */
function leaveToModel({ displayName, type: kind }: INodeProperties): unknown {
	const key = displayName.replace(/[^a-zA-Z0-9-]/g, '_');
	const asked = ['number', 'boolean', 'json'].includes(kind) ? kind : 'string';
	const value = `={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${key}', \`\`, '${asked}') }}`;
	return kind === 'resourceLocator' ? { __rl: true, mode: 'id', value } : value;
}

const describeAgent = (
	node: WorkflowNode,
	openAiApi: CredentialReference,
	version: number,
): JsonObject => ({
	name: 'Agent',
	// The editor's default. In the old order the agent continues before its tools have run.
	settings: { executionOrder: 'v1' },
	nodes: [
		describeNode(startNode, 'n8n-nodes-base.manualTrigger', 1, {}),
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
		[startNode]: { main: [[{ node: agent, type: 'main', index: 0 }]] },
		[chatModel]: { ai_languageModel: [[{ node: agent, type: 'ai_languageModel', index: 0 }]] },
		[node.name]: { ai_tool: [[{ node: agent, type: 'ai_tool', index: 0 }]] },
	},
	pinData: { [startNode]: [{ json: agentItem }] },
});

function describeNode(
	name: string,
	type: string,
	typeVersion: number,
	parameters: JsonObject,
): WorkflowNode {
	return { name, type, typeVersion, position: [0, 0], parameters };
}
