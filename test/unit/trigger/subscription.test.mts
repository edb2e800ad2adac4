import { withPrevious } from '../../../nodes/PageAudienceTrigger/subscription/chain.ts';
import {
	planRelease,
	planTest,
	planTestEnd,
} from '../../../nodes/PageAudienceTrigger/subscription/changes.ts';
import type { OwnUrl } from '../../../nodes/PageAudienceTrigger/subscription/ownUrl.ts';
import {
	describeReceiver,
	readOwnership,
	refuseInUse,
} from '../../../nodes/PageAudienceTrigger/subscription/ownership.ts';
import {
	findMissing,
	isSameState,
	joinEvents,
	makeRestorable,
	toChange,
	readState,
	type SubscriptionState,
} from '../../../nodes/PageAudienceTrigger/subscription/state.ts';
import { SubscriptionError } from '../../../nodes/PageAudienceTrigger/subscription/subscriptionError.ts';
import { withTestOrder } from '../../../nodes/PageAudienceTrigger/subscription/testOrder.ts';

const origin = 'https://n8n.example';
const production: OwnUrl = {
	href: `${origin}/webhook/abc/webhook`,
	origin,
	path: '/webhook/abc/webhook',
	id: 'abc',
	tail: '/abc/webhook',
	isTest: false,
};
const test_: OwnUrl = {
	...production,
	href: `${origin}/webhook-test/abc/webhook`,
	path: '/webhook-test/abc/webhook',
	isTest: true,
};
const state = (change: Partial<SubscriptionState> = {}): SubscriptionState => ({
	url: 'https://crm.example/hook?key=1',
	events: ['form.enriched'],
	active: true,
	...change,
});

test('a change is sent whole, but for null events, which cannot be sent', () => {
	expect(toChange(state())).toEqual(state());
	const { url, active } = state();
	expect(toChange(state({ events: null }))).toEqual({ url, active });
});

test.each([
	[{}, true],
	[{ url: 'https://CRM.example/hook/?KEY=1' }, true],
	[{ url: 'https://crm.example/hook?key=2' }, false],
	[{ events: ['form.enriched', 'form.enriched'] }, true],
	[{ events: [] }, false],
	[{ events: null }, false],
	[{ active: false }, false],
])('%j is the same state: %j', (other, isSame) => {
	expect(isSameState(state(), state(other))).toBe(isSame);
	expect(isSameState(state(other), state())).toBe(isSame);
	expect(isSameState(state(other), state(other))).toBe(true);
});

test.each([
	[
		{ url: '', active: false },
		{ url: '', events: null, active: false },
	],
	[
		{ url: 'u', active: true },
		{ url: 'u', events: null, active: true },
	],
	[
		{ url: 'u', events: [1], active: true },
		{ url: 'u', events: ['1'], active: true },
	],
])('a subscription of another shape: %j', (record, expected) => {
	expect(readState(record)).toEqual(expected);
});

test.each([
	...[null, 'x', [], {}],
	{ url: null, events: [], active: false },
	{ url: 'u', events: 'x', active: true },
	{ url: 'u', events: { x: true }, active: true },
	{ url: 'u', events: [] },
	{ url: 'u', events: [], active: 'yes' },
	{ url: 5, events: [], active: true },
	{ events: null, active: false },
])('%j is no state', (value) => {
	expect(readState(value)).toBeUndefined();
});

test('null events are restored as all kinds, and joined as all kinds', () => {
	expect(makeRestorable(state({ events: null })).events).toHaveLength(6);
	expect(joinEvents(null, ['x'])).toHaveLength(7);
	expect(joinEvents(['a'], ['a', 'b'])).toEqual(['a', 'b']);
});

test.each([
	[{ url: 'https://crm.example/hook/?KEY=1' }, []],
	[{ url: 'https://crm.example/hook' }, ['url']],
	[{ events: [], active: false }, ['events', 'active']],
])('of a change to what is stored as %j is missing %j', (stored, missing) => {
	expect(findMissing(state(stored), state())).toEqual(missing);
});

