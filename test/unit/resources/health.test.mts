import type { IDataObject } from 'n8n-workflow';
import {
	type Expected,
	listProblems,
} from '../../../nodes/PageAudience/resources/subscriptionCheck.ts';

const both = ['form.submitted', 'form.enriched'];
const hook = 'https://one.example/hook';

/** Of an n8n at `base`. */
const openContext = (base: string) =>
	({
		getWorkflowDataProxy: () => ({ $execution: { resumeUrl: `${base}webhook-waiting/1` } }),
	}) as never;

const list = async (
	subscription: IDataObject | undefined,
	expected: Expected = { url: hook },
	base = 'https://n8n.example/',
) =>
	await Promise.resolve(
		listProblems(
			{ url: hook, active: true, events: both, ...subscription },
			expected,
			openContext(base),
		),
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

test('an inactive subscription, and one with a test address, are told with what to do', async () => {
	const url = 'https://n8n.example/webhook-test/a';
	const problems = await list({ active: false, url }, {});
	expect(problems.map(({ message }) => message)).toEqual([
		'The webhook subscription is inactive. Unpublish and publish the workflow of its trigger, or make it active with Webhook Subscription > Update. If the service switches it off again, look up why in its log of deliveries.',
		`The webhook subscription delivers to a test address, ${url}, because a test is running, or was interrupted. If it was interrupted, unpublish and publish the workflow of its trigger.`,
	]);
});

test('a subscription that is gone is told with what to do', () => {
	expect(listProblems(undefined, {}, openContext(base))).toEqual([
		{
			problem: 'gone',
			message:
				'The webhook subscription was not found: it was deleted, or the credential leads to another tenant or address. Correct the credential, or choose another subscription in the trigger, and publish the workflow.',
		},
	]);
});
