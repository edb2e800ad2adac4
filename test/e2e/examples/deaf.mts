import { publish, unpublish } from '../../../tools/start/publishing.mts';
import { findDeafDeviations, readDeafAlerts } from '../../../tools/start/deaf.mts';
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

			await publish(client, listening);
			expect(findDeafDeviations(await example.run())).toEqual([]);

			// n8n no longer takes deliveries, but the subscription still delivers to it.
			const subscription = bench.sandbox.store.subscriptions.find(({ url }) =>
				url.startsWith(client.session.url),
			);
			const registered = { ...subscription };
			await unpublish(client, listening);
			Object.assign(subscription ?? {}, registered);
			const [after] = readDeafAlerts(await example.run());
			expect(after).toContain('No published workflow listens at');
			await client.deleteWorkflow(listening.id);
		});
	});
