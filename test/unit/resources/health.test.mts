import type { IDataObject } from 'n8n-workflow';
import {
	type Expected,
	listProblems,
} from '../../../nodes/PageAudience/resources/subscriptionCheck.ts';

const both = ['form.submitted', 'form.enriched'];
const hook = 'https://one.example/hook';

const base = 'https://n8n.example/flows/';
const list = (subscription: IDataObject, expected: Expected = { url: hook }) =>
	listProblems({ url: hook, active: true, events: both, ...subscription }, expected, base);

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
])('%s', (_, subscription, events, problems) => {
	const found = list(subscription, { events, url: hook });
	expect(found.map(({ problem }) => problem)).toEqual(problems);
});

test('names the events that are missing', () => {
	const events = [...both, 'page.version.created', 'page.version.published'];
	const [problem] = list({ events: both }, { events, url: hook });
	expect(problem.message).toContain(
		'does not deliver page.version.created and page.version.published. Check Trigger On',
	);
	expect(list({ events: [] }, { url: hook })[0].message).toContain('does not deliver any events.');
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
])('%s, where %s is expected', (url, expected, isExpected) => {
	const problems = list({ url }, { url: expected });
	expect(problems.map(({ problem }) => problem)).toEqual(isExpected ? [] : ['url']);
});

const elsewhere =
	/^The webhook subscription delivers to (http|no usable URL).*, not to https:\/\/n8n\.example\/flows\. .*Take Over/;
const testing =
	/^The webhook subscription delivers to a test address, https:.* unpublish and publish/;
test.each<[url: string, told?: RegExp]>([
	['https://n8n.example/flows/webhook/a/webhook?token=1'],
	['https://N8N.example:443/Flows/Webhook/a'],
	['https://n8n.example/flows/in/hooks/1/webhook?token=1'],
	['https://n8n.example/flows/webhook-test/a/webhook', testing],
	['https://n8n.example/webhook/a', elsewhere],
	['https://n8n.example/flows-2/webhook/a', elsewhere],
	['https://other.example/flows/webhook/a', elsewhere],
	['mailto:ada@example.com', elsewhere],
	['', elsewhere],
])('%s, where a workflow of this n8n is expected', (...[url, told]) => {
	expect(list({ url }, {}).map(({ message }) => message)).toEqual(
		told ? [expect.stringMatching(told)] : [],
	);
});

test('two addresses that look the same are told apart', () => {
	const [problem] = list({ url: `${hook}/0123456789` }, { url: `${hook}/0123top-secret` });
	expect(problem.message).toContain(`to ${hook}/0123…, but the rest of its URL differs. `);
});

test('a subscription that is gone is the only problem', () => {
	const [problem, ...others] = listProblems(undefined, { events: both }, base);
	expect([problem.problem, others]).toEqual(['gone', []]);
	expect(problem.message).toMatch(/not found.* Correct the credential/);
});
