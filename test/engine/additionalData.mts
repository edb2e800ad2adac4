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
	type IWorkflowExecuteAdditionalData,
	NodeHelpers,
	Workflow,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import { PageAudienceApi } from '../../credentials/PageAudienceApi.credentials.ts';

/** The data that n8n's server passes to an execution, with a decrypted credential. */
export function makeAdditionalData(
	workflow: Workflow,
	credential: { baseUrl: string; apiKey: string },
	webhooks = 'http://127.0.0.1',
): IWorkflowExecuteAdditionalData {
	const credentialType = new PageAudienceApi();
	const credentialsHelper: Partial<ICredentialsHelper> = {
		getParentTypes: () => [],
		isCredentialUsableByNode: () => true,
		getDecrypted: async (_data, _node, _type, mode, _execute, _raw, values) =>
			await Promise.resolve(resolveCredential(credential, mode, values)),
		preAuthentication: async () => await Promise.resolve(undefined),
		authenticate: async (
			data: ICredentialDataDecryptedObject,
			_type: string,
			options: IHttpRequestOptions,
		) => await credentialType.authenticate(data, options),
	};
	// Only what the nodes and n8n's engine use.
	const data: Partial<IWorkflowExecuteAdditionalData> = {
		executionId: 'execution-1',
		credentialsHelper: credentialsHelper as ICredentialsHelper,
		hooks: new ExecutionLifecycleHooks('manual', 'execution-1', {
			id: workflow.id,
			name: workflow.name ?? '',
			active: false,
			isArchived: false,
			createdAt: new Date(),
			updatedAt: new Date(),
			nodes: Object.values(workflow.nodes),
			connections: workflow.connectionsBySourceNode,
			activeVersionId: null,
		}),
		currentNodeExecutionIndex: 0,
		restApiUrl: 'http://127.0.0.1',
		instanceBaseUrl: 'http://127.0.0.1',
		formWaitingBaseUrl: 'http://127.0.0.1',
		webhookBaseUrl: 'http://127.0.0.1',
		webhookWaitingBaseUrl: `${webhooks}/webhook-waiting`,
		webhookTestBaseUrl: 'http://127.0.0.1',
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

/** A workflow of one node, as n8n loads it. */
export function makeWorkflowOf(
	type: INodeType,
	node: Pick<INode, 'id' | 'name' | 'parameters' | 'webhookId'>,
	workflow: { id: string; active: boolean; staticData: IDataObject },
): Workflow {
	return new Workflow({
		...workflow,
		name: 'Test',
		settings: { timezone: 'UTC' },
		nodeTypes: {
			getByName: () => type,
			getByNameAndVersion: () => NodeHelpers.getVersionedNodeType(type, 1),
			getKnownTypes: () => ({}),
		},
		nodes: [
			{
				...node,
				type: `n8n-nodes-page-audience.${type.description.name}`,
				typeVersion: 1,
				position: [0, 0],
				credentials: { pageAudienceApi: { id: '1', name: 'Page Audience API' } },
			},
		],
		connections: {},
	});
}
