import { defineResource } from '../../operation/operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';
import { update } from './update.operation';

export const webhookSubscription = defineResource({
	option: { name: 'Webhook Subscription', value: 'webhookSubscription' },
	operations: [get, getAll, update],
});
