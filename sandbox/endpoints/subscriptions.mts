import { recordNotFound } from '../api/errors.mts';
import { writeMoment } from '../guesses.mts';
import type { EventKind, WebhookSubscription } from '../records/index.mts';
import type { Call } from './call.mts';

interface SubscriptionUpdate {
	url?: string;
	events?: EventKind[];
	active?: boolean;
}

export const listWebhookSubscriptions = ({ store }: Call): readonly WebhookSubscription[] =>
	store.subscriptions.all();

export function getWebhookSubscription({ store, params }: Call): WebhookSubscription {
	const subscription = store.subscriptions.get(params.subscription_id);
	if (!subscription) throw recordNotFound('Webhook subscription', params.subscription_id);
	return subscription;
}

export function updateWebhookSubscription(call: Call<SubscriptionUpdate>): WebhookSubscription {
	return Object.assign(getWebhookSubscription(call), call.body, { updatedAt: writeMoment() });
}