describe('the snapshot', () => {
	const older = state({ url: 'https://older.example/' });
	const moved = state({ url: 'https://before.example/webhook/abc/webhook' });
	const another = withPrevious(`${origin}/webhook/other/webhook`, state());
	test.each([
		['a free one', state({ active: false }), undefined, state({ active: false })],
		['a foreign one, in place of an older state', state(), older, state()],
		['an own URL', state({ url: `${production.href}?token=1` }), undefined, undefined],
		['an own URL with an older state', state({ url: production.href }), older, older],
		[
			'an own URL with the mark of another state',
			state({ url: `${production.href}?kept=0123456789abcdef` }),
			older,
			undefined,
		],
		// printf '{"active":true,"events":["form.enriched"],"url":"https://crm.example/hook?key=1"}' | sha256sum
		[
			'an own URL with its mark',
			state({ url: `${production.href}?kept=8eccb6e15c5aa935` }),
			state(),
			state(),
		],
		['an own URL at another address, with an older state', moved, older, older],
		['an own URL at another address', moved, undefined, moved],
		[
			'an own URL at another address, with the mark of another state',
			{ ...moved, url: `${moved.url}?kept=8eccb6e15c5aa935` },
			older,
			{ ...moved, url: `${moved.url}?kept=8eccb6e15c5aa935` },
		],
		[
			'another trigger, with its parameters in their order',
			state({ url: `${another}&token=1` }),
			undefined,
			state({ url: `${another}&token=1` }),
		],
		['what a test run left', state({ url: withPrevious(test_.href, state()) }), older, state()],
		[
			'an own URL that a test run left',
			state({ url: withPrevious(test_.href, state({ url: production.href })) }),
			undefined,
			undefined,
		],
		[
			'an own URL that a test run left, with an older state',
			state({ url: withPrevious(test_.href, state({ url: production.href })) }),
			older,
			older,
		],
	])('of %s', (_, stored, saved, expected) => {
		expect(readOwnership(production, stored, saved).snapshot).toEqual(expected);
	});
});

test.each([
	['https://crm.example/hook', 'https://crm.example/hook'],
	[`${origin}/webhook/other`, `${origin}/webhook/other, which is another webhook of this n8n`],
	['https://copy.example/webhook/abc/webhook', expect.stringContaining('on another n8n')],
	['no address', 'no usable URL'],
])('%s is described as it is', (url, expected) => {
	expect(describeReceiver(url, production)).toEqual(expected);
});

test('a subscription in use is refused without its secrets, unless it is to be taken over', () => {
	const refuse = () => refuseInUse(readOwnership(production, state()), false);
	expect(refuse).toThrow(SubscriptionError);
	expect(refuse).toThrow(
		expect.objectContaining({
			message:
				'This webhook subscription is in use by https://crm.example/hook. Choose another one, or turn on Options > Take Over: the other receiver then gets no events until you unpublish this workflow.',
			description: 'Nothing was changed.',
		}),
	);
	for (const [stored, takeOver] of [
		[state(), true],
		[state({ active: false }), false],
		[state({ url: production.href }), false],
	] as const)
		expect(() => refuseInUse(readOwnership(production, stored), takeOver)).not.toThrow();
});

describe('ending the use', () => {
	const ours = state({ url: `${production.href}?token=1`, events: ['form.submitted'] });
	const inactive = { ...ours, active: false };
	test.each([
		['of what was kept', ours, state(), 'restore', state()],
		['with nothing known', ours, undefined, 'restore', inactive],
		['with nothing known, of an inactive one', inactive, undefined, 'restore', inactive],
		['with an unusable URL', ours, state({ url: '' }), 'restore', inactive],
		[
			'of what a test run left',
			{ ...ours, url: withPrevious(test_.href, state()) },
			undefined,
			'restore',
			state(),
		],
		['with an own URL', ours, state({ url: test_.href }), 'restore', inactive],
		['with a pause', ours, state(), 'pause', inactive],
	] as const)('%s', (_, stored, saved, how, wanted) => {
		expect(planRelease(readOwnership(production, stored, saved), how)?.wanted).toEqual(wanted);
	});

	const unknown = 'its original settings are unknown, so the trigger made it inactive';
	test.each([
		['nothing of what can be sent as it was', state(), undefined],
		[
			'that null events become all events',
			state({ events: null }),
			'its list of events was null, which cannot be sent, so the trigger sets all events instead',
		],
		['that nothing is known', undefined, unknown],
	])('tells a person %s', (_, saved, note) => {
		expect(planRelease(readOwnership(production, ours, saved), 'restore')?.note).toBe(note);
	});

	test.each([
		['restore', state()],
		['pause', { ...ours, active: false }],
	] as const)('leaves what another workflow took over, and tells it to %s', (how, link) => {
		const another = `${origin}/webhook/other/webhook`;
		const stored = state({ url: withPrevious(another, ours) });
		expect(planRelease(readOwnership(production, stored, state()), how)).toEqual({
			wanted: { ...stored, url: withPrevious(another, link) },
			note: `another workflow uses it, at ${another}, and restores it`,
		});
	});

	test('says that nothing is known where the previous owner would restore this trigger', () => {
		const own = state({ url: production.href });
		const other = state({ url: `${origin}/webhook/other/webhook` });
		const before = (link: SubscriptionState) => ({ ...other, url: withPrevious(other.url, link) });
		const stored = { ...ours, url: withPrevious(ours.url, before(own)) };
		expect(planRelease(readOwnership(production, stored), 'restore')).toEqual({
			wanted: before({ ...own, active: false }),
			note: expect.stringContaining('its original settings are unknown') as string,
		});
	});

	test.each([
		'https://crm.example/x',
		'https://other.example/webhook/abc/webhook',
		'',
		withPrevious(`${origin}/webhook/other/webhook`, state()),
	])('leaves what delivers to %s', (url) => {
		const ownership = readOwnership(production, state({ url }), state());
		expect(planRelease(ownership, 'restore')).toBeUndefined();
	});
});

