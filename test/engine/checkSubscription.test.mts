import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { WebhookSubscription } from '../../sandbox/index.mts';
import { n8nUrl } from './additionalData.mts';
import { setUpActionNode } from './actionNodeSetup.mts';

/* Each message is in test/unit/resources/health.test.mts. */

const setup = setUpActionNode();
const known = `${n8nUrl}/webhook/known`;
const both = ['form.submitted', 'form.enriched'];
let subscriptions: WebhookSubscription[];
beforeEach(() => {
	subscriptions = setup.sandbox.store.subscriptions.all().slice(0, 2);
	for (const each of subscriptions)
		Object.assign(each, { url: `${known}?token=secret`, events: both, active: true });
});

async function check(expected: INodeParameters = {}) {
	const operation = { resource: 'webhookSubscription', operation: 'check' };
	const parameters = { ...operation, subscriptionId: '={{ $json.subscriptionId }}', expected };
	const items = subscriptions.map(({ subscriptionId }) => ({ subscriptionId }));
	return (await setup.send(parameters, items)).json;
}

const problemsOf = (json: IDataObject) =>
	(json.problems as Array<{ problem: string }>).map(({ problem }) => problem);

test('a subscription that delivers to this n8n is healthy', async () => {
	const healthy = { healthy: true, problems: [], active: true, events: both, deliversTo: known };
	expect(await check({ events: ['form.submitted'] })).toEqual(
		subscriptions.map(({ subscriptionId }) => ({ subscriptionId, ...healthy })),
	);
});

test('says everything that is wrong with each one', async () => {
	const url = 'https://other.example/hook?key=secret';
	Object.assign(subscriptions[0], { active: false, events: ['form.enriched'], url });
	subscriptions[1].url = `${n8nUrl}/webhook-test/a/webhook`;
	const json = await check({ events: both });
	expect(json.map(({ healthy }) => healthy)).toEqual([false, false]);
	expect(json.map(problemsOf)).toEqual([['inactive', 'events', 'url'], ['url']]);
	const told = `to https://other.example/hook, not to ${n8nUrl}.`;
	expect(JSON.stringify(json)).toContain(told);
});

test.each([404, 410])('a subscription that is gone (%d) is an answer', async (status) => {
	const path = new RegExp(subscriptions[0].subscriptionId);
	setup.sandbox.faults.add({ path, kind: 'status', status });
	const [gone, other] = await check({ url: known });
	const nothing = { healthy: false, active: null, events: null, deliversTo: null };
	expect(gone).toMatchObject({ subscriptionId: subscriptions[0].subscriptionId, ...nothing });
	expect([gone, other].map(problemsOf)).toEqual([['gone'], []]);
});

test.each([
	[200, 'responded with something other than a record with subscriptionId (200)'],
	[500, '(500)'],
])('an error with status %d is a failure, and no false alarm', async (status, message) => {
	setup.sandbox.faults.add({ kind: 'answer', status, body: { error: 'Locked' } });
	const error = expect.stringContaining(message) as string;
	expect(await check()).toMatchObject([{ error }, { healthy: true }]);
});
