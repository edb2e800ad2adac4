import type { INodeProperties } from 'n8n-workflow';
import type { N8nClient } from '../../../tools/n8n/client.mts';
import type { JsonObject } from '../../../tools/n8n/execution.mts';
import type { CredentialReference, WorkflowNode } from '../../../tools/n8n/workflow.mts';

const type = 'n8n-nodes-page-audience.pageAudienceTool';
/** The name of the node, and with it of the tool. */
export const tool = 'Page_Audience';

/** The action node as n8n offers it to agents. */
export class ToolNode {
	readonly #properties: INodeProperties[];
	readonly #credential: CredentialReference;

	private constructor(properties: INodeProperties[], credential: CredentialReference) {
		this.#properties = properties;
		this.#credential = credential;
	}

	static async read({ session }: N8nClient, credential: CredentialReference): Promise<ToolNode> {
		const response = await session.send('GET', '/types/nodes.json');
		const types = (await response.json()) as Array<{ name: string; properties: INodeProperties[] }>;
		const found = types.find(({ name }) => name === type);
		if (!found) throw new Error(`n8n has no ${type}`);
		return new ToolNode(found.properties, credential);
	}

	/** The parameters that the panel shows for an operation and these choices. */
	list(chosen: JsonObject): INodeProperties[] {
		return this.#properties.filter((property) => isShown(property, chosen));
	}

	/**
	 * The node with an operation. The model fills in the named parameters; `into.name` is a member of a
	 * collection.
	 */
	describe(chosen: JsonObject, names: string[], settings: JsonObject = {}): WorkflowNode {
		const parameters: JsonObject = { ...chosen };
		for (const path of names) {
			const [name, member] = path.split('.');
			const property = this.list(chosen).find((each) => each.name === name);
			if (!property) throw new Error(`The tool has no parameter ${path}`);
			parameters[name] =
				member === undefined
					? leaveToModel(property)
					: {
							...(parameters[name] as JsonObject),
							[member]: leaveToModel(findMember(property, member)),
						};
		}
		return {
			name: tool,
			type,
			typeVersion: 1,
			position: [420, 240],
			parameters,
			credentials: { pageAudienceApi: this.#credential },
			...settings,
		};
	}
}

function findMember({ options = [] }: INodeProperties, name: string): INodeProperties {
	const member = (options as INodeProperties[]).find((each) => each.name === name);
	if (!member) throw new Error(`The tool has no member ${name}`);
	return member;
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
