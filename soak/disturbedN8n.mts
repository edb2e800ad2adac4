import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MeasuredN8n } from '../bench/measuredN8n.mts';
import type { ProbeReading } from '../bench/probe.mts';

/** What happens to n8n or to the service. */
export type Disturbance = 'restart' | 'kill' | 'outage';

export type Outcome = {
	/** What was done, and how often. */
	counts: Record<string, number>;
	/** What must not happen. */
	violations: string[];
};

const latencyMs = 0;
const environment = {
	// A successful execution leaves nothing behind, so that what grows in n8n's database is the nodes' own.
	EXECUTIONS_DATA_SAVE_ON_SUCCESS: 'none',
	// With its default engine, n8n spends four fifths of each delivery on a new environment for expressions.
	N8N_EXPRESSION_ENGINE: 'legacy',
};

/** One n8n, the service, and what happens to the two. */
export class DisturbedN8n {
	readonly measured: MeasuredN8n;
	/** Counts n8n's starts. */
	epoch = 1;
	/** Grows when a disturbance begins, and when it ends. */
	changes = 0;
	readonly #outageMs: number;
	#isAway = false;

	private constructor(measured: MeasuredN8n, outageMs: number) {
		this.measured = measured;
		this.#outageMs = outageMs;
	}

	static async open(outageMs: number): Promise<DisturbedN8n> {
		return new DisturbedN8n(await MeasuredN8n.open(latencyMs, environment), outageMs);
	}

	/** Whether nothing has disturbed n8n since there were so many changes, and nothing did then. */
	isCalmSince(changes: number): boolean {
		return changes % 2 === 0 && changes === this.changes;
	}

	/** Waits until nothing disturbs n8n. */
	async untilCalm(): Promise<void> {
		while (!this.isCalmSince(this.changes)) await sleep(100);
	}

	async disturb(kind: Disturbance): Promise<void> {
		this.changes++;
		if (kind === 'outage') await this.#fail();
		else await this.#startAgain(kind);
		this.changes++;
	}

	/** Undefined while n8n is away. */
	async probe(): Promise<ProbeReading | undefined> {
		const { epoch } = this;
		try {
			const reading = await this.measured.probe('/collect');
			return epoch === this.epoch && !this.#isAway ? reading : undefined;
		} catch (error) {
			if (this.#isAway || epoch !== this.epoch) return undefined;
			throw error;
		}
	}

	/** Reads n8n's database from beside it. */
	query(sql: string): Array<Record<string, unknown>> {
		const path = join(this.measured.server.userFolder, '.n8n/database.sqlite');
		const database = new DatabaseSync(path, { readOnly: true, timeout: 10_000 });
		try {
			return database.prepare(sql).all();
		} finally {
			database.close();
		}
	}

	async #startAgain(kind: 'restart' | 'kill'): Promise<void> {
		const { server } = this.measured;
		this.#isAway = true;
		if (kind === 'kill') await server.kill();
		else await server.stop();
		this.epoch++;
		await server.start();
		this.#isAway = false;
	}

	async #fail(): Promise<void> {
		const { faults } = this.measured.sandbox;
		faults.add({ kind: 'status', status: 503, times: Infinity });
		await sleep(this.#outageMs);
		faults.clear();
	}
}
