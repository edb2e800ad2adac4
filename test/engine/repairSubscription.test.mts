import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { eventKinds } from '../../nodes/parameters/eventKinds.ts';
import type { WebhookSubscription } from '../../sandbox/index.mts';
import { serve } from '../localServer.mts';
import type { Run } from './engine.mts';
import { openStage } from './stage.mts';

/* Check with Repair: it changes only what keeps expected events from arriving at the expected address. */

const stage = openStage();
const all = ['form.submitted', 'form.enriched', 'page.version.created'];
let subscriptions: WebhookSubscription[];
let n8n: Awaited<ReturnType<typeof serve>>;
let known: string;

beforeEach(async () => {
	n8n = await serve(({ path }) => ({
		status: 204,
		headers: {
			'access-control-allow-methods': path.includes('/known/') ? 'OPTIONS, POST' : 'OPTIONS',
		},
	}));
	known = `${n8n.url}/webhook/known/webhook?token=${'0123456789abcdef'.repeat(4)}`;
	subscriptions = stage.sandbox.store.subscriptions.all().slice(0, 2);
	for (const each of subscriptions)
		Object.assign(each, { url: known, events: ['form.submitted'], active: true });
});
afterEach(() => n8n.close());

const repair = async (
	{ expected = {}, options = {} }: { expected?: INodeParameters; options?: INodeParameters } = {},
	more: Partial<Run> = {},
	items: IDataObject[] = subscriptions.map(({ subscriptionId: id }) => ({ id })),
) =>
	await stage.run(
		{
			resource: 'webhookSubscription',
			operation: 'check',
			subscriptionId: '={{ $json.id }}',
			expected,
			options: { repair: true, ...options },
		},
		items,
		{ webhookBaseUrl: n8n.url, ...more },
	);

/** The bodies of the changes that were sent. */
const sent = () =>
	stage.sandbox.requests.flatMap(({ method, body }) => (method === 'PATCH' ? [body] : []));

const problemsOf = ({ problems }: IDataObject) =>
	(problems as IDataObject[]).map(({ problem }) => problem);

test('turns a subscription on and adds what is missing, and sends nothing else', async () => {
	Object.assign(subscriptions[0], { active: false, events: ['page.version.created'] });
	const expected = { events: ['form.submitted', 'form.enriched'] };
	const { output, error } = await repair({ expected });
	expect(error).toBeUndefined();
	expect(sent()).toEqual([
		{ active: true, events: ['page.version.created', 'form.submitted', 'form.enriched'] },
		{ events: ['form.submitted', 'form.enriched'] },
	]);
	expect(output.map(({ json }) => json)).toEqual([
		{
			subscriptionId: subscriptions[0].subscriptionId,
			healthy: true,
			problems: [],
			active: true,
			events: ['page.version.created', 'form.submitted', 'form.enriched'],
			deliversTo: `${n8n.url}/webhook/known/webhook`,
			repaired: ['inactive', 'events'],
		},
		expect.objectContaining({ healthy: true, repaired: ['events'] }),
	]);
	expect(subscriptions.map(({ url }) => url)).toEqual([known, known]);
});

test('a healthy one is only read', async () => {
	subscriptions[1].events = null;
	const { output } = await repair({ expected: { events: ['form.submitted'] } });
	expect(output.map(({ json }) => [json.healthy, json.repaired])).toEqual([
		[true, []],
		[true, []],
	]);
	expect(sent()).toEqual([]);
});

test.each<[what: string, options: INodeParameters]>([
	['not added', { repair: undefined } as unknown as INodeParameters],
	['off', { repair: false }],
	['off, with Dry Run', { repair: false, dryRun: true }],
	['off by an expression', { repair: '={{ $json.missing }}' }],
])('changes nothing and adds no field where Repair is %s', async (_, options) => {
	subscriptions[0].active = false;
	const { output, hints } = await repair({ options });
	expect(output.map(({ json }) => json.healthy)).toEqual([false, true]);
	expect(hints).toEqual([]);
	for (const { json } of output) expect(json).not.toHaveProperty('repaired');
	for (const { json } of output) expect(json).not.toHaveProperty('dryRun');
	expect(sent()).toEqual([]);
});

