import { path } from '../../../api/path';
import { copyMasked } from '../../../api/triggerUrl';
import { subscriptionId } from '../../../parameters/locators';
import { readSubscription } from '../../../records/webhookSubscription';
import { defineOperation } from '../../operation/operation';

export const get = defineOperation({
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get webhook subscription',
		description: 'Get a webhook subscription by its ID',
	},
	properties: [subscriptionId],
	request: ({ subscriptionId: id }) => ({
		method: 'GET',
		path: path`/webhook_subscriptions/${id}`,
	}),
	records: (response) => [copyMasked(readSubscription(response))],
});
