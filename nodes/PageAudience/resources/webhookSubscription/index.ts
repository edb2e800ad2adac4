import type { Resource } from '../../operation/operation';
import { check } from './check.operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';
import { update } from './update.operation';

export const webhookSubscription: Resource = {
	option: { name: 'Webhook Subscription', value: 'webhookSubscription' },
	operations: [check, get, getAll, update],
};
