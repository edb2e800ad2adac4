import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { WebhookSubscription } from '../../sandbox/index.mts';
import { type Arrival, serve } from '../localServer.mts';
import type { Run } from './engine.mts';
import { openStage } from './stage.mts';

const stage = openStage();
let subscriptions: WebhookSubscription[];
let n8n: Awaited<ReturnType<typeof serveWebhooks>>;

type Answer = Awaited<ReturnType<Parameters<typeof serve>[0]>>;
/** What something in front of n8n answers in place of n8n. */
let proxy: ((arrival: Arrival) => Answer) | undefined;

/** As n8n answers browsers: at `/webhook/known` there is a webhook. */
async function serveWebhooks() {
	const asked: string[] = [];
	const server = await serve((arrival) => {
		const { method, path } = arrival;
		asked.push(`${method} ${path}`);
		if (proxy) return proxy(arrival);
		const methods = path === '/webhook/known' ? 'OPTIONS, POST' : 'OPTIONS';
		return { status: 204, headers: { 'access-control-allow-methods': methods } };
	});
	return { ...server, asked };
}

beforeEach(async () => {
	proxy = undefined;
	n8n = await serveWebhooks();
	subscriptions = stage.sandbox.store.subscriptions.all().slice(0, 2);
	for (const subscription of subscriptions)
		Object.assign(subscription, {
			url: `${n8n.url}/webhook/known?token=secret`,
			events: ['form.submitted', 'form.enriched'],
			active: true,
		});
});
afterEach(() => n8n.close());

const check = async (expected: INodeParameters = {}, more: Partial<Run> = {}) =>
	await stage.run(
		{
			resource: 'webhookSubscription',
			operation: 'check',
			subscriptionId: '={{ $json.id }}',
			expected,
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
});

test('a subscription that delivers to a published workflow is healthy', async () => {
	const { output, error } = await check({ events: ['form.submitted'] });
	expect(error).toBeUndefined();
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
	expect(JSON.stringify(output)).not.toContain('secret');
	expect(n8n.asked).toEqual(['OPTIONS /webhook/known', 'OPTIONS /webhook/known']);
});

test('says everything that is wrong with each one', async () => {
	Object.assign(subscriptions[0], {
		active: false,
		events: ['form.enriched'],
		url: 'https://other.example/hook/0123456789abcdef?key=secret',
	});
	Object.assign(subscriptions[1], { events: [], url: `${n8n.url}/webhook-test/a/webhook` });
	const { output } = await check({ events: ['form.submitted', 'form.enriched'] });
	expect(output.map(({ json }) => problemsOf(json))).toEqual([
		['inactive', 'events', 'url'],
		['events', 'url'],
	]);
	expect(output.map(({ json }) => json.healthy)).toEqual([false, false]);
	expect(messagesOf(output[0].json)).toEqual([
		'The webhook subscription is inactive. Unpublish and publish the workflow of its trigger, or make it active with Webhook Subscription > Update.',
		'The webhook subscription does not deliver form.submitted.',
		`The webhook subscription delivers to https://other.example/hook/0123…, not to ${n8n.url}.`,
	]);
	expect(messagesOf(output[1].json)[1]).toBe(
		`The webhook subscription delivers to a test address, ${n8n.url}/webhook-test/a/webhook. Publish the workflow of its trigger.`,
	);
	expect(output[1].json).toMatchObject({ active: true, events: [] });
	// Nobody else's address is asked.
	expect(n8n.asked).toEqual([]);
});

test('an address without a webhook is the one of an unpublished workflow', async () => {
	subscriptions[1].url = `${n8n.url}/webhook/unpublished`;
	const { output } = await check();
	expect(output.map(({ json }) => problemsOf(json))).toEqual([[], ['url']]);
	expect(messagesOf(output[1].json)).toEqual([
		`No published workflow listens at ${n8n.url}/webhook/unpublished. Publish the workflow of its trigger.`,
	]);
});

