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
	Workflow,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { PageAudience } from '../../nodes/PageAudience/PageAudience.node.ts';
import { EntryDatabase } from '../entryDatabase.mts';
import { makeAdditionalData, makeWorkflow } from './additionalData.mts';

/** What nodes remember across executions, as in n8n's database. */
export const entries = new EntryDatabase();
void DataDeduplicationService.init(entries);

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
	/** Changes the node before it runs. */
	prepare?: (node: PageAudience) => void;
	/** The execution of which this is n8n's Retry, with the parameters as they are now. */
	retryOf?: RunResult;
	/** Changes what n8n hands to the node, each time it runs the node. */
	handOver?: (context: IExecuteFunctions) => void;
}

export interface RunResult {
	/** The items of the node's first output, and their json. */
	output: INodeExecutionData[];
	json: IDataObject[];
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

/** The text of an item's file, which the engine without n8n's server keeps in memory. */
export const textOf = ({ binary }: INodeExecutionData, field = 'data'): string =>
	Buffer.from(binary?.[field].data ?? '', 'base64').toString();

/** Outputs the items of a run, in place of a trigger. */
const makeItemsNode = (items: IDataObject[]): INodeType => ({
	description: { ...new PageAudience().description, inputs: [], properties: [], credentials: [] },
	execute: async () =>
		await Promise.resolve([items.map((json, item) => ({ json, pairedItem: { item } }))]),
});

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

function makeWorkflowOfRun(run: Run): Workflow {
	const { items = [{}], parameters, onError, settings, timezone = 'UTC' } = run;
	const type = `n8n-nodes-page-audience.pageAudience${run.asTool ? 'Tool' : ''}`;
	const types = { items: makeItemsNode(items), [type]: makeNodeType(run) };
	const name = 'Page Audience';
	const nodes = [
		{ id: '1', name: 'Items', type: 'items' },
		{ id: '2', name, type, parameters, onError, ...settings },
	];
	return makeWorkflow(types, nodes, {
		id: 'workflow-1',
		settings: { timezone },
		connections: { Items: { main: [[{ node: name, type: NodeConnectionTypes.Main, index: 0 }]] } },
	});
}

/** Runs the node once in n8n's engine, after a node that outputs the items. */
export async function runNode(run: Run): Promise<RunResult> {
	const workflow = makeWorkflowOfRun(run);
	const additionalData = makeAdditionalData(workflow, run.credential);
	if (run.retryOf) additionalData.executionId = `retry-${++retries}`;
	const retried = run.retryOf && prepareRetry(run.retryOf, workflow);
	const execution = new WorkflowExecute(additionalData, retried ? 'retry' : 'manual', retried);
	const startNode = workflow.getNode('Items') ?? undefined;
	const running = retried
		? execution.processRunExecutionData(workflow)
		: execution.run({ workflow, startNode });
	run.signal?.addEventListener('abort', () => running.cancel());
	const { data, status } = await running;
	const taskData = data.resultData.runData['Page Audience']?.at(-1);
	const [output = [], errors = []] = (taskData?.data?.main ?? []).map((items) => items ?? []);
	return {
		output,
		json: output.map(({ json }) => json),
		errors,
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
