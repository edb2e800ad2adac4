import type { IDataObject } from 'n8n-workflow';
import { rejections } from '../../../nodes/webhooks/ownWebhooks.ts';
import {
	type Expected,
	listProblems,
} from '../../../nodes/PageAudience/resources/subscriptionCheck.ts';

const both = ['form.submitted', 'form.enriched'];
const hook = 'https://one.example/hook';

const served = { statusCode: 204, headers: { 'access-control-allow-methods': 'OPTIONS, POST' } };

/** Of an n8n at `base`, which serves every address unless told. */
const openContext = (base: string, response: object = served, hint = (_: string) => {}) =>
	({
		n8n: {
			getWorkflowDataProxy: () => ({ $execution: { resumeUrl: `${base}webhook-waiting/1` } }),
			helpers: { httpRequest: async () => await Promise.resolve(response) },
		},
		hint,
	}) as never;

const list = async (
	subscription: IDataObject | undefined,
	expected: Expected = { url: hook },
	base = 'https://n8n.example/',
	response?: object,
) =>
	await listProblems(
		{ url: hook, active: true, events: both, ...subscription },
		expected,
		openContext(base, response),
	);

test.each<[what: string, subscription: IDataObject, expected: string[], problems: string[]]>([
	['an active one with the events', {}, both, []],
	['one with more events', { events: [...both, 'page.version.created'] }, both, []],
	['one without a list, when none is expected', { events: undefined }, [], []],
	['an inactive one', { active: false }, both, ['inactive']],
	['one that misses an event', { events: ['form.enriched'] }, both, ['events']],
	['one with null, which is taken for every event', { events: null }, both, []],
	['one without a list', { events: undefined }, both, ['events']],
	['one without events', { events: [] }, [], ['events']],
	['one without a URL', { url: undefined }, [], ['url']],
	[
		'one with every fault',
		{ active: false, events: [], url: 'https://two.example/' },
		both,
		['inactive', 'events', 'url'],
	],
])('%s', async (_, subscription, events, problems) => {
	const found = await list(subscription, { events, url: hook });
	expect(found.map(({ problem }) => problem)).toEqual(problems);
});

test('names the events that are missing', async () => {
	const all = [...both, 'page.version.created', 'page.version.published'];
	const remedy =
		'Check Trigger On in its trigger, and unpublish and publish the workflow, or add them with Webhook Subscription > Update.';
	const tell = async (events: string[], expected = all) =>
		(await list({ events }, { events: expected, url: hook })).map(({ message }) => message);
	expect(await tell(both)).toEqual([
		`The webhook subscription does not deliver page.version.created and page.version.published. ${remedy}`,
	]);
	expect(await tell([...both, 'page.version.created'])).toEqual([
		`The webhook subscription does not deliver page.version.published. ${remedy}`,
	]);
	expect(await tell([], [])).toEqual([`The webhook subscription delivers no events. ${remedy}`]);
});

test.each<[url: string, expected: string, isExpected: boolean]>([
	['https://n8n.example/webhook/a?token=1', 'https://n8n.example/webhook/a', true],
	['https://n8n.example/hook?x=1&y=2', 'https://n8n.example/hook?y=2&x=1', true],
	['https://N8N.example:443/hook', 'https://n8n.example/hook', true],
	['https://n8n.example/Hook', 'https://n8n.example/hook', false],
	['http://n8n.example/hook', 'https://n8n.example/hook', false],
	['https://n8n.example/hook', 'https://user:top-secret@n8n.example/hook', false],
	['https://n8n.example/hook?x=2', 'https://n8n.example/hook?x=1', false],
	['https://n8n.example/webhook/b', 'https://n8n.example/webhook/a', false],
	['', 'https://n8n.example/webhook/a', false],
])('%s, where %s is expected', async (url, expected, isExpected) => {
	const problems = await list({ url }, { url: expected });
	expect(problems.map(({ problem }) => problem)).toEqual(isExpected ? [] : ['url']);
});