describe('a test run', () => {
	const settings = { events: ['form.submitted'], takeOver: false };
	const seen = (stored: SubscriptionState) => readOwnership(test_, stored);
	const live = state({ url: `${production.href}?token=1`, events: ['form.enriched'] });
	const during = ['form.enriched', 'form.submitted'];
	const order = (active: boolean, path = test_.path) => ({
		path,
		before: { events: live.events, active },
		during,
	});

	test.each([true, false])('goes beside production, active: %s', (active) => {
		expect(planTest(seen({ ...live, active }), settings, true)).toEqual({
			kind: 'beside',
			snapshot: { ...live, active },
			order: order(active),
			wanted: { url: live.url, events: during, active: true },
		});
	});

	test('restores the URL of a workflow that is not published', () => {
		const wanted = { events: during, active: true };
		const plan = { kind: 'takeOver', snapshot: live, wanted };
		expect(planTest(seen(live), settings, false)).toEqual(plan);
	});

	test('leaves null events of production unchanged', () => {
		expect(planTest(seen({ ...live, events: null }), settings, true)).toMatchObject({
			wanted: { events: null },
		});
	});

	test('listens to the events of the active owner too', () => {
		const takeOver = { ...settings, takeOver: true };
		// The workflow may be published with another subscription.
		for (const isPublished of [false, true])
			expect(planTest(seen(state()), takeOver, isPublished)).toEqual({
				kind: 'takeOver',
				snapshot: state(),
				wanted: { events: during, active: true },
			});
		expect(planTest(seen(state({ active: false })), settings, false)).toMatchObject({
			wanted: { events: ['form.submitted'] },
		});
		expect(() => planTest(seen(state()), settings, false)).toThrow(SubscriptionError);
	});

	test('listens to its own events where a test run before it left nothing else known', () => {
		const wanted = { events: settings.events, active: true };
		const plan = { kind: 'takeOver', snapshot: undefined, wanted };
		expect(planTest(seen(state({ url: test_.href })), settings, false)).toEqual(plan);
	});

	const beside = (active: boolean, path?: string): SubscriptionState => ({
		url: withTestOrder(live.url, 'key', 'abc', order(active, path)),
		events: during,
		active: true,
	});
	test.each([
		['a foreign one', state(), undefined],
		['production without a test run', live, undefined],
		['production with another test run', beside(true, '/webhook-test/x/webhook'), undefined],
		['production with this test run', beside(true), live],
		['paused production', beside(false), { ...live, active: false }],
		[
			'production whose events a person chose',
			{ ...beside(true), events: [] },
			{ ...live, events: [] },
		],
		[
			'production that a person paused',
			{ ...beside(true), active: false },
			{ ...live, active: false },
		],
		['its own URL', { ...live, url: withPrevious(test_.href, state()) }, state()],
		[
			'its own URL, nothing known',
			{ ...live, url: test_.href },
			{ ...live, url: test_.href, active: false },
		],
	])('ends at %s', (_, stored, wanted) => {
		expect(planTestEnd(seen(stored))?.wanted).toEqual(wanted);
	});
});
