import type { Delivery } from '../deliveries.mts';
import type { PersonLog, WebhookSubscription } from '../records.mts';
import type { RecordedRequest } from '../recording.mts';
import { Refusal } from '../refusal.mts';
import type { Store } from '../store.mts';
import type { Details } from './entries.mts';
import { hideSecretHeaders, hideSecrets } from './secrets.mts';
import type { Watched } from './watched.mts';

const longestPart = 100_000;

/** Facts that are not there are left out, and so are parts without a text. */
function compose(
	title: string,
	facts: Record<string, string | number | undefined>,
	parts: Record<string, unknown>,
): Details {
	return {
		title,
		facts: Object.entries(facts).flatMap(([name, fact]) =>
			fact === undefined || fact === '' ? [] : [[name, String(fact)]],
		),
		parts: Object.entries(parts).flatMap(([name, part]) => {
			const text = typeof part === 'string' ? part : JSON.stringify(part, null, 2);
			if (!text) return [];
			const isCut = text.length > longestPart;
			const shown = isCut ? `${text.slice(0, longestPart)}…` : text;
			return [
				{ title: isCut ? `${name}, the first ${longestPart} characters` : name, text: shown },
			];
		}),
	};
}

const describeRequest = (request: RecordedRequest): Details =>
	compose(
		`${request.method} ${request.path}`,
		{
			Operation: request.operationId ?? 'not one of this API',
			Answered: request.status ?? (request.endedAtMs ? 'nothing, the connection ended' : 'not yet'),
			Took: request.endedAtMs && `${(request.endedAtMs - request.startedAtMs).toFixed(1)} ms`,
			'Injected fault': request.fault,
			Received: request.receivedAt,
			Query: request.rawQuery,
		},
		{ Body: request.body, Headers: hideSecretHeaders(request.headers) },
	);

const describeDelivery = (delivery: Delivery): Details =>
	compose(
		delivery.kind,
		{
			To: delivery.url,
			Answered: delivery.status ?? delivery.error ?? 'not yet',
			Sent: delivery.sentAt,
			Subscription: delivery.subscriptionId,
			Delivery: delivery.id,
		},
		{ Payload: delivery.payload },
	);

function describeLog(log: PersonLog, { persons }: Store): Details {
	const person = persons.get(log.personId);
	return compose(
		`Person log of ${person?.name ?? log.personId}`,
		{
			Source: log.source,
			Type: log.type,
			Person: log.createdPerson ? 'new: created with this log' : 'known before',
			Created: log.createdAt,
			'Idempotency key': log.idempotencyKey ?? 'none',
			'Person log': log.personLogId,
		},
		{ Payload: log.payload, Person: person },
	);
}

const describeSubscription = (subscription: WebhookSubscription): Details =>
	compose(
		subscription.active ? 'Active webhook subscription' : 'Inactive webhook subscription',
		{
			URL: subscription.url,
			Events: subscription.events?.join(', ') ?? 'null: every kind',
			Subscription: subscription.subscriptionId,
			Created: subscription.createdAt,
			Updated: subscription.updatedAt,
		},
		{},
	);

function find({ store, recorder, deliveries }: Watched, kind: string, id: string) {
	if (kind === 'requests') {
		const request = recorder.requests.find((one) => String(one.id) === id);
		return request && describeRequest(request);
	}
	if (kind === 'deliveries') {
		const delivery = deliveries.made.find((one) => one.id === id);
		return delivery && describeDelivery(delivery);
	}
	const log = kind === 'personLogs' ? store.personLogs.get(id) : undefined;
	if (log) return describeLog(log, store);
	const subscription = kind === 'subscriptions' ? store.subscriptions.get(id) : undefined;
	return subscription && describeSubscription(subscription);
}

/** Throws a Refusal (404) where there is no such entry, for example any more, after a reset. */
export function describeDetails(watched: Watched, kind: string, id: string): Details {
	const details = find(watched, kind, id);
	if (!details) throw new Refusal(404, 'not_found', 'It is not there any more');
	return hideSecrets(details, watched.apiKey);
}
