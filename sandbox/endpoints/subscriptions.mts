import { found } from '../errors.mts';
import { writeMoment } from '../guesses.mts';
import type { WebhookSubscription } from '../records.mts';
import type { Call } from './call.mts';

export const listWebhookSubscriptions = ({ store }: Call<'listWebhookSubscriptions'>) =>
	store.subscriptions.all();

export function getWebhookSubscription({
	store,
	params: { subscription_id: id },
}: Pick<Call<'getWebhookSubscription'>, 'store' | 'params'>): WebhookSubscription {
	return found(store.subscriptions.get(id), 'Webhook subscription', id);
}

export function updateWebhookSubscription(call: Call<'updateWebhookSubscription'>) {
	return Object.assign(getWebhookSubscription(call), call.body, { updatedAt: writeMoment() });
}
