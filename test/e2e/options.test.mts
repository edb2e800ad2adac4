import { itemsOf, type JsonObject } from '../../tools/n8n/execution.mts';
import { openWorkbench, tested, type Workbench } from './workbench.mts';

// What n8n itself makes of options, which the engine's tests cannot show: it drops those that it takes for hidden.

let bench: Workbench;
beforeAll(async () => {
	bench = await openWorkbench();
});
beforeEach(() => bench.sandbox.reset());
afterAll(() => bench.close());

async function run(parameters: JsonObject, items: JsonObject[]): Promise<JsonObject[]> {
	const execution = await bench.runNode(parameters, items);
	expect([execution.status, execution.error]).toEqual(['success', undefined]);
	return itemsOf(execution, tested).map(({ json }) => json);
}

test('a report counts what the items wrote, in place of them', async () => {
	const log = {
		resource: 'personLog',
		operation: 'create',
		source: 'crm',
		person: { email: '={{ $json.email }}' },
		options: { report: true },
	};
	const items = ['ada@sample.example', 'noor@sample.example'].map((email) => ({ email }));
	expect(await run(log, items)).toEqual([
		{
			total: 2,
			written: 2,
			skipped: 0,
			failed: 0,
			waitedSeconds: 0,
			failures: [],
			moreFailures: 0,
		},
	]);
	expect(await run({ ...log, options: { report: true, dryRun: true } }, items)).toMatchObject([
		{ dryRun: true, total: 2, wouldWrite: 2 },
	]);
});

test('Repair turns a subscription on, and in a dry run changes nothing', async () => {
	const subscription = bench.sandbox.store.subscriptions.all()[0];
	Object.assign(subscription, { active: false, events: ['form.submitted'] });
	const check = {
		resource: 'webhookSubscription',
		operation: 'check',
		subscriptionId: { __rl: true, mode: 'id', value: subscription.subscriptionId },
		expected: { url: subscription.url, events: ['form.enriched'] },
	};
	const dry = await run({ ...check, options: { repair: true, dryRun: true } }, [{}]);
	expect(dry).toMatchObject([{ healthy: false, outcome: 'wouldUpdate' }]);
	expect(subscription.active).toBe(false);
	const real = await run({ ...check, options: { repair: true } }, [{}]);
	expect(real).toMatchObject([{ healthy: true, repaired: ['inactive', 'events'], problems: [] }]);
	expect(subscription).toMatchObject({ active: true, events: ['form.submitted', 'form.enriched'] });
});
