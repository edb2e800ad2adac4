import type { OwnUrl } from '../../../nodes/PageAudienceTrigger/registration/ownUrl.ts';
import {
	findChange,
	findReturn,
	joinEvents,
	readState,
	type State,
	toState,
} from '../../../nodes/PageAudienceTrigger/registration/state.ts';
import {
	findKept,
	isQueryLost,
	planGiveBack,
	planTest,
	planTestEnd,
} from '../../../nodes/PageAudienceTrigger/registration/plans.ts';
import { withBack } from '../../../nodes/PageAudienceTrigger/registration/registeredUrl.ts';
import { SubscriptionError } from '../../../nodes/PageAudienceTrigger/registration/subscriptionError.ts';

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
const state = (change: Partial<State> = {}): State => ({
	url: 'https://crm.example/hook?key=1',
	events: ['form.enriched'],
	active: true,
	...change,
});

describe('the difference between two states', () => {
	test.each([
		[{}, {}],
		[{ url: 'https://CRM.example/hook?key=1' }, {}],
		[{ url: 'https://crm.example/hook?key=2' }, { url: 'https://crm.example/hook?key=2' }],
		[{ events: ['a', 'b'] }, { events: ['a', 'b'] }],
		[{ events: ['form.enriched', 'form.enriched'] }, {}],
		[{ events: [] }, { events: [] }],
		[{ events: null }, {}],
		[{ active: false }, { active: false }],
	])('%j', (to, change) => {
		expect(findChange(state(), state(to))).toEqual(change);
	});

	test('from null events is all that is wanted', () => {
		expect(findChange(state({ events: null }), state())).toEqual({ events: ['form.enriched'] });
	});
});

test.each([
	[{}, { url: '', events: null, active: false }],
	[
		{ url: 5, events: 'x', active: 'yes' },
		{ url: '', events: null, active: false },
	],
	[
		{ url: 'u', events: [1], active: true },
		{ url: 'u', events: ['1'], active: true },
	],
])('a subscription of another shape: %j', (record, expected) => {
	expect(toState(record)).toEqual(expected);
});

test.each([null, 'x', [], {}, { url: 'u', events: 'x', active: true }, { url: 'u', events: [] }])(
	'%j is no state',
	(value) => {
		expect(readState(value)).toBeUndefined();
	},
);

test('null events are given back as all kinds, and joined as all kinds', () => {
	expect(findReturn(state({ events: null })).events).toHaveLength(6);
	expect(joinEvents(null, ['x'])).toHaveLength(7);
	expect(joinEvents(['a'], ['a', 'b'])).toEqual(['a', 'b']);
});

describe('what is kept', () => {
	test.each([
		['a free one', state({ active: false }), false, state({ active: false })],
		['one in use, taken over', state(), true, state()],
		['an own URL', state({ url: `${production.href}?token=1` }), false, undefined],
		['what a test left', state({ url: withBack(test_.href, state()) }), false, state()],
		[
			'an own URL that a test left',
			state({ url: withBack(test_.href, state({ url: production.href })) }),
			false,
			undefined,
		],
	])('of %s', (_, remote, takeOver, kept) => {
		expect(findKept(remote, production, takeOver)).toEqual(kept);
	});

	test('of one in use is nothing: it is refused, without its secrets', () => {
		const find = () => findKept(state(), production, false);
		expect(find).toThrow(SubscriptionError);
		expect(find).toThrow(/^(?!.*key=1).*https:\/\/crm\.example\/hook\..*'Options > Take Over'/);
	});
});

test.each([
	['https://x.example/a?b=1', 'https://x.example/a', true],
	['https://x.example/a?b=1', 'https://x.example/a?b=1', false],
	['https://x.example/a?b=1', 'https://x.example/b', false],
	['https://x.example/a', 'https://x.example/a', false],
])('the query of %s is lost in %s: %s', (wanted, got, lost) => {
	expect(isQueryLost(wanted, got)).toBe(lost);
});

describe('giving back', () => {
	const ours = state({ url: `${production.href}?token=1`, events: ['form.submitted'] });
	test.each([
		['what was kept', ours, state(), 'restore', { ...state() }],
		['nothing known', ours, undefined, 'restore', { active: false }],
		['nothing known, of an inactive one', { ...ours, active: false }, undefined, 'restore', {}],
		['an unusable URL', ours, state({ url: '' }), 'restore', { active: false }],
		[
			'what a test left',
			{ ...ours, url: withBack(test_.href, state()) },
			undefined,
			'restore',
			{ ...state() },
		],
		['an own URL', ours, state({ url: test_.href }), 'restore', { active: false }],
		['only a pause', ours, state(), 'pause', { active: false }],
		['a pause of an inactive one', { ...ours, active: false }, state(), 'pause', {}],
	] as const)('%s', (_, remote, kept, how, change) => {
		expect(planGiveBack(remote, production, kept, how)?.change).toEqual(change);
	});

	test.each(['https://crm.example/x', 'https://other.example/webhook/abc/webhook', ''])(
		'never what delivers to %s',
		(url) => {
			expect(planGiveBack(state({ url }), production, state(), 'restore')).toBeUndefined();
		},
	);
});

describe('a test', () => {
	const settings = { events: ['form.submitted'], takeOver: false };
	const live = state({ url: `${production.href}?token=1`, events: ['form.enriched'] });

	test('goes beside production only while that is live', () => {
		expect(planTest(live, test_, settings, true)).toEqual({
			kind: 'beside',
			wanted: {
				url: `${production.href}?token=1&test=${test_.path}`,
				events: ['form.enriched', 'form.submitted'],
				active: true,
			},
		});
		for (const plan of [
			planTest({ ...live, active: false }, test_, settings, true),
			planTest(live, test_, settings, false),
		])
			expect(plan).toEqual({ kind: 'borrow', kept: undefined, events: ['form.submitted'] });
	});

	test('leaves null events of production alone', () => {
		expect(planTest({ ...live, events: null }, test_, settings, true)).toMatchObject({
			wanted: { events: null },
		});
	});

	test('borrows with the events of whoever is active', () => {
		const takeOver = { ...settings, takeOver: true };
		expect(planTest(state(), test_, takeOver, false)).toEqual({
			kind: 'borrow',
			kept: state(),
			events: ['form.enriched', 'form.submitted'],
		});
		expect(planTest(state({ active: false }), test_, settings, false)).toMatchObject({
			events: ['form.submitted'],
		});
		expect(() => planTest(state(), test_, settings, false)).toThrow(SubscriptionError);
	});

	test.each([
		['a foreign one', state(), undefined],
		['production without a test', live, undefined],
		[
			"production with another's test",
			{ ...live, url: `${live.url}&test=/webhook-test/x/webhook` },
			undefined,
		],
		[
			'production with this test',
			{ ...live, url: `${live.url}&test=${test_.path}` },
			{ url: live.url },
		],
		['its own URL', { ...live, url: withBack(test_.href, state()) }, { ...state() }],
		['its own URL, nothing known', { ...live, url: test_.href }, { active: false }],
	])('ends at %s', (_, remote, change) => {
		expect(planTestEnd(remote, test_, {})?.change).toEqual(change);
	});
});
