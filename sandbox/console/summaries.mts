import type { RecordedRequest } from '../api/recorder.mts';
import type { Delivery } from '../deliveries/deliveries.mts';
import type { PersonLog, WebhookSubscription } from '../records/index.mts';
import type { Store } from '../store/store.mts';
import type { Entries, Kind, Shown } from './entries.mts';
import { hideSecrets } from './secrets.mts';
import type { ConsoleSources } from './sources.mts';

/** How many entries of each kind the console shows. */
const shownCount = 100;
const longestText = 300;

const cut = (text: string): string =>
	text.length > longestText ? `${text.slice(0, longestText)}…` : text;

/** The query of a registered URL may hold a secret of its receiver. */
const shortenUrl = (url: string): string => cut(url.split('?')[0]);

const summarizeRequest = (request: RecordedRequest): Entries['requests'] => ({
	id: String(request.id),
	at: request.receivedAt,
	method: request.method,
	path: cut(request.rawQuery === '' ? request.path : `${request.path}?${request.rawQuery}`),
	operationId: request.operationId,
	status: request.status,
	durationMs: request.endedAtMs && Math.round(request.endedAtMs - request.startedAtMs),
	fault: request.fault,
});

const summarizeDelivery = (delivery: Delivery): Entries['deliveries'] => ({
	id: delivery.id,
	at: delivery.sentAt,
	kind: delivery.kind,
	url: shortenUrl(delivery.url),
	status: delivery.status,
	error: delivery.error && cut(delivery.error),
});

const summarizeLog = (
	{ personLogId, personId, createdAt, createdPerson, source, type }: PersonLog,
	{ persons }: Store,
): Entries['personLogs'] => ({
	id: personLogId,
	at: createdAt,
	personName: cut(persons.get(personId)?.name ?? personId),
	createdPerson,
	source,
	type,
});

const summarizeSubscription = (subscription: WebhookSubscription): Entries['subscriptions'] => ({
	id: subscription.subscriptionId,
	active: subscription.active,
	url: shortenUrl(subscription.url),
	events: subscription.events,
});

/** Entries are taken from the end, so the active ones go there. */
const putActiveLast = (subscriptions: readonly WebhookSubscription[]) => [
	...subscriptions.filter(({ active }) => !active).reverse(),
	...subscriptions.filter(({ active }) => active).reverse(),
];

const takeNewest = <T, E>(records: readonly T[], summarize: (record: T) => E) => ({
	total: records.length,
	entries: records.slice(-shownCount).reverse().map(summarize),
});

export function summarize({ apiKey, store, recorder, deliveries }: ConsoleSources): {
	[K in Kind]: Shown<K>;
} {
	const shown = {
		requests: takeNewest(recorder.requests, summarizeRequest),
		deliveries: takeNewest(deliveries.made, summarizeDelivery),
		personLogs: takeNewest(store.personLogs.all(), (log) => summarizeLog(log, store)),
		subscriptions: takeNewest(putActiveLast(store.subscriptions.all()), summarizeSubscription),
	};
	return hideSecrets(shown, apiKey);
}
