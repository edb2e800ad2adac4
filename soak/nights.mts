import { setTimeout as sleep } from 'node:timers/promises';
import { type Contact, makeContacts } from '../bench/contacts.mts';
import {
	chain,
	countIds,
	ownNode,
	requireEach,
	splitContacts,
	syncParameters,
} from '../bench/workflows.mts';
import type { Workflow } from '../tools/n8n/workflow.mts';
import type { DisturbedN8n, Outcome } from './disturbedN8n.mts';

/** Of the contacts, the part that changes from one night to the next. */
const changing = 0.02;

const nameOf = (id: unknown, stage: unknown): string => `${String(id)} as ${String(stage)}`;

/** A nightly sync, of which each night sends what has changed. */
export class NightlySync {
	isUnderWay = false;
	readonly #n8n: DisturbedN8n;
	readonly #workflow: Workflow;
	readonly #contacts: Contact[];
	readonly #counts = { nights: 0, sent: 0, disturbed: 0, 'sent again': 0 };
	readonly #violations: string[] = [];
	/** The keys that the service has accepted. */
	readonly #accepted = new Set<unknown>();
	/** The contacts that a night has seen to its end, as they were. */
	readonly #wanted = new Set<string>();
	#looked = 0;
	#wasDisturbed = false;

	private constructor(n8n: DisturbedN8n, workflow: Workflow, contacts: Contact[]) {
		this.#n8n = n8n;
		this.#workflow = workflow;
		this.#contacts = contacts;
	}

	static async publish(n8n: DisturbedN8n, size: number): Promise<NightlySync> {
		const { measured } = n8n;
		const workflow = chain('Nightly sync', [
			splitContacts,
			ownNode(syncParameters('stage'), measured.credential),
			countIds('idempotencyKey'),
		]);
		await measured.publish(workflow);
		return new NightlySync(n8n, workflow, makeContacts(size));
	}

	/** @param isTime whether the night after so many may begin */
	async run(count: number, isTime: (nights: number) => boolean): Promise<void> {
		for (let isDone = false; this.#counts.nights < count || !isDone; ) {
			while (!isTime(this.#counts.nights)) await sleep(100);
			await this.#n8n.untilCalm();
			const { changes } = this.#n8n;
			this.#changeContacts();
			isDone = await this.#sync();
			this.#lookAtRequests(!this.#n8n.isCalmSince(changes));
			this.#counts.nights++;
		}
	}

	judge(): Outcome {
		const stored = new Set<string>();
		const violations = [...this.#violations];
		for (const { payload } of this.#n8n.measured.sandbox.store.personLogs.all()) {
			// The seed has logs too.
			if (payload.crmId === undefined) continue;
			const name = nameOf(payload.crmId, payload.stage);
			if (stored.has(name)) violations.push(`${name} is twice in the service`);
			stored.add(name);
		}
		for (const name of this.#wanted)
			if (!stored.has(name)) violations.push(`${name} is not in the service`);
		return { counts: this.#counts, violations };
	}

	#changeContacts(): void {
		for (const contact of this.#contacts)
			if (Math.random() < changing) contact.stage = `changed for night ${this.#counts.nights + 1}`;
	}

	/** @returns whether the night ended */
	async #sync(): Promise<boolean> {
		const contacts = this.#contacts;
		const { changes, measured } = this.#n8n;
		this.isUnderWay = true;
		try {
			const { answer } = await measured.run(this.#workflow, { contacts });
			requireEach('idempotencyKey', contacts.length, answer);
			for (const { id, stage } of contacts) this.#wanted.add(nameOf(id, stage));
			return true;
		} catch (error) {
			if (this.#n8n.isCalmSince(changes)) throw error;
			this.#counts.disturbed++;
			return false;
		} finally {
			this.isUnderWay = false;
		}
	}

	/** A key that the service had accepted goes out again only if this night or the last one was disturbed. */
	#lookAtRequests(isDisturbed: boolean): void {
		const { requests } = this.#n8n.measured.sandbox;
		for (; this.#looked < requests.length; this.#looked++) {
			const { operationId, body, status } = requests[this.#looked];
			if (operationId !== 'createPersonLog') continue;
			const { idempotencyKey } = body as { idempotencyKey: string };
			this.#counts.sent++;
			if (this.#accepted.has(idempotencyKey)) {
				this.#counts['sent again']++;
				if (!isDisturbed && !this.#wasDisturbed)
					this.#violations.push(`${idempotencyKey} was sent twice`);
			}
			if (status === 201) this.#accepted.add(idempotencyKey);
		}
		this.#wasDisturbed = isDisturbed;
	}
}
