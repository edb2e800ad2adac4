import { at } from '../../../nodes/api/request.ts';
import { readState, readSubscription } from '../../../nodes/PageAudienceTrigger/subscription.ts';
import { respond } from '../api/responding.mts';

const read = (body: unknown, id = 'sub_1') =>
	readSubscription(
		respond({
			body,
			request: { method: 'GET', ...at.webhookSubscription`/webhook_subscriptions/${id}` },
		}),
		id,
	);

test.each([
	['sub_1', 'sub_1'],
	[' SUB_1 ', 'sub_1'],
	[7, '7'],
])('the subscription with the ID %j is the asked one', (subscriptionId, id) => {
	expect(read({ subscriptionId }, id)).toEqual({ subscriptionId });
});

test.each([{ subscriptionId: 'sub_2' }, { subscriptionId: 'sub_12' }, { subscriptionId: 1 }])(
	'%j is another one',
	(body) => {
		expect(() => read(body)).toThrow('something other than webhook subscription "sub_1"');
	},
);

test('a response without an ID is no subscription', () => {
	expect(() => read({ url: 'u' })).toThrow('a record with subscriptionId');
});

const state = { url: 'u', events: ['form.enriched'], active: false };

test.each([
	[{ ...state, name: 'x' }, state],
	[
		{ ...state, events: null },
		{ ...state, events: null },
	],
	[
		{ ...state, events: undefined },
		{ ...state, events: null },
	],
	[
		{ ...state, events: [7] },
		{ ...state, events: ['7'] },
	],
	[{ ...state, url: undefined }, undefined],
	[{ ...state, url: null }, undefined],
	[{ ...state, active: undefined }, undefined],
	[{ ...state, active: 'yes' }, undefined],
	[{ ...state, events: 'form.enriched' }, undefined],
	[{ ...state, events: { 'form.enriched': true } }, undefined],
	['x', undefined],
])('the settings in %j are %j', (shown, settings) => {
	expect(readState(shown)).toEqual(settings);
});
