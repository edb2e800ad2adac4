import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { EntryDatabase } from '../../../entryDatabase.mts';
import { type Reply, type Request, runNode, type RunOutcome, type Situation } from '../running.mts';

export interface Contact extends IDataObject {
	id: number;
	version: string;
}

/** What happens to a run besides what it does itself. */
export interface Attempt {
	continues?: boolean;
	/** The contacts whose entries the service rejects. */
	rejected?: number[];
	/** The contacts whose entries the service stores without a response. */
	unanswered?: number[];
	/** n8n is killed when it has reached the database or the service this often. */
	killedAt?: number;
	/** Runs the execution before again, with what it had kept. */
	isRetry?: boolean;
	concurrency?: number;
	more?: Partial<Situation>;
}

/** Contacts that are written as person logs every night, by one node of one n8n. */
export class Sync {
	readonly entries = new EntryDatabase();

	/** How often the service has stored each key. */
	readonly stored = new Map<string, number>();

	/** The contacts that were sent since this was last emptied. */
	sent: number[] = [];

	/** Keys whose success a run has seen. */
	readonly confirmed = new Set<string>();

	/** Contacts that were skipped although no run had seen their success. */
	readonly lost: IDataObject[] = [];

	private readonly repeats: 'honoured' | 'refused' | 'ignored';

	private kept: IDataObject = {};

	private runs = 0;

	constructor(repeats: Sync['repeats'] = 'honoured') {
		this.repeats = repeats;
	}

	get doubles(): number {
		return [...this.stored.values()].reduce((sum, times) => sum + times - 1, 0);
	}

	/** @returns undefined when n8n was killed */
	async run(contacts: Contact[], attempt: Attempt = {}): Promise<RunOutcome | undefined> {
		const life = new Life(attempt.killedAt);
		this.entries.onAccess = () => life.reach();
		const stored = attempt.isRetry ? structuredClone(this.kept) : {};
		this.kept = {};
		const running = runNode({
			parameters: (contact) => parametersOf(contact, attempt.concurrency),
			items: contacts,
			continues: attempt.continues,
			entries: this.entries,
			stored,
			executionId: String(++this.runs),
			reply: async (request) => await this.reply(request, attempt, life),
			...attempt.more,
		});
		const outcome = await Promise.race([running, life.ended]);
		if (!outcome) return undefined;
		this.kept = outcome.stored;
		for (const { json } of outcome.output) {
			const isSkipped = json.alreadyWritten === true;
			if (isSkipped && !this.confirmed.has(String(json.idempotencyKey))) this.lost.push(json);
		}
		return outcome;
	}

	private async reply(
		{ body }: Request,
		{ rejected = [], unanswered = [] }: Attempt,
		life: Life,
	): Promise<Reply> {
		await life.reachService();
		const { idempotencyKey, payload, source, type } = body as {
			idempotencyKey: string;
			payload: Contact;
			source: string;
			type: string;
		};
		this.sent.push(payload.id);
		if (rejected.includes(payload.id)) return { status: 422, body: { error: 'Rejected' } };
		const times = this.stored.get(idempotencyKey) ?? 0;
		this.stored.set(idempotencyKey, this.repeats === 'ignored' ? times + 1 : 1);
		await life.reachService();
		if (unanswered.includes(payload.id)) return { lost: 'ECONNRESET' };
		this.confirmed.add(idempotencyKey);
		if (times > 0 && this.repeats === 'refused')
			return { status: 409, body: { error: 'The key was used before' } };
		return { status: 201, body: { personLogId: idempotencyKey.slice(0, 8), source, type } };
	}
}

function parametersOf(contact: IDataObject, concurrency = 1): INodeParameters {
	const { id, version, ...more } = contact;
	return {
		resource: 'personLog',
		operation: 'create',
		source: 'crm',
		type: 'contact',
		payloadMode: 'inputItem',
		write: 'changed',
		recordId: String(id),
		recordVersion: String(version),
		...(more.parameters as INodeParameters | undefined),
		options: { concurrency, maxRetries: 0, ...(more.options as INodeParameters | undefined) },
	};
}

/** A process of n8n, until it is killed. */
class Life {
	readonly ended: Promise<undefined>;

	private reached = 0;

	private isOver = false;

	private readonly killedAt: number;

	private end: () => void = () => undefined;

	constructor(killedAt = Infinity) {
		this.killedAt = killedAt;
		this.ended = new Promise((resolve) => (this.end = () => resolve(undefined)));
	}

	/** Nothing that a dead process does has an effect. */
	reach(): void {
		if (this.isOver || this.reached++ >= this.killedAt) {
			this.isOver = true;
			this.end();
			throw new Error('Killed');
		}
	}

	async reachService(): Promise<void> {
		try {
			this.reach();
		} catch {
			await new Promise(() => undefined);
		}
	}
}
