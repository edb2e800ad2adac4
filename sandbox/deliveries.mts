import axios from 'axios';
import { tenantId, writeMoment, type Guesses } from './guesses.mts';
import type { EventKind, WebhookSubscription } from './records.mts';
import type { Store } from './store/store.mts';

export interface MadeDelivery {
	id: string;
	kind: EventKind;
	subscriptionId: string;
	url: string;
	payload: Record<string, unknown>;
	sentAt: string;
	/** The status that the receiver returned. */
	status?: number;
	/** Why there was no response. */
	error?: string;
}

/** RFC 2606 reserves these names for examples. The seed uses them, and some of them belong to real servers. */
const reservedHost = /(^|\.)(example(\.(com|net|org))?|invalid|test)$/;

/** Sends events to the subscriptions that want them. A failed delivery is recorded, never thrown. */
export class Deliveries {
	readonly made: MadeDelivery[] = [];
	readonly #store: Store;
	readonly #guesses: Guesses;

	constructor(store: Store, guesses: Guesses) {
		this.#store = store;
		this.#guesses = guesses;
	}

	emit(kind: EventKind, data: Record<string, unknown>): Promise<MadeDelivery[]> {
		const { subscriptions, randomness } = this.#store;
		const occurredAt = writeMoment();
		const payload = { id: randomness.id('event'), event: kind, tenantId, occurredAt, data };
		const receivers = subscriptions
			.all()
			.filter(({ active, events }) => active && (events === null || events.includes(kind)));
		return Promise.all(receivers.map((subscription) => this.#deliver(subscription, kind, payload)));
	}

	async #deliver(
		{ subscriptionId, url }: WebhookSubscription,
		kind: EventKind,
		payload: MadeDelivery['payload'],
	): Promise<MadeDelivery> {
		const id = this.#store.randomness.id('delivery');
		const sentAt = writeMoment();
		const delivery: MadeDelivery = { id, kind, subscriptionId, url, payload, sentAt };
		this.made.push(delivery);
		try {
			delivery.status = await this.#post(url, payload);
		} catch (error) {
			delivery.error = error instanceof Error ? error.message : String(error);
		}
		return delivery;
	}

	/** Without a signature, and without the event's kind in a header, because none is documented. */
	async #post(url: string, payload: MadeDelivery['payload']): Promise<number> {
		if (reservedHost.test(new URL(url).hostname)) {
			throw new Error('Not sent: the host is reserved for examples');
		}
		const { status } = await axios.post(url, payload, {
			headers: { 'content-type': 'application/json', 'user-agent': 'page-audience-sandbox' },
			timeout: this.#guesses.deliveryTimeoutMs,
			maxRedirects: 0,
			proxy: false,
			responseType: 'text',
			validateStatus: () => true,
		});
		return status;
	}
}

const submission = {
	formSubmissionId: 'submission_1',
	pageTitle: 'Product demo',
	form: { name: 'Nora Lindgren', email: 'nora.lindgren@fjordfreight.example' },
};
const company = { name: 'Fjord Freight', domain: 'fjordfreight.example' };

/** Example data for an event. What the real service sends is not documented. */
export function makeExampleData(store: Store, kind: EventKind): Record<string, unknown> {
	switch (kind) {
		case 'form.submitted':
			return submission;
		case 'form.enriched':
			return { ...submission, company };
		case 'form.enrichment_failed':
			return { ...submission, reason: 'no company found' };
		default:
			return describeLatestVersion(store);
	}
}

/** IDs of records that exist, so that a workflow can look them up. */
function describeLatestVersion({ audiences, versions }: Store): Record<string, unknown> {
	const [{ pageId, audienceId }] = audiences.all();
	const ofAudience = versions.of(audienceId);
	const { versionId, versionNumber } = ofAudience[ofAudience.length - 1];
	return { pageId, audienceId, versionId, versionNumber };
}
