import { parse } from 'flatted';

export type JsonObject = Record<string, unknown>;
type PairedItem = { item: number; input?: number } | number;
export type Item = {
	json: JsonObject;
	pairedItem?: PairedItem | PairedItem[];
	error?: JsonObject;
	binary?: JsonObject;
};
type ExecutionFailure = { message: string; description?: string; [key: string]: unknown };

/** One run of one node: the items of each of its outputs, in n8n's order. */
type NodeRun = {
	branches: Item[][];
	error?: ExecutionFailure;
	hints: Array<{ message: string; [key: string]: unknown }>;
};
const unfinished: readonly string[] = ['new', 'running', 'waiting'];
export const executionStatuses = [
	...unfinished,
	...['success', 'error', 'canceled', 'crashed', 'unknown'],
];
export type Execution = {
	id: string;
	workflowId: string;
	mode: string;
	/** One of `executionStatuses`. */
	status: string;
	error?: ExecutionFailure;
	nodes: Record<string, NodeRun[]>;
	/** What n8n had still to run. */
	hasWork: boolean;
};

/** Whether n8n has ended the execution, with whatever status. */
export const isOver = ({ status }: { status: string }): boolean => !unfinished.includes(status);

/** Whether the data is what the execution ended with. n8n 1 stores the status first, and the data in a second step. */
export function hasFinalData({ status, error, nodes, hasWork }: Execution): boolean {
	if (status === 'error') return error !== undefined;
	return status !== 'success' || (Object.keys(nodes).length > 0 && !hasWork);
}

export type StoredExecution = Omit<Execution, 'error' | 'nodes' | 'hasWork'> & { data: string };

type TaskData = {
	data?: { main?: Array<Item[] | null> };
	error?: ExecutionFailure;
	hints?: NodeRun['hints'];
};
type ExecutionData = {
	resultData?: { error?: ExecutionFailure; runData?: Record<string, TaskData[]> };
	executionData?: { nodeExecutionStack?: unknown[] };
};

/** Reads an execution as n8n stores it, with its data as `flatted` text. */
export function readExecution({ data, ...stored }: StoredExecution): Execution {
	// A new execution has no data yet.
	const { resultData = {}, executionData } = (parse(data) ?? {}) as ExecutionData;
	const runs = Object.entries(resultData.runData ?? {}).map(
		([name, tasks]): [string, NodeRun[]] => [name, tasks.map(readRun)],
	);
	const { id, workflowId, mode, status } = stored;
	const { error } = resultData;
	const hasWork = (executionData?.nodeExecutionStack ?? []).length > 0;
	return { id, workflowId, mode, status, error, nodes: Object.fromEntries(runs), hasWork };
}

function readRun({ data, error, hints = [] }: TaskData): NodeRun {
	return { branches: (data?.main ?? []).map((items) => items ?? []), error, hints };
}

/** The items of one output of a node, from all its runs. */
export function itemsOf(execution: Execution, node: string, branch = 0): Item[] {
	return (execution.nodes[node] ?? []).flatMap(({ branches }) => branches[branch] ?? []);
}

/** The index of the input item that an item is linked to, if it is linked to exactly one. */
export function originOf({ pairedItem }: Item): number | undefined {
	const [origin, ...others] = [pairedItem].flat();
	if (others.length > 0) return undefined;
	return typeof origin === 'object' ? origin.item : origin;
}
