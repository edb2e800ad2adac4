import axios from 'axios';
import {
	deliveryHeaders,
	isSubscribedTo,
	writeDeliveryBody,
	writeMoment,
	type Guesses,
} from '../guesses.mts';
import type { EventKind, WebhookSubscription } from '../records/index.mts';
import type { Store } from '../store/store.mts';
import { isReservedHost } from './reservedHosts.mts';

export interface Delivery {
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

/** Sends events to the subscriptions that want them. A failed delivery is recorded, never thrown. */
export class Deliveries {
	readonly made: Delivery[] = [];
	readonly #store: Store;
	readonly #guesses: Guesses;

	constructor(store: Store, guesses: Guesses) {
		this.#store = store;
		this.#guesses = guesses;
	}

	emit(kind: EventKind, data: Record<string, unknown> = {}): Promise<Delivery[]> {
		const sentAt = writeMoment();
		const payload = writeDeliveryBody(this.#store.randomness.id('event'), kind, sentAt, data);
		const receivers = this.#store.subscriptions
			.all()
			.filter((subscription) => isSubscribedTo(subscription, kind));
		return Promise.all(
			receivers.map((subscription) => this.#deliver(subscription, kind, payload, sentAt)),
		);
	}

	async #deliver(
		{ subscriptionId, url }: WebhookSubscription,
		kind: EventKind,
		payload: Record<string, unknown>,
		sentAt: string,
	): Promise<Delivery> {
		const id = this.#store.randomness.id('delivery');
		const delivery: Delivery = { id, kind, subscriptionId, url, payload, sentAt };
		this.made.push(delivery);
		try {
			delivery.status = await this.#post(url, payload);
		} catch (error) {
			delivery.error = error instanceof Error ? error.message : String(error);
		}
		return delivery;
	}

	async #post(url: string, payload: Record<string, unknown>): Promise<number> {
		if (isReservedHost(new URL(url).hostname)) {
			throw new Error('Not sent: the host is reserved for examples');
		}
		const { status } = await axios.post(url, payload, {
			headers: deliveryHeaders,
			timeout: this.#guesses.deliveryTimeoutMs,
			maxRedirects: 0,
			proxy: false,
			responseType: 'text',
			validateStatus: () => true,
		});
		return status;
	}
}
