import { itemsOf, listFailures, type Execution } from '../../../tools/n8n/execution.mts';
import type { Workbench } from '../workbench.mts';
import { importExample, ImportedExample } from './importing.mts';

/** `open` gives the bench that all examples share. */
export const describeDeaf = (open: () => Workbench): void =>
	describe('the check of a subscription', () => {
		const example = ImportedExample.use(open, 'deaf');

		test('is silent while the workflow of the trigger is published, and alerts otherwise', async () => {
			const { client, bench } = example;
			const listening = await importExample(bench, 'alert');
			const [before] = readDeafAlerts(await example.run());
			expect(before).toContain('A Page Audience trigger misses events:\n•');
			expect(before).toContain('subscription_5wrgdoug8m935x81jti8o2hljt');

			await client.publish(listening.id);
			expect(findDeafDeviations(await example.run())).toEqual([]);

			// n8n no longer takes deliveries, but the subscription still delivers to it.
			const subscription = bench.sandbox.store.subscriptions.find(({ url }) =>
				url.startsWith(client.session.url),
			);
			const registered = { ...subscription };
			await client.unpublish(listening.id);
			Object.assign(subscription ?? {}, registered);
			const [after] = readDeafAlerts(await example.run());
			expect(after).toContain('No published workflow listens at');
			await client.deleteWorkflow(listening.id);
		});
	});

/** The nodes of the example that the check reads. */
const deafNodes = { check: 'Check the subscription', alert: 'Alert' };

/** The messages that the workflow would send. */
const readDeafAlerts = (execution: Execution): string[] =>
	itemsOf(execution, deafNodes.alert).map(({ json }) => String(json.text));

/** The deviations from a trigger that hears everything. */
function findDeafDeviations(execution: Execution): string[] {
	const checked = itemsOf(execution, deafNodes.check);
	return [
		...listFailures(execution),
		...(checked.length === 1 ? [] : [`${checked.length} subscriptions were checked`]),
		...readDeafAlerts(execution),
	];
}
