import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { WebhookSubscription } from '../../../sandbox/index.mts';
import { setUpScene } from '../trigger/scene.mts';
import { Trigger } from '../trigger/trigger.mts';
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

const scene = setUpScene();

/** n8n starts with the present version. */
function start(left: Left) {
	const { store } = scene.sandbox;
	const now = new Date().toISOString();
	const subscription = store.subscriptions.add({
		...left.subscription,
		createdAt: now,
		updatedAt: now,
	});
	const triggers = left.workflows.map((workflow) => {
		const trigger = new Trigger(scene.host, {
			parameters: workflow.parameters,
			credential: { baseUrl: scene.service.url, apiKey: left.apiKey },
			id: workflow.webhookId,
			workflowId: workflow.workflowId,
			address: left.address,
		});
		trigger.name = workflow.name;
		trigger.staticData = workflow.staticData ?? {};
		if (workflow.published) trigger.start();
		return trigger;
	});
	return { subscription, triggers, last: triggers[triggers.length - 1] };
}

/** Where the registered URL leads in this process. */
const deliveryUrl = ({ url }: State): string => {
	const { pathname, search } = new URL(url);
	return scene.host.url + pathname + search;
};

async function publishToRestore(trigger: Trigger): Promise<void> {
	trigger.parameters = { ...trigger.parameters, options: {} };
	await trigger.publish();
}

async function expectRestored(left: Left) {
	const { subscription, triggers } = start(left);
	for (const [index, { published }] of left.workflows.entries())
		if (!published) await publishToRestore(triggers[index]);
	for (const trigger of [...triggers].reverse()) await trigger.unpublish();
	expect(subscription).toMatchObject(left.restored);
	for (const { staticData } of triggers) {
		expect(JSON.stringify(staticData)).not.toContain(subscription.subscriptionId);
	}
}

const all = readFixtures<Left>('trigger');
const published = all.filter(([, { workflows }]) => workflows.every((each) => each.published));

describe.each(all)('%s', (_, left) => {
	test('unpublishing restores the subscription and forgets it', async () => {
		await expectRestored(left);
	});
});

describe.each(published)('%s', (_, left) => {
	test('takes real deliveries once, and rejects forged ones', async () => {
		const { subscription, last } = start(left);
		const body = { event: 'form.submitted', n: 1 };
		expect(await scene.deliver(deliveryUrl(subscription), body)).toBe(200);
		await scene.host.settle();
		expect(scene.host.executions).toMatchObject([{ trigger: last.id, mode: 'webhook' }]);
		const forged = new URL(deliveryUrl(subscription));
		for (const token of ['', 'A'.repeat(43), 'a'.repeat(64)]) {
			forged.searchParams.set('token', token);
			expect(await scene.deliver(forged.href, body)).toBe(401);
		}
		await scene.host.settle();
		expect(scene.host.executions).toHaveLength(1);
	});

	test('publishing again keeps what has to be restored', async () => {
		const { subscription, triggers, last } = start(left);
		await last.publish();
		expect(new URL(subscription.url).searchParams.get('token')).toMatch(/^[0-9a-f]{64}$/);
		for (const trigger of [...triggers].reverse()) await trigger.unpublish();
		expect(subscription).toMatchObject(left.restored);
	});
});
