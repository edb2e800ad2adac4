import {
	type Delivery,
	type EventKind,
	type RecordedRequest,
	type Sandbox,
	startSandbox,
	type WebhookSubscription,
} from '../../../sandbox/index.mts';
import type { N8nClient } from '../../../tools/n8n/client.mts';
import type { JsonObject } from '../../../tools/n8n/execution.mts';
import { differencesOf } from '../../../tools/n8n/release.mts';
import type { CredentialReference } from '../../../tools/n8n/workflow.mts';
import { type Arrival, type LocalServer, serve } from '../../localServer.mts';
import { openRelay, type Relay } from '../../relay.mts';
import { connectToOwn, connectToShared, testedRelease } from '../sharedN8n.mts';
import { LiveTrigger, type Options } from './liveTrigger.mts';

export const credentialType = 'pageAudienceApi';

/** How n8n activates workflows: 'older' is N8N_USE_WORKFLOW_PUBLICATION_SERVICE=false, and every n8n before that. */
export type Engine = 'newer' | 'older';

/** n8n, the service, and somebody else who receives its deliveries. */
export class Stage {
	readonly engine: Engine;
	/** Where n8n receives webhooks. In queue mode, this is not where its editor is. */
	readonly webhookUrl: string;
	readonly sandbox: Sandbox;
	readonly service: Relay;
	/** What somebody else's receiver got. */
	readonly elsewhere: Arrival[];
	readonly elsewhereUrl: string;
	/** How long to wait for a publication. Each look costs n8n as much as a delivery. */
	publication = { withinMs: 100_000, longestPauseMs: 250 };
	client: N8nClient;
	credential: CredentialReference;
	readonly #servers: LocalServer[];
	readonly #triggers: LiveTrigger[] = [];

	private constructor(
		engine: Engine,
		client: N8nClient,
		credential: CredentialReference,
		webhookUrl: string,
		[sandbox, service, elsewhere]: [Sandbox, Relay, LocalServer & { arrivals: Arrival[] }],
	) {
		this.engine = engine;
		this.webhookUrl = webhookUrl;
		this.client = client;
		this.credential = credential;
		this.sandbox = sandbox;
		this.service = service;
		this.elsewhere = elsewhere.arrivals;
		this.elsewhereUrl = elsewhere.url;
		this.#servers = [service, elsewhere];
	}

	/** By default with the n8n that all files share. */
	static async open(url?: string, told?: Engine, webhookUrl?: string): Promise<Stage> {
		const client = url === undefined ? connectToShared() : await connectToOwn(url);
		const { hasPublicationStatus } = differencesOf(testedRelease().version);
		const engine = told ?? (hasPublicationStatus ? 'newer' : 'older');
		// Whether n8n answers in time is not what is tested on a busy machine.
		const sandbox = await startSandbox({ guesses: { deliveryTimeoutMs: 180_000 } });
		const service = await openRelay(sandbox);
		service.keys = [sandbox.apiKey];
		const arrivals: Arrival[] = [];
		const elsewhere = await serve((arrival) => {
			arrivals.push(arrival);
			return { body: '{}' };
		});
		const data = { baseUrl: service.url, apiKey: sandbox.apiKey };
		const credential = await client.createCredential(credentialType, 'Trigger', data);
		return new Stage(engine, client, credential, webhookUrl ?? client.session.url, [
			sandbox,
			service,
			{ ...elsewhere, arrivals },
		]);
	}

	/** After n8n was started again. */
	async reconnect(url: string): Promise<void> {
		this.client = await connectToOwn(url);
	}

	/** A new one, which nobody uses unless told. */
	subscription(
		change: Partial<Pick<WebhookSubscription, 'url' | 'events' | 'active'>> = {},
	): WebhookSubscription {
		const { store } = this.sandbox;
		const now = new Date().toISOString();
		return store.subscriptions.add({
			subscriptionId: store.randomness.id('subscription'),
			url: 'https://example.com/old?secret=s3',
			events: ['form.enriched'],
			active: false,
			createdAt: now,
			updatedAt: now,
			...change,
		});
	}

	/** A workflow of the trigger alone, not published. */
	async trigger(
		subscription: WebhookSubscription,
		options: Options = {},
		events: EventKind[] = ['form.submitted'],
	): Promise<LiveTrigger> {
		const trigger = await LiveTrigger.create(this, { subscription, options, events });
		this.#triggers.push(trigger);
		return trigger;
	}

	/** What was asked about a subscription. */
	requestsOf({ subscriptionId }: WebhookSubscription): RecordedRequest[] {
		return this.sandbox.requests.filter(({ path }) => path.endsWith(`/${subscriptionId}`));
	}

	/** The bodies of the changes to a subscription. */
	changesOf(subscription: WebhookSubscription): unknown[] {
		return this.requestsOf(subscription)
			.filter(({ method }) => method === 'PATCH')
			.map(({ body }) => body);
	}

	/** An event of this subscription alone, and what its receiver answered. */
	async emit(
		subscription: WebhookSubscription,
		kind: EventKind,
		data: JsonObject = {},
	): Promise<Delivery | undefined> {
		const all = this.sandbox.store.subscriptions.all();
		const others = all.filter((other) => other !== subscription && other.active);
		// The sandbox chooses the receivers at once.
		for (const other of others) other.active = false;
		const sending = this.sandbox.emit(kind, data);
		for (const other of others) other.active = true;
		return (await sending)[0];
	}

	/** The same until n8n takes it. @returns the status */
	async emitUntilTaken(
		...event: [subscription: WebhookSubscription, kind: EventKind, data?: JsonObject]
	): Promise<number | undefined> {
		return await untilTaken(async () => (await this.emit(...event))?.status);
	}

	/** Takes away what a test made, so that the next one hears nothing of it. */
	async clear(): Promise<void> {
		this.service.onChange = undefined;
		this.sandbox.faults.clear();
		await Promise.all(this.#triggers.splice(0).map(async (trigger) => await trigger.delete()));
		for (const subscription of this.sandbox.store.subscriptions.all()) subscription.active = false;
		this.elsewhere.length = 0;
	}

	async close(): Promise<void> {
		try {
			await this.clear();
		} finally {
			// An open server keeps Jest from exiting.
			for (const server of this.#servers) server.close();
			await this.sandbox.close();
		}
	}
}

/**
 * Sends again as long as n8n refuses with 503, as a service would: n8n does nothing then, because its database keeps it
 * waiting.
 * @returns the first other status
 */
export async function untilTaken<S extends number | undefined>(send: () => Promise<S>): Promise<S> {
	for (;;) {
		const status = await send();
		if (status !== 503) return status;
	}
}

/** Sends a body as a service could, and gives the status. */
export async function deliver(
	url: string,
	body: JsonObject | string,
	given: Record<string, string> = { 'content-type': 'application/json' },
): Promise<number> {
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	const headers = { ...given, connection: 'close' };
	const response = await fetch(url, { method: 'POST', headers, body: text, redirect: 'manual' });
	await response.arrayBuffer();
	return response.status;
}
