import { randomUUID } from 'node:crypto';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { hashContent } from '../../api/canonical';

/** What tells this run of the node from every other one. */
export interface Execution {
	isTool: boolean;
	/** Another one after n8n's Retry, the same one after Retry On Fail. */
	id: string;
	/** Which time the node runs in this execution. */
	runIndex: number;
	/**
	 * A key for what one item writes: the same when n8n runs the item again, another one for every other item and
	 * execution. As an AI tool, and where n8n does not tell when the execution began, every call has a key of its
	 * own, because run and item are always the first there.
	 */
	makeKey: (json: IDataObject, item: number) => string;
}

/** n8n runs a node as an agent's tool under its type's name with "Tool" behind it. */
export function runsAsTool(context: IExecuteFunctions): boolean {
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
	return {
		isTool,
		id: context.getExecutionId(),
		runIndex,
		makeKey: (json, item) =>
			isTool || establishedAt === undefined ? randomUUID() : hashContent([...origin, item, json]),
	};
}
