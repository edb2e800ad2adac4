import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { Randomness } from '../sandbox/store/randomness.mts';
import { credentialType, Stage } from '../test/e2e/trigger/stage.mts';
import { RestartableN8n } from '../tools/n8n/restartable.mts';
import { atEnd } from '../tools/lifetime.mts';
import { findFreePort } from '../tools/ports.mts';
import type { ProbeReading } from './probe.mts';
import { installRecorder } from './recorder.mts';

/** What a disturbance does to n8n or to the service. */
export type Disturbance = 'restart' | 'kill' | 'outage' | 'rotation';

/** The work is repeated until nothing disturbs it. */
const mostTries = 20;
/** For how long the service accepts the old API key too. */
const rotationMs = 10_000;
/** What keeps the stores as they are: a successful execution leaves nothing behind. */
const unsaved = {
	EXECUTIONS_DATA_SAVE_ON_SUCCESS: 'none',
	EXECUTIONS_DATA_SAVE_ON_ERROR: 'all',
	EXECUTIONS_DATA_SAVE_MANUAL_EXECUTIONS: 'false',
	N8N_EXPRESSION_ENGINE: 'legacy',
	N8N_WORKFLOW_PUBLICATION_CONCURRENCY: '20',
};

/** One n8n with the packed package, the service, and what happens to the two. */
export class World {
	readonly n8n: RestartableN8n;
	readonly stage: Stage;
	readonly randomness: Randomness;
	/** Counts n8n's starts. */
	epoch = 1;
	readonly happened: Disturbance[] = [];
	/** Grows when a disturbance begins, and when it ends. */
	changes = 0;
	#isCalm: Promise<void> = Promise.resolve();
	#isAway = false;
	readonly #probePort: number;
	readonly #outageMs: number;

	private constructor(
		n8n: RestartableN8n,
		stage: Stage,
		randomness: Randomness,
		probePort: number,
		outageMs: number,
	) {
		this.n8n = n8n;
		this.stage = stage;
		this.randomness = randomness;
		this.#probePort = probePort;
		this.#outageMs = outageMs;
	}

	static async open(tarball: string, seed: number, outageMs: number): Promise<World> {
		const probePort = await findFreePort();
		const probe = pathToFileURL(join(import.meta.dirname, 'probe.mts')).href;
		const env = {
			NODE_OPTIONS: `--disable-warning=ExperimentalWarning --import ${probe}`,
			SOAK_PROBE_PORT: String(probePort),
			...unsaved,
		};
		const n8n = new RestartableN8n({ tarball, env, withEditor: false });
		installRecorder(n8n.userFolder);
		atEnd(async () => await n8n.remove());
		const stage = await Stage.open(await n8n.start(), 'newer');
		// Where n8n is killed in the middle of a publication, it leaves the workflow alone for two minutes.
		stage.publication = { withinMs: 250_000, longestPauseMs: 2_000 };
		return new World(n8n, stage, new Randomness(seed), probePort, outageMs);
	}

	/** How many API keys n8n has had. */
	get apiKeys(): number {
		return 1 + this.happened.filter((what) => what === 'rotation').length;
	}

	/** Whether nothing disturbed n8n since there were so many changes, and nothing did then. */
	isCalmSince(changes: number): boolean {
		return changes % 2 === 0 && changes === this.changes;
	}

	/** What disturbed the work, or undefined if nothing did and it succeeded. */
	async try<T>(work: () => Promise<T>): Promise<{ value: T } | { disturbed: true }> {
		await this.#isCalm;
		const before = this.changes;
		try {
			const value = await work();
			return this.changes === before ? { value } : { disturbed: true };
		} catch (error) {
			if (this.changes === before) throw error;
			return { disturbed: true };
		}
	}

	/** Repeats the work until nothing has disturbed it. */
	async insist<T>(work: () => Promise<T>): Promise<T> {
		for (let tries = 1; tries <= mostTries; tries++) {
			const done = await this.try(work);
			if ('value' in done) return done.value;
		}
		throw new Error(`Something disturbed the work ${mostTries} times`);
	}

	async disturb(kind: Disturbance): Promise<void> {
		await this.#isCalm;
		this.changes++;
		this.happened.push(kind);
		this.#isCalm = this.#do(kind).finally(() => this.changes++);
		await this.#isCalm;
	}

	/** Undefined while n8n is away. */
	async probe(): Promise<ProbeReading | undefined> {
		if (this.#isAway) return undefined;
		const { epoch } = this;
		try {
			const response = await fetch(`http://127.0.0.1:${this.#probePort}`);
			const reading = (await response.json()) as ProbeReading;
			return epoch === this.epoch ? reading : undefined;
		} catch (error) {
			if (this.#isAway || epoch !== this.epoch) return undefined;
			throw error;
		}
	}

	/** Reads n8n's database from beside it. */
	query(sql: string): Array<Record<string, unknown>> {
		const path = join(this.n8n.userFolder, '.n8n/database.sqlite');
		const database = new DatabaseSync(path, { readOnly: true, timeout: 10_000 });
		try {
			return database.prepare(sql).all();
		} finally {
			database.close();
		}
	}

	async close(): Promise<void> {
		await this.stage.close().finally(async () => await this.n8n.remove());
	}

	async #do(kind: Disturbance): Promise<void> {
		if (kind === 'restart' || kind === 'kill') await this.#startAgain(kind);
		else if (kind === 'outage') await this.#fail();
		else await this.#rotate();
	}

	async #startAgain(kind: 'restart' | 'kill'): Promise<void> {
		this.#isAway = true;
		if (kind === 'kill') await this.n8n.kill();
		else await this.n8n.stop();
		this.epoch++;
		await this.stage.reconnect(await this.n8n.start());
		this.#isAway = false;
	}

	async #fail(): Promise<void> {
		const { faults } = this.stage.sandbox;
		faults.add({ kind: 'status', status: 503, times: Infinity });
		await sleep(this.#outageMs);
		faults.clear();
	}

	/** The new key is made, n8n gets it, and the old one is revoked. */
	async #rotate(): Promise<void> {
		const { service, client, credential } = this.stage;
		const apiKey = `key-${this.happened.length}`;
		service.keys = [...(service.keys ?? []), apiKey];
		const data = { baseUrl: service.url, apiKey };
		await client.updateCredential(credential.id, credentialType, credential.name, data);
		await sleep(rotationMs);
		service.keys = [apiKey];
	}
}
