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
	['sub_1', 'sub_1', true],
	[' SUB_1 ', 'sub_1', true],
	[7, '7', true],
	['sub_2', 'sub_1', false],
	['sub_12', 'sub_1', false],
	[1, 'sub_1', false],
])('the subscription with the ID %j is that with %j: %s', (subscriptionId, id, isAsked) => {
	const shown = () => read({ subscriptionId }, id);
	if (isAsked) expect(shown()).toEqual({ subscriptionId });
	else expect(shown).toThrow(`something other than webhook subscription "${id}"`);
});

test('a response without an ID is no subscription', () => {
	expect(() => read({ url: 'u' })).toThrow('a record with subscriptionId');
});

const state = { url: 'u', events: ['form.enriched'], active: false };

test.each<[change: object, settings?: Partial<typeof state> | { events: null }]>([
	[{ name: 'x' }, {}],
	[{ events: null }, { events: null }],
	[{ events: undefined }, { events: null }],
	[{ events: [7] }, { events: ['7'] }],
	[{ url: undefined }],
	[{ url: null }],
	[{ active: undefined }],
	[{ active: 'yes' }],
	[{ events: 'form.enriched' }],
	[{ events: { 'form.enriched': true } }],
])('the settings with %j are %j', (...[change, settings]) => {
	expect(readState({ ...state, ...change })).toEqual(settings && { ...state, ...settings });
});

test('a text has no settings', () => {
	expect(readState('x')).toBeUndefined();
});
