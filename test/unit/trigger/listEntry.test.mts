import { toSubscription } from '../../../nodes/parameters/listEntry.ts';

const subscriptionId = 'subscription_0123456789abcdefghijuvwxyz';

describe('a subscription in a list', () => {
	test.each([
		[
			{ url: 'https://crm.example/hooks/in?key=s3cret', events: ['form.submitted'], active: true },
			'crm.example/hooks/in (1 event, …uvwxyz)',
		],
		[
			{ url: 'https://u:p@hooks.example:8443/T00000001/XXXXXXXXXXXX', events: [], active: false },
			'hooks.example:8443/T000…/XXXX… (0 events, …uvwxyz)',
		],
		[
			{ url: 'https://n8n.example/webhook/3f2a1b0c/webhook?token=1', events: null, active: true },
			'This n8n (no list of events, …uvwxyz)',
		],
		[{ url: '', events: null }, 'no usable URL (no list of events, …uvwxyz)'],
		[{ url: 5, events: 'x' }, 'no usable URL (no list of events, …uvwxyz)'],
	])('%j is called %s', (record, name) => {
		expect(toSubscription({ subscriptionId, ...record }, 'https://n8n.example')).toEqual({
			name,
			value: subscriptionId,
		});
	});

	test('keeps its name when it is paused', () => {
		const record = { subscriptionId, url: 'https://crm.example/', events: [] };
		expect(toSubscription({ ...record, active: true }, undefined)).toEqual(
			toSubscription({ ...record, active: false }, undefined),
		);
	});
});
