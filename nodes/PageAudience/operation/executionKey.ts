import { createHash, randomUUID } from 'node:crypto';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

/**
 * A key for what one item of one execution writes: the same when n8n retries the execution, another one for every
 * other item and execution. As an AI tool, and where n8n does not tell when the execution began, every call is one
 * of its own: there, item and run are always the first.
 */
export function makeExecutionKey(
	context: IExecuteFunctions,
	json: IDataObject,
	index: number,
): string {
	const establishedAt = context.getExecutionContext?.()?.establishedAt;
	if (establishedAt === undefined || isTool(context)) return randomUUID();
	const { $runIndex } = context.getWorkflowDataProxy(index);
	const parts = [
		context.getInstanceId(),
		context.getWorkflow().id,
		establishedAt,
		context.getNode().name,
		$runIndex,
		index,
		json,
	];
	return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** n8n runs a node as an agent's tool under its type's name with "Tool" behind it. */
export function isTool(context: IExecuteFunctions): boolean {
	return context.getNode().type.endsWith('Tool');
}