const base = 'https://n8n.example/flows/';
const elsewhere = 'delivers to ';
const testing = 'delivers to a test address, ';
test.each<[url: string, place: string]>([
	['https://n8n.example/flows/webhook/a/webhook?token=1', ''],
	['https://N8N.example:443/Flows/Webhook/a', ''],
	['https://n8n.example/flows/in/hooks/1/webhook?token=1', ''],
	['https://n8n.example/flows/webhook-test/a/webhook', testing],
	['https://n8n.example/webhook/a', elsewhere],
	['https://n8n.example/flows-2/webhook/a', elsewhere],
	['https://other.example/flows/webhook/a', elsewhere],
	['mailto:ada@example.com', elsewhere],
	['', elsewhere],
])('%s, seen from a path of n8n: %s', async (url, place) => {
	const [problem] = await list({ url }, {}, base);
	expect(problem?.message ?? '').toMatch(
		place === '' ? /^$/ : new RegExp(`^The webhook subscription ${place}(?:http|no usable URL)`),
	);
});

const takeOver =
	'If nothing else needs the subscription, turn on Options > Take Over in its trigger, unpublish the workflow, and publish it.';
const correct =
	'If the expected URL is that of a trigger, unpublish and publish its workflow. Otherwise, correct the URL in the service or under Expected, or unpublish the workflow whose trigger uses the subscription.';
test.each<[url: string, expected: Expected, ending: string]>([
	[hook, {}, `to ${hook}, not to https://n8n.example. ${takeOver}`],
	[
		`${hook}?x=1`,
		{ url: `${hook}?x=2` },
		`to ${hook}, but the rest of its URL differs. ${correct}`,
	],
	[
		`${hook}/0123456789`,
		{ url: `${hook}/0123top-secret` },
		`to ${hook}/0123…, but the rest of its URL differs. ${correct}`,
	],
])(
	'what is told of an address elsewhere, %s, where %j is expected',
	async (url, expected, ending) => {
		const [problem] = await list({ url }, expected);
		expect(problem.message).toBe(`The webhook subscription delivers ${ending}`);
	},
);

test.each(['http://localhost:5678/', 'http://127.0.0.1/flows/'])(
	'a process at %s is told to have the address of its n8n',
	async (base) => {
		const [problem] = await list({ url: hook }, {}, base);
		expect(problem.message).toContain(
			`not to ${base.slice(0, -1)}. If both are this n8n, set N8N_WEBHOOK_URL (in an older n8n: WEBHOOK_URL)`,
		);
	},
);

const at = 'https://n8n.example/webhook/a/webhook';
const publish = 'Publish the workflow of its trigger. If it is published, unpublish it first.';
const remedy =
	'Let the service reach n8n there (in queue mode, a webhook process) without a login, a limit or a redirect. If n8n has another address, such as that of a redirect, set N8N_WEBHOOK_URL (in an older n8n: WEBHOOK_URL) to it, restart n8n, and unpublish and publish the workflow.';
test.each<[status: number, response: object, message: string | undefined]>([
	[200, { body: { started: false } }, undefined],
	[
		404,
		{ body: { code: 404 } },
		`No published workflow listens at ${at}. ${publish} If it stays so, another n8n responds there.`,
	],
	[
		404,
		{ body: '<html>' },
		`Something other than a published workflow responds at ${at} (404). ${publish} If it stays so, l${remedy.slice(1)}`,
	],
	...[{ started: false, reason: 'The delivery cannot be accepted at the moment' }, '<html>'].map(
		(body): [number, object, string] => [
			503,
			{ body },
			`Deliveries to ${at} fail at the moment (503). Look for the reason in the logs of n8n and of the proxy or tunnel in front of it.`,
		],
	),
	[
		401,
		{ body: { started: false, reason: rejections.noToken } },
		`The query of the URL ${at} is lost on the way to n8n, and the token with it, so the trigger rejects every event (401). Let the proxy in front of n8n pass the query on.`,
	],
	[
		401,
		{ body: { started: false, reason: rejections.wrongToken } },
		`The trigger at ${at} rejects every event (401), because the token in the URL is missing or wrong. ${publish}`,
	],
	...[400, 500].map((status): [number, object, string] => [
		status,
		{ body: { code: 0, message: 'Unrecognized node type: n8n-nodes-one.two' } },
		`Events fail at ${at}, because the n8n process that responds there does not know a node of the workflow (n8n-nodes-one.two). Install its package in that process (in queue mode, in each webhook process), and restart it.`,
	]),
	[405, {}, `Something other than a published workflow responds at ${at} (405). ${remedy}`],
	[
		302,
		{ headers: { location: 'https://n8n.example/login?token=1' } },
		`Something other than a published workflow responds at ${at} (302, a redirect to https://n8n.example/login). ${remedy}`,
	],
])(
	'what is told of an address of this n8n that responds with %i and %j',
	async (statusCode, response, message) => {
		const url = `${at}?token=${'0'.repeat(64)}`;
		const whole = { statusCode, headers: {}, ...response };
		const problems = await list({ url }, {}, undefined, whole);
		expect(problems.map((problem) => problem.message)).toEqual(message ? [message] : []);
	},
);