test.each<[what: string, url: () => string, message: string]>([
	[
		'of another receiver',
		() => 'https://other.example/webhook/known/webhook',
		'The webhook subscription delivers to https://other.example/webhook/known/webhook, not to <n8n>.',
	],
	[
		'of an unpublished workflow',
		() => `${n8n.url}/webhook/unknown/webhook`,
		'No published workflow listens at <n8n>/webhook/unknown/webhook. Publish the workflow of its trigger.',
	],
	[
		'of a test run',
		() => `${n8n.url}/webhook-test/known/webhook`,
		'The webhook subscription delivers to a test address, <n8n>/webhook-test/known/webhook. Publish the workflow of its trigger.',
	],
	[
		'with half of its path',
		() => `${n8n.url}/webhook/kno`,
		'No published workflow listens at <n8n>/webhook/kno. Publish the workflow of its trigger.',
	],
	[
		'with half of its token',
		() => known.slice(0, -20),
		'The URL of the webhook subscription has lost a part of its secret token, so the trigger rejects its events. Publish the workflow of its trigger.',
	],
	[
		'that is no web address',
		() => 'mailto:ada@example.com',
		'The webhook subscription delivers to no usable URL, not to <n8n>.',
	],
])('never touches a subscription with a URL %s', async (_, url, message) => {
	subscriptions[0].url = url();
	for (const each of subscriptions) each.active = false;
	const { output, error } = await repair({ expected: { events: all } });
	expect(error).toBeUndefined();
	expect(output.map(({ json }) => problemsOf(json))).toEqual([['inactive', 'events', 'url'], []]);
	expect(output.map(({ json }) => json.repaired)).toEqual([[], ['inactive', 'events']]);
	expect(sent()).toHaveLength(1);
	expect(subscriptions.map(({ active }) => active)).toEqual([false, true]);
	expect((output[0].json.problems as IDataObject[]).at(-1)?.message).toBe(
		message.replace('<n8n>', n8n.url),
	);
});

test('where n8n does not say where its webhooks are, it needs the URL', async () => {
	for (const each of subscriptions)
		Object.assign(each, { url: 'https://other.example/hook', active: false });
	const more = { webhookBaseUrl: 'urn:n8n' };
	const { output, hints, error } = await repair({}, more);
	expect(error).toBeUndefined();
	expect(output.map(({ json }) => json.repaired)).toEqual([[], []]);
	expect(hints).toEqual([
		'Not repaired: n8n does not say where its webhooks are. Enter the URL under Expected > URL.',
	]);
	const url = 'https://other.example/hook';
	const named = await repair({ expected: { url } }, more);
	expect(named.output.map(({ json }) => json.repaired)).toEqual([['inactive'], ['inactive']]);
});

test('a subscription that is gone stays a result', async () => {
	const [{ subscriptionId: gone }, other] = subscriptions;
	const left = stage.sandbox.store.subscriptions
		.all()
		.filter(({ subscriptionId }) => subscriptionId !== gone);
	stage.sandbox.faults.add({
		path: `/v0/webhook_subscriptions/${gone}`,
		kind: 'status',
		status: 404,
	});
	stage.sandbox.faults.add({ operationId: 'listWebhookSubscriptions', kind: 'answer', body: left });
	other.active = false;
	const { output } = await repair();
	expect(output.map(({ json }) => [problemsOf(json), json.repaired])).toEqual([
		[['gone'], []],
		[[], ['inactive']],
	]);
});

test('what the service did not take stays a problem', async () => {
	Object.assign(subscriptions[0], { active: false });
	const body = { ...subscriptions[0], active: true };
	stage.sandbox.faults.add({ method: 'PATCH', kind: 'answer', body });
	const { output, error } = await repair({ expected: { events: all } });
	expect(error).toBeUndefined();
	expect(output[0].json).toMatchObject({ healthy: false, active: true, repaired: ['inactive'] });
	expect(problemsOf(output[0].json)).toEqual(['events']);
});

test.each<[what: string, fault: object, message: string, maybeDone: boolean, description: string]>([
	[
		'refuses',
		{ kind: 'status', status: 403 },
		'(403)',
		false,
		'The service said: "The sandbox was told to return 403". Use a key that has access, or ask the person who created this one. Found before: The webhook subscription is inactive. Run Check with Options > Repair, or unpublish and publish the workflow of its trigger.',
	],
	[
		'answers with something else',
		{ kind: 'answer', status: 200, body: {} },
		'subscriptionId',
		true,
		'Check the Base URL in the credential: a proxy or a login page may have responded instead of the API. The webhook subscription may have been updated. You can safely retry.',
	],
])(
	'a service that %s fails the item, with what was found',
	async (_, fault, message, maybeDone, description) => {
		for (const each of subscriptions) each.active = false;
		const path = `/v0/webhook_subscriptions/${subscriptions[0].subscriptionId}`;
		stage.sandbox.faults.add({ method: 'PATCH', path, kind: 'status', status: 500, ...fault });
		const { output } = await repair({}, { onError: 'continueRegularOutput' });
		expect(output[0].json.error).toContain(message);
		expect(output[0].json.details).toMatchObject({
			maybeDone,
			problems: [{ problem: 'inactive' }],
		});
		expect((output[0].json.details as IDataObject).description).toBe(description);
		expect(output[1].json).toMatchObject({ healthy: true, repaired: ['inactive'] });
	},
);

