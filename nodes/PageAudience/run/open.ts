import { type IExecuteFunctions, NodeOperationError } from 'n8n-workflow';
import type { Operation, Resource } from '../operation/operation';
import { type Execution, readExecution } from './execution';
import { Hints } from './hints';

/** One run of the node. */
export interface Run {
	context: IExecuteFunctions;
	operation: Operation;
	execution: Execution;
	/** Names the operation. */
	name: string;
	hints: Hints;
	/** An item that fails becomes an error item. Otherwise, it ends the run. */
	continueOnFail: boolean;
	/** One item that sums up the run is output in place of the items. */
	isReported: boolean;
	/** Fires when the execution is cancelled. */
	signal?: AbortSignal;
}

export function openRun(context: IExecuteFunctions, resources: Resource[]): Run {
	const { operation, name } = findOperation(context, resources);
	const execution = readExecution(context);
	return {
		context,
		operation,
		execution,
		name,
		hints: new Hints(),
		continueOnFail: context.continueOnFail(),
		// Of the run, and not of its valid items: there may be none.
		isReported:
			operation.writes !== undefined &&
			!execution.isTool &&
			context.getNodeParameter('options.report', 0, false) === true,
		signal: context.getExecutionCancelSignal(),
	};
}

function findOperation(
	context: IExecuteFunctions,
	resources: Resource[],
): { operation: Operation; name: string } {
	const chosen = {
		resource: context.getNodeParameter('resource', 0),
		// A resource that does not exist has no operation at all.
		operation: context.getNodeParameter('operation', 0, ''),
	};
	const operation = resources
		.find(({ option }) => option.value === chosen.resource)
		?.operations.find(({ option }) => option.value === chosen.operation);
	if (operation) return { operation, name: `${String(chosen.resource)}.${chosen.operation}` };
	throw new NodeOperationError(
		context.getNode(),
		`The operation '${chosen.operation}' of the resource '${chosen.resource}' does not exist`,
		{ description: "Choose a resource and an operation in the node's panel." },
	);
}
