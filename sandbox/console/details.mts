import { ApiError } from '../api/errors.mts';
import type { RecordedRequest } from '../api/recorder.mts';
import type { Delivery } from '../deliveries/deliveries.mts';
import type { PersonLog, WebhookSubscription } from '../records/index.mts';
import type { Store } from '../store/store.mts';
import type { Details } from './entries.mts';
import { hideSecretHeaders, hideSecrets } from './secrets.mts';
import type { ConsoleSources } from './sources.mts';

const longestPart = 100_000;

/** Leaves out facts and parts without a value. */
function composeDetails(
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
			return [{ title: isCut ? `${name} (first ${longestPart} characters)` : name, text: shown }];
		}),
	};
}

const describeRequest = (request: RecordedRequest): Details =>
	composeDetails(
		`${request.method} ${request.path}`,
		{
			Operation: request.operationId ?? 'unknown endpoint',
			Response:
				request.status ?? (request.endedAtMs ? 'none, the connection was closed' : 'pending'),
			Duration: request.endedAtMs && `${(request.endedAtMs - request.startedAtMs).toFixed(1)} ms`,
			'Injected fault': request.fault,
			Received: request.receivedAt,
			Query: request.rawQuery,
		},
		{ Body: request.body, Headers: hideSecretHeaders(request.headers) },
	);

const describeDelivery = (delivery: Delivery): Details =>
	composeDetails(
		delivery.kind,
		{
			To: delivery.url,
			Response: delivery.status ?? delivery.error ?? 'pending',
			Sent: delivery.sentAt,
			Subscription: delivery.subscriptionId,
			Delivery: delivery.id,
		},
		{ Payload: delivery.payload },
	);

function describeLog(log: PersonLog, { persons }: Store): Details {
	const person = persons.get(log.personId);
	return composeDetails(
		`Person log of ${person?.name ?? log.personId}`,
		{
			Source: log.source,
			Type: log.type,
			Person: log.createdPerson ? 'created with this log' : 'already existed',
			Created: log.createdAt,
			'Idempotency key': log.idempotencyKey ?? 'none',
			'Person log': log.personLogId,
		},
		{ Payload: log.payload, Person: person },
	);
}

const describeSubscription = (subscription: WebhookSubscription): Details =>
	composeDetails(
		subscription.active ? 'Active webhook subscription' : 'Inactive webhook subscription',
		{
			URL: subscription.url,
			Events: subscription.events?.join(', ') ?? 'all (null)',
			Subscription: subscription.subscriptionId,
			Created: subscription.createdAt,
			Updated: subscription.updatedAt,
		},
		{},
	);

function findEntry({ store, recorder, deliveries }: ConsoleSources, kind: string, id: string) {
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

/** Throws an ApiError (404) for an unknown entry, for example after a reset. */
export function describeEntry(sources: ConsoleSources, kind: string, id: string): Details {
	const details = findEntry(sources, kind, id);
	if (!details) throw new ApiError(404, 'not_found', 'This entry no longer exists');
	return hideSecrets(details, sources.apiKey);
}
