import { ExecutionLifecycleHooks } from 'n8n-core';
import {
	type ICredentialDataDecryptedObject,
	type ICredentialsExpressionResolveValues,
	type ICredentialsHelper,
	type IDataObject,
	type IHttpRequestOptions,
	type INode,
	type INodeParameters,
	type INodeType,
	type IWorkflowBase,
	type IWorkflowExecuteAdditionalData,
	NodeHelpers,
	Workflow,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import { PageAudienceApi } from '../../credentials/PageAudienceApi.credentials.ts';

/** Where n8n takes webhooks. */
export const n8nUrl = 'https://n8n.example';

/** The data that n8n's server passes to an execution, with a decrypted credential. */
export function makeAdditionalData(
	workflow: Workflow,
	credential: { baseUrl: string; apiKey: string },
): IWorkflowExecuteAdditionalData {
	const credentialType = new PageAudienceApi();
	const credentialsHelper: Partial<ICredentialsHelper> = {
		getParentTypes: () => [],
		isCredentialUsableByNode: () => true,
		getDecrypted: async (_data, _node, _type, mode, _execute, _raw, values) =>
			await Promise.resolve(resolveCredential(credential, mode, values)),
		preAuthentication: async () => await Promise.resolve(undefined),
		authenticate: async (data, _type, options) =>
			await credentialType.authenticate(data, options as IHttpRequestOptions),
	};
	// Only what the nodes and n8n's engine use.
	const data: Partial<IWorkflowExecuteAdditionalData> = {
		executionId: 'execution-1',
		credentialsHelper: credentialsHelper as ICredentialsHelper,
		hooks: new ExecutionLifecycleHooks('manual', 'execution-1', {
			id: workflow.id,
		} as IWorkflowBase),
		currentNodeExecutionIndex: 0,
		instanceBaseUrl: n8nUrl,
		formWaitingBaseUrl: n8nUrl,
		webhookWaitingBaseUrl: `${n8nUrl}/webhook-waiting`,
		variables: {},
	};
	return data as IWorkflowExecuteAdditionalData;
}

/** As n8n's server resolves the expressions in a credential. */
function resolveCredential(
	credential: ICredentialDataDecryptedObject,
	mode: WorkflowExecuteMode,
	values?: ICredentialsExpressionResolveValues,
): ICredentialDataDecryptedObject {
	if (!values) return { ...credential };
	const { workflow, runExecutionData, runIndex, itemIndex, node, connectionInputData } = values;
	return workflow.expression.getParameterValue(
		{ ...credential } as INodeParameters,
		runExecutionData,
		runIndex,
		itemIndex,
		node.name,
		connectionInputData,
		mode,
		{},
	) as ICredentialDataDecryptedObject;
}

/** A workflow as n8n loads it, of nodes of these types. Each has the credential. */
export function makeWorkflow(
	types: Record<string, INodeType>,
	nodes: Array<Pick<INode, 'id' | 'name' | 'type'> & Partial<INode>>,
	workflow: Partial<ConstructorParameters<typeof Workflow>[0]>,
): Workflow {
	const common = { typeVersion: 1, position: [0, 0] as [number, number], parameters: {} };
	const credentials = { pageAudienceApi: { id: '1', name: 'Page Audience API' } };
	return new Workflow({
		...{ name: 'Test', active: false, connections: {}, settings: { timezone: 'UTC' } },
		...workflow,
		nodeTypes: {
			getByName: (name) => types[name],
			getByNameAndVersion: (name) => NodeHelpers.getVersionedNodeType(types[name], 1),
			getKnownTypes: () => ({}),
		},
		nodes: nodes.map((node) => ({ ...common, credentials, ...node })),
	});
}

/** A workflow of one node. */
export function makeWorkflowOf(
	nodeType: INodeType,
	node: Pick<INode, 'id' | 'name' | 'parameters' | 'webhookId'>,
	workflow: { id: string; active: boolean; staticData: IDataObject },
): Workflow {
	const type = `n8n-nodes-page-audience.${nodeType.description.name}`;
	return makeWorkflow({ [type]: nodeType }, [{ ...node, type }], workflow);
}
