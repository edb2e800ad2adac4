import { setTimeout as sleep } from 'node:timers/promises';
import type { N8nClient } from '../n8n/client.mts';
import type { Execution } from '../n8n/execution.mts';
import type { StoredWorkflow } from '../n8n/workflow.mts';

const publishedWithinMs = 30_000;
const executedWithinMs = 30_000;
/** A second execution of the same event would start within this time. */
const settledMs = 1_000;

type PublicationStatus = {
	status?: string;
	triggers?: Array<{ errorMessage?: string | null }>;
};

/** Publishes the workflow and waits until its trigger is registered. Throws with n8n's reasons if that fails. */
export async function publish(client: N8nClient, { id, name }: StoredWorkflow): Promise<void> {
	// A new start has a new sandbox, whose subscriptions do not deliver to this trigger.
	if ((await client.getWorkflow(id)).active) await client.deactivate(id);
	await client.activate(id);
	const deadline = Date.now() + publishedWithinMs;
	for (;;) {
		const { status, triggers = [] }: PublicationStatus = await client.publicationStatus(id);
		if (status === 'published') return;
		const reasons = triggers.flatMap(({ errorMessage }) => errorMessage ?? []).join('; ');
		// n8n says `not_published` until it has begun.
		const isOver = status !== 'in_progress' && status !== 'not_published';
		if (isOver || Date.now() > deadline) {
			throw new Error(`Could not publish "${name}" (status ${status}). ${reasons}`);
		}
		await sleep(100);
	}
}

/** Unpublishes the workflow and waits until its trigger has restored the subscription. */
export async function unpublish(client: N8nClient, { id, name }: StoredWorkflow): Promise<void> {
	await client.deactivate(id);
	const deadline = Date.now() + publishedWithinMs;
	while ((await client.publicationStatus(id)).status !== 'not_published') {
		if (Date.now() > deadline) throw new Error(`"${name}" is still published`);
		await sleep(100);
	}
}

/** Calls `start`, and waits for the executions of the published workflow that it leads to. */
export async function collectExecutions(
	client: N8nClient,
	workflowId: string,
	start: () => Promise<unknown>,
): Promise<Execution[]> {
	const before = (await client.listExecutions(workflowId)).map(({ id }) => id);
	await start();
	const listNew = async () =>
		(await client.listExecutions(workflowId)).filter(({ id }) => !before.includes(id));
	const deadline = Date.now() + executedWithinMs;
	while ((await listNew()).length === 0 && Date.now() < deadline) await sleep(100);
	await sleep(settledMs);
	const executions: Execution[] = [];
	for (const { id } of await listNew()) executions.push(await client.waitForExecution(id));
	return executions;
}