describe('what stands before n8n', () => {
	const token = 'a1'.repeat(32);
	const started = (reason: string) => JSON.stringify({ started: false, reason });

	/** The problem with the trigger's URL at that n8n. */
	async function checkTrigger(answer: (arrival: Arrival) => Answer) {
		proxy = answer;
		for (const each of subscriptions) each.url = `${n8n.url}/webhook/1/webhook?token=${token}`;
		const { output } = await check();
		expect(JSON.stringify(output)).not.toContain(token);
		expect(n8n.asked).toEqual(Array(2).fill(`POST /webhook/1/webhook?token=${token}`));
		return output.flatMap(({ json }) => messagesOf(json))[0]?.replaceAll(n8n.url, 'HOST');
	}

	test.each([301, 302, 308])('is named where it redirects to https (%d)', async (status) => {
		const headers = { location: `https://n8n.example/webhook/1/webhook?token=${token}` };
		expect(await checkTrigger(() => ({ status, headers }))).toBe(
			`Something other than a published workflow responds at HOST/webhook/1/webhook (${status}, a redirect to https://n8n.example/webhook/1/webhook). Let the service reach n8n there without a login or redirect, and set WEBHOOK_URL to the final address.`,
		);
	});

	test.each<[what: string, answer: Answer, message: string]>([
		[
			'shows a login page',
			{ headers: { 'content-type': 'text/html' }, body: '<html>Log in' },
			'Something other than a published workflow responds at HOST/webhook/1/webhook (200). Let the service reach n8n there without a login or redirect, and set WEBHOOK_URL to the final address.',
		],
		[
			'refuses',
			{ status: 403, body: 'Forbidden' },
			'Something other than a published workflow responds at HOST/webhook/1/webhook (403). Let the service reach n8n there without a login or redirect, and set WEBHOOK_URL to the final address.',
		],
		[
			'redirects to a login page',
			{ status: 302, headers: { location: '/login?to=n8n' } },
			'Something other than a published workflow responds at HOST/webhook/1/webhook (302, a redirect to HOST/login). Let the service reach n8n there without a login or redirect, and set WEBHOOK_URL to the final address.',
		],
		[
			'does not reach n8n',
			{ status: 502, body: 'Bad Gateway' },
			'Something other than a published workflow responds at HOST/webhook/1/webhook (502). Let the service reach n8n there without a login or redirect, and set WEBHOOK_URL to the final address.',
		],
		[
			'has no such webhook',
			{ status: 404, body: '{"code":404}' },
			'No published workflow listens at HOST/webhook/1/webhook. Publish the workflow of its trigger.',
		],
		[
			'lets n8n reject the token',
			{ status: 401, body: started('The token is not the registered one') },
			'The trigger at HOST/webhook/1/webhook rejects the token of the URL (401). Publish the workflow of its trigger.',
		],
	])('is named where it %s', async (_, answer, message) => {
		expect(await checkTrigger(() => answer)).toBe(message);
	});

	test('is named where it drops the query', async () => {
		const body = started('The request carried no token');
		expect(await checkTrigger(() => ({ status: 401, body }))).toBe(
			'The query of the URL HOST/webhook/1/webhook is lost on the way to n8n, and the token with it, so the trigger rejects every event (401). Let the proxy in front of n8n pass the query on.',
		);
	});

	test('is no problem where the trigger answers', async () => {
		const isMarked = ({ headers }: Arrival) => headers['x-page-audience-check'] === '1';
		const answer = (arrival: Arrival) => ({
			status: isMarked(arrival) ? 200 : 500,
			body: started('This is a check'),
		});
		expect(await checkTrigger(answer)).toBeUndefined();
	});

	test('is no problem where n8n has a path and endpoints of other names', async () => {
		proxy = ({ path }) => ({
			status: path.startsWith('/auto/in/hooks/1/webhook?') ? 200 : 404,
			body: started('This is a check'),
		});
		for (const each of subscriptions)
			each.url = `${n8n.url}/auto/in/hooks/1/webhook?token=${token}`;
		const { output } = await check({}, { webhookBaseUrl: `${n8n.url}/auto` });
		expect(output.map(({ json }) => json.problems)).toEqual([[], []]);
	});
});

test('an n8n that cannot reach its own address is not blamed', async () => {
	n8n.close();
	const { output } = await check();
	expect(output.map(({ json }) => json.healthy)).toEqual([true, true]);
});

