import { makeExampleData, type Delivery, type Sandbox } from '../../../sandbox/index.mts';
import type { N8nClient } from '../../../tools/n8n/client.mts';
import { itemsOf, listFailures, type Execution } from '../../../tools/n8n/execution.mts';
import type { Workbench } from '../workbench.mts';
import { ImportedExample } from './importing.mts';

/** `open` gives the bench that all examples share. */
export const describeAlert = (open: () => Workbench): void =>
	describe('the alert', () => {
		const example = ImportedExample.use(open, 'alert', { isPublished: true });

		test('a failed enrichment becomes a message that says who, where and why', async () => {
			const outcome = await sendFailedEnrichment(
				example.client,
				example.sandbox,
				example.workflow.id,
			);
			expect(findAlertDeviations(outcome)).toEqual([]);
			expect(readAlert(outcome)).toMatch(
				/^⚠️ Form enrichment failed: Nora Lindgren, nora\.lindgren@\S+ on "Product demo" \(no company found\)\nReceived \d+ \w{3} \d{4}, \d\d:\d\d\. Received data: \{/,
			);
		});

		test('an unknown event becomes an alert with the whole delivery', async () => {
			const data = { something: { quite: 'different' } };
			const outcome = await sendFailedEnrichment(
				example.client,
				example.sandbox,
				example.workflow.id,
				data,
			);
			const alert = readAlert(outcome);
			expect(alert).toContain('failed: no name or email\n');
			expect(alert).toContain('{"something":{"quite":"different"}}');
		});

		test('other events start nothing', async () => {
			const before = await example.client.listExecutions(example.workflow.id);
			const deliveries = await example.sandbox.emit('form.enriched');
			expect(deliveries.filter(({ status }) => status === 200)).toEqual([]);
			expect(await example.client.listExecutions(example.workflow.id)).toHaveLength(before.length);
		});
	});

/** The node of the example that the check reads. */
const alertNode = 'Alert';

type AlertOutcome = { executions: Execution[]; deliveries: Delivery[] };

/** Lets the sandbox send the event of a failed enrichment, and waits for the executions. */
async function sendFailedEnrichment(
	client: N8nClient,
	sandbox: Sandbox,
	workflowId: string,
	data = makeExampleData(sandbox.store, 'form.enrichment_failed'),
): Promise<AlertOutcome> {
	let deliveries: Delivery[] = [];
	const executions = await client.collectExecutions(workflowId, async () => {
		deliveries = await sandbox.emit('form.enrichment_failed', data);
	});
	return { executions, deliveries };
}

const readAlert = ({ executions: [first] }: AlertOutcome): string =>
	String((first && itemsOf(first, alertNode)[0]?.json.text) ?? '');

/** Returns the deviations from what was expected. */
function findAlertDeviations(outcome: AlertOutcome): string[] {
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
