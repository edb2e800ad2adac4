import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { WebhookSubscription } from '../../sandbox/index.mts';
import { type Answer, type Arrival, serve } from '../localServer.mts';
import type { Run } from './engine.mts';
import { setUpActionNode } from './actionNodeSetup.mts';

/* Each message is in test/unit/resources/health.test.mts. */

const setup = setUpActionNode();
let subscriptions: WebhookSubscription[];
let n8n: Awaited<ReturnType<typeof serve>>;
let asked: string[];

/** What n8n, or something in front of it, responds. */
let respond: (arrival: Arrival) => Answer;

/** As n8n responds to browsers where there is a webhook. */
const served: Answer = {
	status: 204,
	headers: { 'access-control-allow-methods': 'OPTIONS, POST' },
};

beforeEach(async () => {
	respond = () => served;
	asked = [];
	n8n = await serve((arrival) => {
		asked.push(`${arrival.method} ${arrival.path}`);
		return respond(arrival);
	});
	subscriptions = setup.sandbox.store.subscriptions.all().slice(0, 2);
	for (const subscription of subscriptions)
		Object.assign(subscription, {
			url: `${n8n.url}/webhook/known?token=secret`,
			events: ['form.submitted', 'form.enriched'],
			active: true,
		});
});
afterEach(() => n8n.close());

const check = async (expected: INodeParameters = {}, more: Partial<Run> = {}) =>
	await setup.run(
		{
			resource: 'webhookSubscription',
			operation: 'check',
			subscriptionId: '={{ $json.id }}',
			expected,
			options: { maxRetries: 0 },
		},
		subscriptions.map(({ subscriptionId }) => ({ id: subscriptionId })),
		{ webhookBaseUrl: n8n.url, ...more },
	);

const problemsOf = (json: IDataObject) =>
	(json.problems as Array<{ problem: string }>).map(({ problem }) => problem);
const messagesOf = (json: IDataObject) =>
	(json.problems as Array<{ message: string }>).map(({ message }) => message);

test('blank Expected > Events are refused, and nothing is asked', async () => {
	const { error } = await check({ events: [] });
	expect(error?.message).toContain('Expected > Events is blank: fill it in or remove it');
	expect(setup.received).toEqual([]);
});

test('a subscription that delivers to this n8n is healthy, and n8n is not asked', async () => {
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
	expect(asked).toEqual([]);
});

test('says everything that is wrong with each one, and asks nobody else', async () => {
	const url = 'https://other.example/hook?key=secret';
	Object.assign(subscriptions[0], { active: false, events: ['form.enriched'], url });
	subscriptions[1].url = `${n8n.url}/webhook-test/a/webhook`;
	const { output } = await check({ events: ['form.submitted', 'form.enriched'] });
	expect(output.map(({ json }) => [json.healthy, problemsOf(json)])).toEqual([
		[false, ['inactive', 'events', 'url']],
		[false, ['url']],
	]);
	expect(messagesOf(output[0].json)[2]).toBe(
		`The webhook subscription delivers to https://other.example/hook, not to ${n8n.url}. If both are this n8n, set N8N_WEBHOOK_URL (in an older n8n: WEBHOOK_URL) for all its processes, including workers. If nothing else needs the subscription, turn on Options > Take Over in its trigger, unpublish the workflow, and publish it.`,
	);
	expect(asked).toEqual([]);
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
	// The URL that is expected may be anybody's.
	expect(asked).toEqual([]);
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
