import type { StoredWorkflow } from '../../../tools/n8n/workflow.mts';
import {
	findAlertDeviations,
	readAlert,
	sendFailedEnrichment,
} from '../../../tools/start/alert.mts';
import { publish, unpublish } from '../../../tools/start/publishing.mts';
import type { Workbench } from '../workbench.mts';
import { importExample } from './importing.mts';

/** `open` gives the bench that all examples share. */
export const describeAlert = (open: () => Workbench): void =>
	describe('the alert', () => {
		let bench: Workbench;
		let workflow: StoredWorkflow;
		beforeAll(async () => {
			bench = open();
			bench.sandbox.reset();
			workflow = await importExample(bench, 'alert');
			await publish(bench.client, workflow);
		});
		afterAll(async () => {
			await unpublish(bench.client, workflow);
			await bench.client.deleteWorkflow(workflow.id);
		});

		test('a failed enrichment becomes a text that says who, where and why', async () => {
			const outcome = await sendFailedEnrichment(bench.client, bench.sandbox, workflow.id);
			expect(findAlertDeviations(outcome)).toEqual([]);
			expect(readAlert(outcome)).toMatch(
				/^⚠️ The enrichment of a form failed: Nora Lindgren, nora\.lindgren@\S+ on "Product demo" \(no company found\)\nReceived \d+ \w{3} \d{4}, \d\d:\d\d\. What came: \{/,
			);
		});

		test('an event of which nothing is known is an alert all the same, with all that came', async () => {
			const data = { something: { quite: 'different' } };
			const outcome = await sendFailedEnrichment(bench.client, bench.sandbox, workflow.id, data);
			const alert = readAlert(outcome);
			expect(alert).toContain('failed: nobody is named\n');
			expect(alert).toContain('{"something":{"quite":"different"}}');
		});

		test('other events start nothing', async () => {
			const before = await bench.client.listExecutions(workflow.id);
			const deliveries = await bench.sandbox.emit('form.enriched');
			expect(deliveries.filter(({ status }) => status === 200)).toEqual([]);
			expect(await bench.client.listExecutions(workflow.id)).toHaveLength(before.length);
		});
	});
