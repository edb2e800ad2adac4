import { randomUUID } from 'node:crypto';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { hashContent } from '../../runtime/canonical';

/** Identifies this run of the node. */
export interface Execution {
	isTool: boolean;
	/** Another one after n8n's Retry, the same one after Retry On Fail. */
	id: string;
	/** Which time the node runs in this execution. */
	runIndex: number;
	/**
	 * An idempotency key for one item. It stays the same when n8n runs the item again, and differs for every other item
	 * and execution. Every call gets a new key as an AI tool, because its run and item are always the first, and where n8n
	 * does not provide the start of the execution.
	 * @param of what the key stands for: two executions may start in one millisecond with equal items
	 */
	makeKey: (json: IDataObject, item: number, of: unknown) => string;
}

/** n8n runs a node as an agent's tool under its type's name with "Tool" behind it. */
function runsAsTool(context: IExecuteFunctions): boolean {
	return context.getNode().type.endsWith('Tool');
}

export function readExecution(context: IExecuteFunctions): Execution {
	const isTool = runsAsTool(context);
	const establishedAt = context.getExecutionContext?.()?.establishedAt;
	const runIndex = Number(context.getWorkflowDataProxy(0).$runIndex ?? 0);
	const origin = [
		context.getInstanceId(),
		context.getWorkflow().id,
		establishedAt,
		context.getNode().name,
		runIndex,
	];
	const isTraceable = !isTool && establishedAt !== undefined;
	return {
		isTool,
		id: context.getExecutionId(),
		runIndex,
		makeKey: (json, item, of) =>
			isTraceable ? hashContent([...origin, item, json, of]) : randomUUID(),
	};
}