test.each([
	[
		'write EPROTO 4:error:0A00010B:SSL routines:x:wrong version number',
		'EPROTO',
		'what responds there has no HTTPS. Set N8N_WEBHOOK_URL',
	],
	['certificate has expired', 'CERT_HAS_EXPIRED', 'the certificate there has expired, or is'],
	['does not match', 'ERR_TLS_CERT_ALTNAME_INVALID', 'the certificate there has expired, or is'],
	['getaddrinfo ENOTFOUND x', 'ENOTFOUND', "n8n's DNS does not know this host"],
	['getaddrinfo EAI_AGAIN x', 'EAI_AGAIN', undefined],
	['self-signed certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT', undefined],
	['connect ECONNREFUSED', 'ECONNREFUSED', undefined],
])('what is told of an address of this n8n that is lost with %s', async (text, code, told) => {
	const url = 'https://n8n.example:5678/webhook/a';
	const lost = Promise.reject(Object.assign(new Error(text), { code }));
	const problems = await list({ url }, {}, 'https://n8n.example:5678/', lost);
	const message = expect.stringContaining(
		`cannot arrive at ${url}, as n8n sees it: ${told}`,
	) as string;
	expect(problems).toEqual(told ? [{ problem: 'url', message }] : []);
});

test.each([
	['http://n8n:5678/', true],
	['http://192.168.1.7:5678/', true],
	['https://n8n.example/', false],
	['http://localhost:5678/', false],
])('that only a service in the same network reaches %s is told: %p', async (base, isTold) => {
	const hints: string[] = [];
	const context = openContext(base, served, (hint) => void hints.push(hint));
	const subscription = { url: `${base}webhook/a`, active: true, events: both };
	expect(await listProblems(subscription, {}, context)).toEqual([]);
	const told = `${base}webhook/a looks like an address in n8n's own network`;
	expect(hints.map((hint) => hint.startsWith(told))).toEqual(isTold ? [true] : []);
});

test('an address of this n8n without a webhook is told', async () => {
	const response = { statusCode: 204, headers: { 'access-control-allow-methods': 'OPTIONS' } };
	const [problem] = await list({ url: 'https://n8n.example/webhook/a' }, {}, undefined, response);
	expect(problem.message).toBe(
		`No published workflow listens at https://n8n.example/webhook/a. ${publish} If it stays so, another n8n responds there.`,
	);
});

test('an inactive subscription, and one with a test address, are told with what to do', async () => {
	const url = 'https://n8n.example/webhook-test/a';
	const problems = await list({ active: false, url }, {});
	expect(problems.map(({ message }) => message)).toEqual([
		'The webhook subscription is inactive. Unpublish and publish the workflow of its trigger, or make it active with Webhook Subscription > Update. If the service switches it off again, look up why in its log of deliveries.',
		`The webhook subscription delivers to a test address, ${url}, because a test is running, or was interrupted. If it was interrupted: ${publish}`,
	]);
});

test('a subscription that is gone is told with what to do', async () => {
	expect(await listProblems(undefined, {}, openContext(base))).toEqual([
		{
			problem: 'gone',
			message:
				'The webhook subscription was not found: it was deleted, or the credential leads to another tenant or address. Correct the credential, or choose another subscription in the trigger, and publish the workflow.',
		},
	]);
});
