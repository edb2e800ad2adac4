import axios from 'axios';
import {
	deliveryHeaders,
	describeEvent,
	isSubscribedTo,
	writeMoment,
	type Guesses,
} from './guesses.mts';
import type { EventKind, WebhookSubscription } from './records.mts';
import type { Store } from './store.mts';

export interface Delivery {
	id: string;
	kind: EventKind;
	subscriptionId: string;
	url: string;
	payload: Record<string, unknown>;
	sentAt: string;
	/** What the receiver answered. */
	status?: number;
	/** Why nothing was answered. */
	error?: string;
}

/** RFC 2606 keeps these for examples. The seed uses them, and real hosts answer under some. */
export const isReservedHost = (hostname: string): boolean =>
	/(^|\.)(example(\.(com|net|org))?|invalid|test)$/.test(hostname);

/** Sends events to the subscriptions that want them; a failed delivery is recorded and never thrown. */
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
		const payload = describeEvent(this.#store.randomness.id('event'), kind, sentAt, data);
		const receivers = this.#store.subscriptions
			.all()
			.filter((subscription) => isSubscribedTo(subscription, kind));
		return Promise.all(
			receivers.map((subscription) => this.#send(subscription, kind, payload, sentAt)),
		);
	}

	async #send(
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
