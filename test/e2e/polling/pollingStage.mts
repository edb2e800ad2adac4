import { randomUUID } from 'node:crypto';
import { type Sandbox, startSandbox } from '../../../sandbox/index.mts';
import type { N8nClient } from '../../../tools/n8n/client.mts';
import { isOver, itemsOf, type JsonObject } from '../../../tools/n8n/execution.mts';
import type { CredentialReference } from '../../../tools/n8n/workflow.mts';
import { connectToOwn, connectToShared } from '../sharedN8n.mts';
import { waitFor } from '../../waitFor.mts';

const type = 'n8n-nodes-page-audience.pageAudiencePollingTrigger';
const name = 'Page Audience Polling Trigger';
const credentialType = 'pageAudienceApi';

/** How n8n activates workflows: 'older' is N8N_USE_WORKFLOW_PUBLICATION_SERVICE=false. */
export type Engine = 'newer' | 'older';

interface PublicationStatus {
	status: string;
	triggers: Array<{ errorMessage: string | null }>;
}

/** n8n takes no poll time that comes more often than once a minute, but as many poll times as one likes. */
const pollTimes = [0, 10, 20, 30, 40, 50].map((second) => ({
	mode: 'custom',
	cronExpression: `${second} * * * * *`,
}));

/** n8n, a sandbox, and workflows that poll it every minute. */
export class PollingStage {
	readonly engine: Engine;
	readonly sandbox: Sandbox;
	client: N8nClient;
	readonly #credential: CredentialReference;
	#added = 0;

	private constructor(
		engine: Engine,
		sandbox: Sandbox,
		client: N8nClient,
		credential: CredentialReference,
	) {
		this.engine = engine;
		this.sandbox = sandbox;
		this.client = client;
		this.#credential = credential;
	}

	/** By default with the n8n that all files share. */
	static async open(url?: string, engine: Engine = 'newer'): Promise<PollingStage> {
		const sandbox = await startSandbox({ guesses: { sessionOrder: 'shuffled' } });
		const client = url === undefined ? connectToShared() : await connectToOwn(url);
		const data = { baseUrl: sandbox.url, apiKey: sandbox.apiKey };
		const credential = await client.createCredential(credentialType, 'Polling', data);
		return new PollingStage(engine, sandbox, client, credential);
	}

	/** After n8n was started again. */
	async reconnect(url: string): Promise<void> {
		this.client = await connectToOwn(url);
	}

	async close(): Promise<void> {
		await this.sandbox.close();
	}

	get pageId(): string {
		return this.sandbox.store.pages.all()[0].pageId;
	}

	get secondPageId(): string {
		return this.sandbox.store.pages.all()[1].pageId;
	}

	/** A session that is in the service from now on. @returns its ID */
	addSession(hoursAgo = 0, pageId = this.pageId): string {
		const { sessions } = this.sandbox.store;
		const audienceSessionId = `audsession_new${++this.#added}`;
		sessions.add({
			...sessions.of(this.pageId)[0],
			pageId,
			audienceSessionId,
			sessionStartedAt: new Date(Date.now() - hoursAgo * 3_600_000).toISOString(),
		});
		return audienceSessionId;
	}

	/** A workflow of the trigger alone, not published. */
	async create(parameters: JsonObject): Promise<PollingWorkflow> {
		const node = {
			id: randomUUID(),
			name,
			type,
			typeVersion: 1,
			position: [0, 0] as [number, number],
			parameters: { pollTimes: { item: pollTimes }, ...parameters },
			credentials: { [credentialType]: this.#credential },
		};
		const { id } = await this.client.createWorkflow({
			name: 'Polling',
			nodes: [node],
			connections: {},
		});
		return new PollingWorkflow(this, id);
	}

	/** Requests for sessions so far. */
	get polls(): number {
		return this.sandbox.requests.filter(({ path }) => path.endsWith('/audience_sessions')).length;
	}

	/** Waits for more than a minute, in case that n8n keeps to one of the poll times only. */
	async untilPolled(): Promise<void> {
		const { polls } = this;
		for (let halfMinutes = 0; halfMinutes < 3; halfMinutes++)
			await waitFor('a poll', () => this.polls > polls).catch(() => undefined);
		if (this.polls === polls) throw new Error('n8n has not polled');
	}
}

export class PollingWorkflow {
	readonly id: string;
	readonly #stage: PollingStage;

	constructor(stage: PollingStage, id: string) {
		this.#stage = stage;
		this.id = id;
	}

	/** Rejects with the message that n8n shows. */
	async publish(): Promise<void> {
		const { client, engine } = this.#stage;
		await client.activate(this.id);
		if (engine === 'older') return;
		const { status, triggers } = await waitFor('the end of publishing', async () => {
			const answer = (await client.publicationStatus(this.id)) as JsonObject & PublicationStatus;
			return answer.status !== 'in_progress' && answer;
		});
		if (status !== 'published') throw new Error(String(triggers[0]?.errorMessage));
	}

	async unpublish(): Promise<void> {
		await this.#stage.client.deactivate(this.id);
	}

	/** The items of all executions, each as it ended, once there are so many of them. */
	async runs(count: number): Promise<Array<{ status: string; ids: unknown[] }>> {
		return (await this.#outputs(count)).map(({ status, items }) => ({
			status,
			ids: items.map(({ audienceSessionId }) => audienceSessionId),
		}));
	}

	/**
	 * The items of all executions together, once there are so many of them: a poll may be between two pages when both get a
	 * record, and outputs one of these.
	 */
	async records(count: number): Promise<JsonObject[]> {
		return await waitFor(`${count} records`, async () => {
			const all = (await this.#outputs(1)).flatMap(({ items }) => items);
			return all.length >= count && all;
		});
	}

	async #outputs(count: number): Promise<Array<{ status: string; items: JsonObject[] }>> {
		const { client } = this.#stage;
		const list = await waitFor(`${count} executions`, async () => {
			const all = await client.listExecutions(this.id);
			return all.length >= count && all.every(isOver) && all;
		});
		return await Promise.all(
			list.reverse().map(async ({ id, status }) => ({
				status,
				items: itemsOf(await client.waitForExecution(id), name).map(({ json }) => json),
			})),
		);
	}

	async fetchTestEvent(): Promise<JsonObject[]> {
		const { client } = this.#stage;
		const execution = await client.waitForExecution(await client.runWorkflow(this.id, name));
		return itemsOf(execution, name).map(({ json }) => json);
	}

	async readState(): Promise<JsonObject | undefined> {
		const { staticData } = await this.#stage.client.getWorkflow(this.id);
		return (staticData?.[`node:${name}`] as JsonObject | undefined)?.polled as
			| JsonObject
			| undefined;
	}
}
