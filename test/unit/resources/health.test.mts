import type { IDataObject } from 'n8n-workflow';
import {
	describeElsewhere,
	findTroubles,
	gone,
	isCut,
	isExpectedUrl,
	listMissing,
	locateUrl,
	type Place,
} from '../../../nodes/PageAudience/resources/webhookSubscription/health.ts';

const both = ['form.submitted', 'form.enriched'];

test.each<[what: string, subscription: IDataObject, expected: string[], problems: string[]]>([
	['an active one with the events', { active: true, events: both }, both, []],
	['one with more events', { active: true, events: [...both, 'page.version.created'] }, both, []],
	['one with null, when none is expected', { active: true, events: null }, [], []],
	['one without a list, when none is expected', { active: true }, [], []],
	['an inactive one', { active: false, events: both }, both, ['inactive']],
	['one that does not say whether it is active', { events: both }, both, ['inactive']],
	['one that misses an event', { active: true, events: ['form.enriched'] }, both, ['events']],
	['one with null, which is taken for every event', { active: true, events: null }, both, []],
	['one without a list', { active: true }, both, ['events']],
	['one with something else', { active: true, events: 'form.submitted' }, both, ['events']],
	['one without events', { active: true, events: [] }, [], ['events']],
	['one with every fault', { active: false, events: [] }, both, ['inactive', 'events']],
])('%s', (_, subscription, events, problems) => {
	expect(findTroubles(subscription, events).map(({ problem }) => problem)).toEqual(problems);
});

test('names the events that are missing', () => {
	const all = [...both, 'page.version.created', 'page.version.published'];
	const troubles = (events?: string[], active = true) =>
		findTroubles({ active, events }, all).map(({ message }) => message);
	expect(troubles(both)).toEqual([
		'The webhook subscription does not deliver page.version.created and page.version.published.',
	]);
	expect(troubles([...both, 'page.version.created'])).toEqual([
		'The webhook subscription does not deliver page.version.published.',
	]);
	expect(troubles([], false)).toEqual([
		'The webhook subscription is inactive. Run Check with Options > Repair, or unpublish and publish the workflow of its trigger.',
		'The webhook subscription delivers no events.',
	]);
	expect(troubles()).toEqual([
		'The webhook subscription has no list of events. It may not deliver form.submitted, form.enriched, page.version.created and page.version.published.',
	]);
});

test('of expected events, those are missing that a list lacks', () => {
	expect(
		[['form.submitted'], [], null, undefined].map((events) => listMissing(events, both)),
	).toEqual([['form.enriched'], both, [], []]);
});

test.each<[url: string, expected: string, isExpected: boolean]>([
	['https://n8n.example/webhook/a?token=1', 'https://n8n.example/webhook/a', true],
	['https://n8n.example/webhook/a/', 'https://n8n.example/webhook/a', true],
	['https://N8N.example:443/webhook/a', 'https://n8n.example/webhook/a', true],
	['https://n8n.example/hook?x=1&y=2', 'https://n8n.example/hook?y=2&x=1', true],
	['https://n8n.example/hook?x=2', 'https://n8n.example/hook?x=1', false],
	['https://n8n.example/hook', 'https://n8n.example/hook?x=1', false],
	['https://n8n.example/webhook/b', 'https://n8n.example/webhook/a', false],
	['http://n8n.example/webhook/a', 'https://n8n.example/webhook/a', false],
	['https://N8N.example/Webhook/A/?x=Y#about', 'https://n8n.example/webhook/a?x=Y', true],
	['https://n8n.example/hook?x=Y', 'https://n8n.example/hook?x=y', false],
	['https://n8n.example/hook?X=y', 'https://n8n.example/hook?x=y', false],
	['https://u:p@n8n.example/hook?x=1', 'https://u:p@n8n.example/hook', true],
	['https://u:P@n8n.example/hook', 'https://u:p@n8n.example/hook', false],
	['https://n8n.example/hook', 'https://u:p@n8n.example/hook', false],
	['https://u:p@n8n.example/hook', 'https://n8n.example/hook', false],
	['', 'https://n8n.example/webhook/a', false],
	['', '', false],
])('%s, where %s is expected', (url, expected, isExpected) => {
	expect(isExpectedUrl(url, expected)).toBe(isExpected);
});

