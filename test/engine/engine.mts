import { DataDeduplicationService, WorkflowExecute } from 'n8n-core';
import type {
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodePropertyOptions,
	INodeType,
	IRunExecutionData,
} from 'n8n-workflow';
import { NodeConnectionTypes, NodeHelpers, Workflow } from 'n8n-workflow';
import { PageAudience } from '../../nodes/PageAudience/PageAudience.node.ts';
import { EntryDatabase } from '../entryDatabase.mts';
import { makeAdditionalData } from './additionalData.mts';

/** What nodes remember across executions, as in n8n's database. */
export const entries = new EntryDatabase();
void DataDeduplicationService.init(entries);

/** The node as n8n knows it in a workflow. */
export const nodeTypeName = 'n8n-nodes-page-audience.pageAudience';

/** Every operation that the panel offers, as `resource.operation`. */
export const allOperations = new PageAudience().description.properties
	.filter(({ name }) => name === 'operation')
	.flatMap(({ displayOptions, options }) =>
		(options as INodePropertyOptions[]).map(
			({ value }) => `${String(displayOptions?.show?.resource?.[0])}.${value}`,
		),
	);

export interface Run {
	parameters: INodeParameters;
	/** The json of each input item. */
	items?: IDataObject[];
	/** A node before the items, by its name, and what it outputs. */
	before?: { name: string; items: IDataObject[] };
	credential: { baseUrl: string; apiKey: string };
	onError?: INode['onError'];
	/** More settings of the node, e.g. retryOnFail. */
	settings?: Partial<INode>;
	/** Cancels the execution when it fires. */
	signal?: AbortSignal;
	/** IANA name of the workflow's time zone. */
	timezone?: string;
	/** As n8n runs the node for an AI agent. */
	asTool?: boolean;
	/** Where n8n takes webhooks. */
	webhookBaseUrl?: string;
	/** Changes the node before it runs. */
	prepare?: (node: PageAudience) => void;
	/** The execution of which this is n8n's Retry, with the parameters as they are now. */
	retryOf?: RunResult;
	/** Changes what n8n hands to the node, each time it runs the node. */
	handOver?: (context: IExecuteFunctions) => void;
}

export interface RunResult {
	/** The items of the node's first output. */
	output: INodeExecutionData[];
	/** The items of the error output, if the node has one. */
	errors: INodeExecutionData[];
	/** The error that stopped the workflow. */
	error?: Error & { description?: string | null; context?: IDataObject; httpCode?: string | null };
	hints: string[];
	status: string;
	/** What nodes keep for a Retry of the execution. */
	contextData: IDataObject;
	/** As n8n stores it. */
	data: IRunExecutionData;
}

/** What a message says that nobody wrote for people. */
export const unexpectedWords =
	/TypeError|URIError|RangeError|is not a function|undefined|(?<!type-|contains |is ")\[object|[Cc]annot read|[Mm]alformed|[Cc]ircular|[Ss]erialize/;

/** The input item that an output item is linked to. */
export const originOf = ({ pairedItem }: INodeExecutionData): number | undefined =>
	typeof pairedItem === 'object' && !Array.isArray(pairedItem) ? pairedItem.item : undefined;

/** The output items that are linked to an input item. */
export const linkedTo = (output: INodeExecutionData[], item: number): INodeExecutionData[] =>
	output.filter((each) => originOf(each) === item);

/** Outputs the items of a run, in place of a trigger. */
function makeItemsNode(items: IDataObject[]): INodeType {
	return {
		description: {
			displayName: 'Items',
			name: 'items',
			group: ['trigger'],
			version: 1,
			description: '',
			defaults: {},
			inputs: [],
			outputs: ['main'],
			properties: [],
		},
		execute: async () =>
			await Promise.resolve([items.map((json, item) => ({ json, pairedItem: { item } }))]),
	};
}

/** The node of a run, with what the run changes in it. */
function makeNodeType(run: Run): INodeType {
	const nodeType = new PageAudience();
	if (run.asTool) nodeType.description = { ...nodeType.description, name: 'pageAudienceTool' };
	run.prepare?.(nodeType);
	const { execute } = nodeType;
	nodeType.execute = async function () {
		run.handOver?.(this);
		return await execute.call(this);
	};
	return nodeType;
}

const connectTo = (node: string) => ({
	main: [[{ node, type: NodeConnectionTypes.Main, index: 0 }]],
});

function makeWorkflow(run: Run): Workflow {
	const { items = [{}], before, parameters, onError, settings, timezone = 'UTC' } = run;
	const type = run.asTool ? `${nodeTypeName}Tool` : nodeTypeName;
	const types: Record<string, INodeType> = {
		before: makeItemsNode(before?.items ?? []),
		items: makeItemsNode(items),
		[type]: makeNodeType(run),
	};
	const common = { typeVersion: 1, position: [0, 0] as [number, number] };
	return new Workflow({
		id: 'workflow-1',
		name: 'Test',
		active: false,
		settings: { timezone },
		nodeTypes: {
			getByName: (name) => types[name],
			getByNameAndVersion: (name) => NodeHelpers.getVersionedNodeType(types[name], 1),
			getKnownTypes: () => ({}),
		},
		nodes: [
			...(before
				? [{ id: '0', name: before.name, type: 'before', ...common, parameters: {} }]
				: []),
			{ id: '1', name: 'Items', type: 'items', ...common, parameters: {} },
			{
				...{ id: '2', name: 'Page Audience', type, ...common, parameters, onError },
				credentials: { pageAudienceApi: { id: '1', name: 'Page Audience API' } },
				...settings,
			},
		],
		connections: {
			...(before && { [before.name]: connectTo('Items') }),
			Items: connectTo('Page Audience'),
		},
	});
}

/** Runs the node once in n8n's engine, after a node that outputs the items. */
export async function runNode(run: Run): Promise<RunResult> {
	const workflow = makeWorkflow(run);
	const additionalData = makeAdditionalData(workflow, run.credential, run.webhookBaseUrl);
	if (run.retryOf) additionalData.executionId = `retry-${++retries}`;
	const running = run.retryOf
		? new WorkflowExecute(
				additionalData,
				'retry',
				prepareRetry(run.retryOf, workflow),
			).processRunExecutionData(workflow)
		: new WorkflowExecute(additionalData, 'manual').run({
				workflow,
				startNode: workflow.getNode(run.before?.name ?? 'Items') ?? undefined,
			});
	run.signal?.addEventListener('abort', () => running.cancel());
	const { data, status } = await running;
	const taskData = data.resultData.runData['Page Audience']?.at(-1);
	const [output, errors] = taskData?.data?.main ?? [];
	return {
		output: output ?? [],
		errors: errors ?? [],
		error: data.resultData.error as RunResult['error'],
		hints: (taskData?.hints ?? []).map(({ message }) => message),
		status,
		contextData: data.executionData?.contextData ?? {},
		data,
	};
}

/** As n8n's server does it: the node that failed runs again as it is now, from what was stored when it did. */
function prepareRetry({ data }: RunResult, workflow: Workflow): IRunExecutionData {
	const retry = structuredClone({ ...data, waitTill: undefined });
	const { resultData } = retry;
	delete resultData.error;
	for (const waiting of retry.executionData?.nodeExecutionStack ?? [])
		waiting.node = workflow.nodes[waiting.node.name];
	resultData.runData[resultData.lastNodeExecuted ?? '']?.pop();
	return retry;
}

let retries = 0;