test('a URL that is expected is compared without its query, and nobody is asked', async () => {
	const url = '={{ $json.url }}';
	subscriptions[1].url = 'https://two.example/hook?x=1';
	const { output } = await stage.run(
		{
			resource: 'webhookSubscription',
			operation: 'check',
			subscriptionId: '={{ $json.id }}',
			expected: { url },
		},
		[
			{ id: subscriptions[0].subscriptionId, url: `${n8n.url}/webhook/known` },
			{ id: subscriptions[1].subscriptionId, url: 'https://one.example/hook' },
		],
		{ webhookBaseUrl: n8n.url },
	);
	expect(output.map(({ json }) => problemsOf(json))).toEqual([[], ['url']]);
	expect(n8n.asked).toEqual([]);
});

const otherHook = 'https://two.example/hook';
test.each([
	['?key=top-secret-1', '?key=top-secret-2'],
	['?a=1', '?a=1&key=top-secret-1'],
	['?a=1&key=top-secret-1', '?a=1'],
	['?key=top-secret-1', '?key=TOP-secret-1'],
	['/0123456789', '/0123top-secret'],
])('an address that ends with %s in place of %s is another one', async (ending, wanted) => {
	subscriptions[0].url = otherHook + ending;
	subscriptions[1].url = otherHook + wanted;
	const { output } = await check({ url: otherHook + wanted });
	expect(output.map(({ json }) => problemsOf(json))).toEqual([['url'], []]);
	const [message] = messagesOf(output[0].json);
	expect(message.replace('/0123…', '')).toBe(
		`The webhook subscription delivers to ${otherHook}, but the rest of its URL differs.`,
	);
	expect(message).not.toContain('secret');
});

test('an address with other user data is another one, and says no password', async () => {
	const urls = ['https://two.example/hook', 'https://user:top-secret@two.example/hook'];
	for (const [index, url] of urls.entries()) subscriptions[index].url = url;
	const { output } = await check({ url: urls[1] });
	expect(output.map(({ json }) => problemsOf(json))).toEqual([['url'], []]);
	expect(messagesOf(output[0].json)[0]).toContain('but the rest of its URL differs.');
	expect(JSON.stringify(output)).not.toContain('secret');
});

test.each([404, 410])('a subscription that is gone (%d) is an answer', async (status) => {
	const [gone, other] = subscriptions.map(({ subscriptionId }) => subscriptionId);
	const target = { path: `/v0/webhook_subscriptions/${gone}` };
	stage.sandbox.faults.add({ ...target, kind: 'status', status });
	const { output, error } = await check();
	expect(error).toBeUndefined();
	expect(output.map(({ json }) => [json.subscriptionId, problemsOf(json)])).toEqual([
		[gone, ['gone']],
		[other, []],
	]);
	expect(output[0].json).toEqual({
		subscriptionId: gone,
		healthy: false,
		problems: [
			{
				problem: 'gone',
				message:
					'The webhook subscription does not exist. Choose another one in its trigger, and publish the workflow again.',
			},
		],
		active: null,
		events: null,
		deliversTo: null,
	});
});

test('an error with status 200 is a failure, and no false alarm', async () => {
	const body = { error: 'Locked' };
	stage.sandbox.faults.add({ operationId: 'getWebhookSubscription', kind: 'answer', body });
	const { output, errors } = await check({}, { onError: 'continueErrorOutput' });
	expect(errors.map(({ json }) => json.error)).toEqual([
		expect.stringContaining(
			'responded with an object (fields: error) instead of a record with subscriptionId (200)',
		),
	]);
	expect(output.map(({ json }) => json.healthy)).toEqual([true]);
});

test('a service that is down is a failure', async () => {
	stage.sandbox.faults.add({ kind: 'status', status: 500, times: Infinity });
	const more = { onError: 'continueRegularOutput' } as const;
	const run = await stage.run(
		{
			resource: 'webhookSubscription',
			operation: 'check',
			subscriptionId: '={{ $json.id }}',
			options: { maxRetries: 0 },
		},
		subscriptions.map(({ subscriptionId }) => ({ id: subscriptionId })),
		more,
	);
	for (const { json } of run.output) expect(json.error).toContain('(500)');
});
