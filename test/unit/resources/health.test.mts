import type { IDataObject } from 'n8n-workflow';
import {
	type Expected,
	listProblems,
} from '../../../nodes/PageAudience/resources/subscriptionCheck.ts';

const both = ['form.submitted', 'form.enriched'];
const four = [...both, 'page.version.created', 'page.version.published'];
const n8n = 'https://n8n.example';
const hook = `${n8n}/hook`;
const list = (subscription: IDataObject | undefined, expected: Expected) =>
	listProblems(
		subscription && { url: hook, active: true, events: both, ...subscription },
		expected,
		`${n8n}/flows/`,
	);

test.each<[what: string, subscription: IDataObject, expected: string[], problems: string[]]>([
	['an active one with the events', {}, both, []],
	['one with more events', { events: four }, both, []],
	['one without a list, when none is expected', { events: undefined }, [], []],
	['an inactive one', { active: false }, both, ['inactive']],
	['one that misses an event', { events: ['form.enriched'] }, both, ['events']],
	['one with null, which is taken for every event', { events: null }, both, []],
	['one without a list', { events: undefined }, both, ['events']],
	['one without events', { events: [] }, [], ['events']],
	['one without a URL', { url: undefined }, [], ['url']],
	[
		'one with every fault',
		{ active: 0, events: [], url: n8n },
		both,
		['inactive', 'events', 'url'],
	],
])('%s', (_, subscription, events, problems) => {
	const found = list(subscription, { events, url: hook });
	expect(found.map(({ problem }) => problem)).toEqual(problems);
});

test.each([
	[four, 'does not deliver page.version.created and page.version.published. Check Trigger On'],
	[undefined, 'does not deliver any events.'],
])('names the events that are missing of %j', (events, told) => {
	const [problem] = list({ events: events ? both : [] }, { events, url: hook });
	expect(problem.message).toContain(told);
});

const other = /^The webhook subscription delivers to .*, (not to|but the rest of its URL differs)/;
const elsewhere =
	/^The webhook subscription delivers to (http|no usable URL).*, not to https:\/\/n8n\.example\/flows\. .*Take Over/;
const testing =
	/^The webhook subscription delivers to a test address, https:.* unpublish and publish/;

test.each<[url: string, expected: string | undefined, told?: RegExp]>([
	[`${n8n}/webhook/a?token=1`, `${n8n}/webhook/a`],
	[`${hook}?x=1&y=2`, `${hook}?y=2&x=1`],
	['https://N8N.example:443/hook', hook],
	[`${n8n}/Hook`, hook, other],
	['http://n8n.example/hook', hook, other],
	[hook, 'https://user:top-secret@n8n.example/hook', other],
	[`${hook}?x=2`, `${hook}?x=1`, other],
	[`${n8n}/webhook/b`, `${n8n}/webhook/a`, other],
	['', `${n8n}/webhook/a`, other],
	// Two addresses that look the same.
	[`${hook}/0123456789`, `${hook}/0123top-secret`, /to \S+\/hook\/0123…, but the rest of its URL/],
	// Without a URL, a workflow of this n8n is expected.
	[`${n8n}/flows/webhook/a/webhook?token=1`, undefined],
	['https://N8N.example:443/Flows/Webhook/a', undefined],
	[`${n8n}/flows/in/hooks/1/webhook?token=1`, undefined],
	[`${n8n}/flows/webhook-test/a/webhook`, undefined, testing],
	[`${n8n}/webhook/a`, undefined, elsewhere],
	[`${n8n}/flows-2/webhook/a`, undefined, elsewhere],
	['https://other.example/flows/webhook/a', undefined, elsewhere],
	['mailto:ada@example.com', undefined, elsewhere],
	['', undefined, elsewhere],
])('%s, where %s is expected', (...[url, expected, told]) => {
	const message = told && (expect.stringMatching(told) as string);
	expect(list({ url }, { url: expected })).toEqual(message ? [{ problem: 'url', message }] : []);
});

test('a subscription that is gone is the only problem', () => {
	const message = expect.stringMatching(/not found.* Correct the credential/) as string;
	expect(list(undefined, { events: both })).toEqual([{ problem: 'gone', message }]);
});
