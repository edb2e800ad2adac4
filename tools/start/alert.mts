import { makeExampleData, type Delivery, type Sandbox } from '../../sandbox/index.mts';
import type { N8nClient } from '../n8n/client.mts';
import { itemsOf, listFailures, type Execution } from '../n8n/execution.mts';
import { collectExecutions } from './publishing.mts';

/** The node of the example that the check reads. */
const alertNode = 'Alert';

export type AlertOutcome = { executions: Execution[]; deliveries: Delivery[] };

/** Lets the sandbox send the event of a failed enrichment, and waits for the executions. */
export async function sendFailedEnrichment(
	client: N8nClient,
	sandbox: Sandbox,
	workflowId: string,
	data = makeExampleData(sandbox.store, 'form.enrichment_failed'),
): Promise<AlertOutcome> {
	let deliveries: Delivery[] = [];
	const executions = await collectExecutions(client, workflowId, async () => {
		deliveries = await sandbox.emit('form.enrichment_failed', data);
	});
	return { executions, deliveries };
}

export const readAlert = ({ executions: [first] }: AlertOutcome): string =>
	String((first && itemsOf(first, alertNode)[0]?.json.text) ?? '');

/** Returns the deviations from what was expected. */
export function findAlertDeviations(outcome: AlertOutcome): string[] {
	const { executions, deliveries } = outcome;
	const found: string[] = [];
	const taken = deliveries.filter(({ status }) => status === 200);
	if (taken.length !== 1) found.push(`${taken.length} deliveries got the response 200`);
	if (executions.length !== 1) found.push(`one event led to ${executions.length} executions`);
	found.push(...executions.flatMap(listFailures));
	const alert = readAlert(outcome);
	for (const expected of ['Nora Lindgren', 'Product demo', 'no company found', 'submission_1']) {
		if (!alert.includes(expected)) found.push(`the alert does not say "${expected}"`);
	}
	return found;
}
