import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { WebhookSubscription } from '../../../sandbox/index.mts';
import { setUpTrigger } from '../trigger/triggerSetup.mts';
import { readFixtures } from './fixtures.mts';

type State = Pick<WebhookSubscription, 'url' | 'events' | 'active'>;

/** What an earlier version left in n8n and in the service. */
interface Left {
	/** How it came to be. */
	what: string;
	/** Of that n8n. */
	address: string;
	apiKey: string;
	subscription: State & { subscriptionId: string };
	/** In the order in which they took the subscription. */
	workflows: Array<{
		workflowId: string;
		name: string;
		webhookId: string;
		parameters: INodeParameters;
		published: boolean;
		/** As n8n stores it with the workflow. */
		staticData: IDataObject | null;
	}>;
	/** How the subscription was before any of them used it. */
	restored: State;
}

const setup = setUpTrigger();

/** n8n starts with the present version. */
function start({ subscription: state, workflows, address, apiKey }: Left) {
	const now = new Date().toISOString();
	const record = { ...state, createdAt: now, updatedAt: now };
	const subscription = setup.sandbox.store.subscriptions.add(record);
	const triggers = workflows.map(({ webhookId: id, parameters, published, ...left }) => {
		const { name, workflowId, staticData } = left;
		const trigger = setup.trigger(subscription, { name, workflowId, id, address });
		trigger.parameters = parameters;
		trigger.credential.apiKey = apiKey;
		trigger.staticData = staticData ?? {};
		if (published) trigger.start();
		return trigger;
	});
	return { subscription, triggers, last: triggers[triggers.length - 1] };
}

const all = readFixtures<Left>('trigger');
const published = all.filter(([, { workflows }]) => workflows.every((each) => each.published));

test.each(all)('%s: unpublishing restores the subscription and forgets it', async (_, left) => {
	const { subscription, triggers } = start(left);
	for (const trigger of triggers.filter((each) => !each.published)) {
		trigger.parameters = { ...trigger.parameters, options: {} };
		await trigger.publish();
	}
	for (const trigger of triggers.toReversed()) await trigger.unpublish();
	expect(subscription).toMatchObject(left.restored);
	for (const { staticData } of triggers)
		expect(JSON.stringify(staticData)).not.toContain(subscription.subscriptionId);
});

test.each(published)(
	'%s: takes real deliveries once, rejects forged ones, and may be published again',
	async (_, left) => {
		const { subscription, triggers, last } = start(left);
		const body = { event: 'form.submitted', n: 1 };
		expect(await setup.deliver(subscription.url, body)).toBe(200);
		const forged = new URL(subscription.url);
		for (const token of ['', 'A'.repeat(43), 'a'.repeat(64)]) {
			forged.searchParams.set('token', token);
			expect(await setup.deliver(forged.href, body)).toBe(401);
		}
		expect(setup.n8n.executions).toMatchObject([{ trigger: last.id, mode: 'webhook' }]);
		await last.publish();
		expect(new URL(subscription.url).searchParams.get('token')).toMatch(/^[0-9a-f]{64}$/);
		for (const trigger of triggers.toReversed()) await trigger.unpublish();
		expect(subscription).toMatchObject(left.restored);
	},
);
