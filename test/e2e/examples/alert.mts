import {
	findAlertDeviations,
	readAlert,
	sendFailedEnrichment,
} from '../../../tools/start/alert.mts';
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