test('all that was found before is told, each in a sentence', async () => {
	Object.assign(subscriptions[0], { active: false, events: [] });
	const path = `/v0/webhook_subscriptions/${subscriptions[0].subscriptionId}`;
	stage.sandbox.faults.add({ method: 'PATCH', path, kind: 'status', status: 403 });
	const { output } = await repair(
		{ expected: { events: all } },
		{ onError: 'continueRegularOutput' },
	);
	expect((output[0].json.details as IDataObject).description).toMatch(
		/Found before: The webhook subscription is inactive\. .+ of its trigger\. The webhook subscription delivers no events\.$/,
	);
});

test('a dry run shows the change of each item', async () => {
	const [inactive, foreign] = subscriptions;
	inactive.active = false;
	Object.assign(foreign, { active: false, url: 'https://other.example/hook' });
	const { output, hints } = await repair({ options: { dryRun: true } });
	expect(output.map(({ json }) => json)).toMatchObject([
		{
			healthy: false,
			repaired: [],
			dryRun: true,
			outcome: 'wouldUpdate',
			request: {
				method: 'PATCH',
				path: `/v0/webhook_subscriptions/${inactive.subscriptionId}`,
				body: { active: true },
			},
		},
		{ healthy: false, repaired: [], dryRun: true, outcome: 'unchanged', request: null },
	]);
	expect(hints).toContain('Dry run, nothing was changed: 1 would be updated, 1 unchanged');
	expect(sent()).toEqual([]);
});

test.each<[repair: string]>([['true'], ['={{ true }}'], ['={{ $json.on }}']])(
	'a dry run counts with Repair as %s',
	async (on) => {
		for (const each of subscriptions) each.active = false;
		const items = subscriptions.map(({ subscriptionId: id }) => ({ id, on: true }));
		const { output } = await repair({ options: { repair: on, dryRun: true } }, {}, items);
		expect(output.map(({ json }) => json.dryRun)).toEqual([true, true]);
		expect(sent()).toEqual([]);
	},
);

test('a dry run that is blank is refused', async () => {
	const { error } = await repair({ options: { dryRun: '={{ $json.missing }}' } });
	expect(error?.message).toContain('Options > Dry Run is blank');
	expect(stage.sandbox.requests).toEqual([]);
});

test('two items about one subscription add to each other', async () => {
	const [{ subscriptionId: id }] = subscriptions;
	const items = all.map((kind) => ({ id, kind }));
	const { output } = await repair({ expected: { events: '={{ $json.kind }}' } }, {}, items);
	expect(output.map(({ json }) => json.repaired)).toEqual([[], ['events'], ['events']]);
	expect(subscriptions[0].events).toEqual(all);
});

test('keeps the events that other items of the run have added, where the service shows them late', async () => {
	const [late, other] = subscriptions;
	// As they are before the run.
	for (const { subscriptionId, ...rest } of subscriptions) {
		const path = `/v0/webhook_subscriptions/${subscriptionId}`;
		const body = { subscriptionId, ...rest };
		stage.sandbox.faults.add({ method: 'GET', path, kind: 'answer', body, times: Infinity });
	}
	const items = [
		{ id: late.subscriptionId, kind: 'form.enriched' },
		{ id: other.subscriptionId, kind: 'form.enriched' },
		{ id: late.subscriptionId, kind: 'page.version.created' },
		{ id: late.subscriptionId, kind: 'form.enriched' },
	];
	const { output } = await repair({ expected: { events: '={{ $json.kind }}' } }, {}, items);
	expect(output.map(({ json }) => json.repaired)).toEqual([['events'], ['events'], ['events'], []]);
	expect(subscriptions.map(({ events }) => events)).toEqual([
		['form.submitted', 'form.enriched', 'page.version.created'],
		['form.submitted', 'form.enriched'],
	]);
});

test('never removes an event, and ends with all that are expected', async () => {
	const kinds = eventKinds.map(({ value }) => value);
	const some = fc.subarray(kinds);
	await fc.assert(
		fc.asyncProperty(
			fc.option(some),
			fc.subarray(kinds, { minLength: 1 }),
			fc.boolean(),
			async (events, expected, active) => {
				Object.assign(subscriptions[0], { events, active });
				const { output } = await repair({ expected: { events: expected } });
				const after = subscriptions[0].events;
				if (events === null) expect(after).toBeNull();
				else expect(after).toEqual([...events, ...expected.filter((e) => !events.includes(e))]);
				expect(output[0].json).toMatchObject({ healthy: true, active: true, events: after });
			},
		),
		{ numRuns: 20 },
	);
});