const base = 'https://n8n.example/flows/';
test.each<[url: string, base: string | undefined, place: Place]>([
	['https://n8n.example/flows/webhook/a/webhook?token=1', base, 'webhook'],
	['https://N8N.example:443/Flows/Webhook/a', base, 'webhook'],
	['https://n8n.example/flows/webhook-test/a/webhook', base, 'test'],
	['https://n8n.example/flows/Webhook-Test/a', base, 'test'],
	['https://n8n.example/webhook/a', base, 'elsewhere'],
	['https://n8n.example/flows-2/webhook/a', base, 'elsewhere'],
	['http://n8n.example/flows/webhook/a', base, 'elsewhere'],
	['https://other.example/flows/webhook/a', base, 'elsewhere'],
	['https://n8n.example/webhook/a', 'https://n8n.example/', 'webhook'],
	['https://n8n.example/webhook-test/a', 'https://n8n.example/', 'test'],
	['https://other.example/hook', undefined, 'webhook'],
	['mailto:ada@example.com', undefined, 'elsewhere'],
	['', base, 'elsewhere'],
	['not a URL', undefined, 'elsewhere'],
])('%s, seen from %s, is %s', (url, from, place) => {
	expect(locateUrl(url, from)).toBe(place);
});

const hook = 'https://n8n.example/hook';
test.each<[url: string, expected: string | undefined, message: string]>([
	['https://other.example/hook', 'https://n8n.example/', ', not to https://n8n.example.'],
	['https://other.example/hook', undefined, '.'],
	[`${hook}#a`, `${hook}#b`, ', but its query differs in uppercase and lowercase letters.'],
	['https://u:p@n8n.example/hook', hook, ', but its user name or password differs.'],
	[
		'https://u:P@n8n.example/hook?x=1',
		'https://u:p@n8n.example/hook?x=2',
		', but its user name or password differs.',
	],
	[`${hook}?x=A`, `${hook}?x=a`, ', but its query differs in uppercase and lowercase letters.'],
	[hook, `${hook}?x=1`, ', but its query lacks x.'],
	[`${hook}?x=1`, hook, ', but its query has x in addition.'],
	[`${hook}?x=1`, `${hook}?x=2`, ', but its query has another value of x.'],
	[`${hook}?x=1&x=2`, `${hook}?x=1&x=3`, ', but its query has another value of x.'],
	[`${hook}?x=1&x=3`, `${hook}?x=2&x=3`, ', but its query has another value of x.'],
	[`${hook}?x=1&x=2&y=1`, `${hook}?y=2&x=2&x=1`, ', but its query has another value of y.'],
	[
		`${hook}?a=1&b=2&c=3`,
		`${hook}?b=3&c=3&d=4`,
		', but its query lacks d, has a in addition and has another value of b.',
	],
	[`${hook}?a&b&c&d&e`, hook, ', but its query has a, b, c and 2 more in addition.'],
])('an address elsewhere, %s in place of %s', (url, expected, ending) => {
	const shown = url.replace(/\w+:\w+@|[?#].*/g, '');
	expect(describeElsewhere(url, expected)).toBe(
		`The webhook subscription delivers to ${shown}${ending}`,
	);
});

test('an address that differs where it is not shown', () => {
	const [given, expected] = ['c', 'x'].map((each) => `https://n8n.example/a/b/${each}/d/e?x=1`);
	expect(describeElsewhere(given, expected)).toBe(
		'The webhook subscription delivers to https://n8n.example/a/b/…/d/e, but the rest of its address differs.',
	);
});

test('a subscription that is gone is told with what to do', () => {
	expect(gone).toEqual({
		problem: 'gone',
		message:
			'The webhook subscription does not exist. Choose another one in its trigger, and publish the workflow again.',
	});
});

const token = '0123456789abcdef'.repeat(4);
test.each<[url: string, isCut: boolean]>([
	[`https://n8n.example/webhook/a/webhook?token=${token}`, false],
	[`https://n8n.example/webhook/a/webhook?token=${token.slice(1)}`, true],
	['https://n8n.example/webhook/a/webhook?token=', true],
	['https://n8n.example/webhook/a/webhook', false],
	[`https://n8n.example/webhook/a/webhook?token=${token}&kept=ab`, false],
	['https://n8n.example/webhook/a/webhook?token=my-secret', false],
	['https://n8n.example/webhook/orders?token=abc', false],
	['', false],
])('%s is cut: %s', (url, expected) => {
	expect(isCut(url)).toBe(expected);
});
