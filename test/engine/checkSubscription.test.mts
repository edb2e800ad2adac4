import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { WebhookSubscription } from '../../sandbox/index.mts';
import type { Run } from './engine.mts';
import { setUpActionNode } from './actionNodeSetup.mts';
import { requestLimits } from '../groups.mts';

/* Each message is in test/unit/resources/health.test.mts. */

const setup = setUpActionNode();
let subscriptions: WebhookSubscription[];
const n8n = { url: 'https://n8n.example' };

beforeEach(() => {
	subscriptions = setup.sandbox.store.subscriptions.all().slice(0, 2);
	for (const subscription of subscriptions)
		Object.assign(subscription, {
			url: `${n8n.url}/webhook/known?token=secret`,
			events: ['form.submitted', 'form.enriched'],
			active: true,
		});
});

const check = async (expected: INodeParameters = {}, more: Partial<Run> = {}) =>
	await setup.run(
		{
			resource: 'webhookSubscription',
			operation: 'check',
			subscriptionId: '={{ $json.id }}',
			expected,
			options: requestLimits({ maxRetries: 0 }),
		},
		subscriptions.map(({ subscriptionId }) => ({ id: subscriptionId })),
		{ webhookBaseUrl: n8n.url, ...more },
	);

const problemsOf = (json: IDataObject) =>
	(json.problems as Array<{ problem: string }>).map(({ problem }) => problem);

test('a subscription that delivers to this n8n is healthy', async () => {
	const { output } = await check({ events: ['form.submitted'] });
	expect(output.map(({ json }) => json)).toEqual(
		subscriptions.map(({ subscriptionId, events }) => ({
			subscriptionId,
			healthy: true,
			problems: [],
			active: true,
			events,
			deliversTo: `${n8n.url}/webhook/known`,
		})),
	);
});

test('says everything that is wrong with each one', async () => {
	const url = 'https://other.example/hook?key=secret';
	Object.assign(subscriptions[0], { active: false, events: ['form.enriched'], url });
	subscriptions[1].url = `${n8n.url}/webhook-test/a/webhook`;
	const { output } = await check({ events: ['form.submitted', 'form.enriched'] });
	expect(output.map(({ json }) => [json.healthy, problemsOf(json)])).toEqual([
		[false, ['inactive', 'events', 'url']],
		[false, ['url']],
	]);
	expect(JSON.stringify(output)).toContain(`to https://other.example/hook, not to ${n8n.url}.`);
});

test.each([404, 410])('a subscription that is gone (%d) is an answer', async (status) => {
	const [gone, other] = subscriptions.map(({ subscriptionId }) => subscriptionId);
	setup.sandbox.faults.add({ path: new RegExp(gone), kind: 'status', status });
	const { output } = await check({ url: `${n8n.url}/webhook/known` });
	expect(output.map(({ json }) => [json.subscriptionId, problemsOf(json)])).toEqual([
		[gone, ['gone']],
		[other, []],
	]);
	const nothing = { active: null, events: null, deliversTo: null };
	expect(output[0].json).toMatchObject({ healthy: false, ...nothing });
});

test.each([
	[200, 'responded with something other than a record with subscriptionId (200)'],
	[500, '(500)'],
])('an error with status %d is a failure, and no false alarm', async (status, message) => {
	setup.sandbox.faults.add({ kind: 'answer', status, body: { error: 'Locked' } });
	const { output, errors } = await check({}, { onError: 'continueErrorOutput' });
	expect(errors.map(({ json }) => json.error)).toEqual([expect.stringContaining(message)]);
	expect(output.map(({ json }) => json.healthy)).toEqual([true]);
});
