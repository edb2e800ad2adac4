import { locate, type CasesOf } from '../case.mts';

export const subscriptionCases: CasesOf = (store) => {
	const [one, two] = store.subscriptions.all().map(({ subscriptionId }) => subscriptionId);
	const located = { resource: 'webhookSubscription', subscriptionId: locate('subscription') };
	return [
		{
			endpoint: 'listWebhookSubscriptions',
			parameters: { resource: 'webhookSubscription', operation: 'getAll' },
			items: [{ anything: 1 }, { anything: 2 }],
			requests: [
				{ method: 'GET', path: '/v0/webhook_subscriptions' },
				{ method: 'GET', path: '/v0/webhook_subscriptions' },
			],
			outputs: [{ read: '/v0/webhook_subscriptions' }, { read: '/v0/webhook_subscriptions' }],
		},
		{
			endpoint: 'getWebhookSubscription',
			parameters: { ...located, operation: 'get' },
			items: [{ subscription: one }, { subscription: two }],
			requests: [
				{ method: 'GET', path: `/v0/webhook_subscriptions/${one}` },
				{ method: 'GET', path: `/v0/webhook_subscriptions/${two}` },
			],
			outputs: [
				{ read: `/v0/webhook_subscriptions/${one}` },
				{ read: `/v0/webhook_subscriptions/${two}` },
			],
		},
		{
			endpoint: 'updateWebhookSubscription',
			parameters: {
				...located,
				operation: 'update',
				updateFields: {
					url: '={{ $json.url }}',
					events: '={{ $json.events }}',
					active: '={{ $json.active }}',
				},
			},
			items: [
				{
					subscription: one,
					url: 'https://example.com/hook',
					events: ['form.submitted', 'form.enriched'],
					active: true,
				},
				{
					subscription: two,
					url: 'https://example.com/other',
					events: ['page.version.created'],
					active: false,
				},
			],
			requests: [
				{
					method: 'PATCH',
					path: `/v0/webhook_subscriptions/${one}`,
					body: {
						url: 'https://example.com/hook',
						events: ['form.submitted', 'form.enriched'],
						active: true,
					},
				},
				{
					method: 'PATCH',
					path: `/v0/webhook_subscriptions/${two}`,
					body: {
						url: 'https://example.com/other',
						events: ['page.version.created'],
						active: false,
					},
				},
			],
			outputs: [
				{ record: { subscriptionId: one, url: 'https://example.com/hook', active: true } },
				{ record: { subscriptionId: two, url: 'https://example.com/other', active: false } },
			],
		},
	];
};
