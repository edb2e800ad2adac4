import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionSummary, N8nClient } from '../tools/n8n/client.mts';
import { isOver, itemsOf, type JsonObject } from '../tools/n8n/execution.mts';
import { IncompleteError, requireSuccess } from './complete.mts';

type Ended = ExecutionSummary & { stoppedAt: string };

const patienceMs = 30_000;
const askingMs = 250;

/** Waits until at least `count` executions of a workflow have finished, and returns all of them. */
export async function waitForEnds(
	client: N8nClient,
	workflowId: string,
	count: number,
): Promise<Ended[]> {
	for (const deadline = Date.now() + patienceMs; ; ) {
		const all = (await client.listExecutions(workflowId)) as Ended[];
		const over = all.filter(isOver);
		if (over.length === all.length && all.length >= count) return all;
		if (Date.now() > deadline) {
			throw new IncompleteError(
				`${count} deliveries led to ${all.length} executions, of which ${over.length} have finished`,
			);
		}
		await sleep(askingMs);
	}
}

/** The output of a node in each execution. */
export async function readOutputs(
	client: N8nClient,
	executions: Ended[],
	node: string,
): Promise<JsonObject[]> {
	const outputs: JsonObject[] = [];
	for (const { id } of executions) {
		const execution = await client.waitForExecution(id);
		requireSuccess(execution);
		outputs.push(...itemsOf(execution, node).map(({ json }) => json));
	}
	return outputs;
}

export function endOf(executions: Ended[]): number {
	return Math.max(...executions.map(({ stoppedAt }) => Date.parse(stoppedAt)));
}

/** Deletes executions, so that every side and round starts with the same database. */
export async function discard(client: N8nClient, executions: Ended[]): Promise<void> {
	const ids = executions.map(({ id }) => id);
	await client.session.request('POST', '/rest/executions/delete', { ids });
}
