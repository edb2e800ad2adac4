import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, ownTrigger } from '../bench/workflows.mts';
import type { WebhookSubscription } from '../sandbox/index.mts';
import { type Counter, startCounter } from './counter.mts';
import type { DisturbedN8n, Outcome } from './disturbedN8n.mts';

type Duplicates = 'keep' | 'drop';
type Receiver = { duplicates: Duplicates; subscription: WebhookSubscription; url: string };
type SentEvent = {
	n: number;
	receiver: Receiver;
	body: string;
	/** What became of each of its deliveries, and after which start of n8n. */
	answers: string[];
	/** Its deliveries without a response yet, and whether each was the only one all the time. */
	underWay: Set<{ isAlone: boolean }>;
	taken: number;
	unanswered: number;
	/** Answered with an error of n8n: while it stops, it may have stored the execution, which runs at the next start. */
	failed: number;
	/** The starts of n8n after which a delivery was taken or got no response: each start forgets earlier deliveries. */
	epochs: Set<number>;
};

/** The status, or why there is none to believe: while n8n prepares its database, it answers everything with 200. */
type DeliveryResult = number | 'refused' | 'unanswered' | 'not ready';

const largestBurst = 30;
const longestPauseMs = 3_000;
const mostSends = 300;

/** Deliveries in bursts to two published triggers: new ones, duplicates, forged ones, and other events. */
export async function startDeliveries(n8n: DisturbedN8n, count: number) {
	const counter = await startCounter();
	const [keep, drop] = n8n.measured.sandbox.store.subscriptions.all();
	const receivers = [
		await publishReceiver(n8n, 'keep', keep, counter),
		await publishReceiver(n8n, 'drop', drop, counter),
	];
	const sender = new Sender(n8n, receivers);
	return {
		/** From 0 to 1. */
		progress: () => sender.sent / count,
		async run(): Promise<void> {
			while (sender.sent < count) {
				const size = Math.min(randomInt(1, largestBurst + 1), count - sender.sent);
				const startedAt = performance.now();
				await Promise.all(Array.from({ length: size }, async () => await sender.sendOne()));
				// The other half of n8n's time is for the other work.
				await sleep(Math.min(performance.now() - startedAt, longestPauseMs));
			}
		},
		judge: () => judge(n8n, sender, counter.ran),
	};
}

async function publishReceiver(
	{ measured }: DisturbedN8n,
	duplicates: Duplicates,
	subscription: WebhookSubscription,
	counter: Counter,
): Promise<Receiver> {
	subscription.active = false;
	const trigger = ownTrigger(
		subscription.subscriptionId,
		{ ignoreDuplicates: duplicates === 'drop' },
		measured.credential,
	);
	await measured.publish(connect(`Deliveries, ${duplicates}`, [trigger, counter.node]));
	return { duplicates, subscription, url: subscription.url };
}

/** The service, and somebody who pretends to be it. */
class Sender {
	readonly events: SentEvent[] = [];
	/** The numbers of what must not start a workflow. */
	readonly strays: number[] = [];
	readonly violations: string[] = [];
	readonly counts = { new: 0, duplicates: 0, forged: 0, 'other events': 0, resent: 0 };
	readonly receivers: Receiver[];
	readonly #n8n: DisturbedN8n;
	sent = 0;

	constructor(n8n: DisturbedN8n, receivers: Receiver[]) {
		this.#n8n = n8n;
		this.receivers = receivers;
	}

	async sendOne(): Promise<void> {
		const receiver = pick(this.receivers);
		const n = ++this.sent;
		const chance = Math.random();
		if (chance < 0.08) return await this.#sendForged(receiver, n);
		if (chance < 0.12) {
			this.counts['other events']++;
			this.strays.push(n);
			return await this.#send(makeEvent(receiver, n, 'form.enriched'));
		}
		if (chance < 0.2 && this.events.length > 0) {
			this.counts.duplicates++;
			return await this.#send(pick(this.events.slice(-500)));
		}
		this.counts.new++;
		const event = makeEvent(receiver, n, 'form.submitted');
		this.events.push(event);
		await this.#send(event);
	}

	/** As a service does: again until it is taken. */
	async #send(event: SentEvent): Promise<void> {
		for (let tries = 1; tries <= mostSends; tries++) {
			const { epoch, changes } = this.#n8n;
			const delivery = { isAlone: event.underWay.size === 0 };
			for (const other of event.underWay) other.isAlone = false;
			event.underWay.add(delivery);
			const answer = await post(event.receiver.url, event.body);
			event.underWay.delete(delivery);
			event.answers.push(`${answer} in ${epoch}`);
			if (answer === 200) {
				event.taken++;
				event.epochs.add(epoch);
				return;
			}
			// An equal one was under way, and n8n had not answered it yet.
			const isEarly =
				answer === 503 &&
				this.#n8n.isCalmSince(changes) &&
				event.receiver.duplicates === 'drop' &&
				!delivery.isAlone;
			if (!isEarly && !this.#mayFail(answer, changes)) {
				this.violations.push(`delivery ${event.n} was answered ${answer}`);
				return;
			}
			if (answer === 'unanswered') {
				event.unanswered++;
				event.epochs.add(epoch);
			}
			if (!isEarly && typeof answer === 'number' && answer >= 500) event.failed++;
			this.counts.resent++;
			await sleep(Math.min(2_000, 100 * tries));
		}
		this.violations.push(`delivery ${event.n} was never taken`);
	}

	async #sendForged({ url }: Receiver, n: number): Promise<void> {
		this.counts.forged++;
		this.strays.push(n);
		const { changes } = this.#n8n;
		const [own] = url.split('?');
		const token = Math.random() < 0.5 ? '' : randomUUID();
		const body = JSON.stringify({ event: 'form.submitted', n });
		const answer = await post(`${own}?token=${token}`, body);
		if (answer !== 401 && !this.#mayFail(answer, changes))
			this.violations.push(`the forged delivery ${n} was answered ${answer}`);
	}

	/** While something disturbs n8n, it may not be there, or not be able. */
	#mayFail(answer: DeliveryResult, changes: number): boolean {
		if (this.#n8n.isCalmSince(changes)) return false;
		return typeof answer === 'string' || answer === 404 || answer >= 500;
	}
}

function makeEvent(receiver: Receiver, n: number, event: string): SentEvent {
	const body = JSON.stringify({ event, n, data: { email: `visitor${n}@example.com` } });
	const counts = { taken: 0, unanswered: 0, failed: 0 };
	return { n, receiver, body, answers: [], underWay: new Set(), ...counts, epochs: new Set() };
}

async function post(url: string, body: string): Promise<DeliveryResult> {
	try {
		const headers = { 'content-type': 'application/json', connection: 'close' };
		const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual' });
		const text = await response.text();
		return text.startsWith('n8n is starting up') ? 'not ready' : response.status;
	} catch (error) {
		const { code } = ((error as Error).cause ?? {}) as { code?: string };
		return code === 'ECONNREFUSED' ? 'refused' : 'unanswered';
	}
}

function judge(n8n: DisturbedN8n, sender: Sender, ran: Map<number, number>): Outcome {
	const { counts, events, receivers, strays } = sender;
	const violations = [...sender.violations];
	const killed = readKilled(n8n);
	for (const { n, receiver, answers, taken, unanswered, failed, epochs } of events) {
		const drops = receiver.duplicates === 'drop';
		const least = (drops ? Math.min(taken, 1) : taken) - killed.filter((each) => each === n).length;
		const most = failed + (drops ? epochs.size : taken + unanswered);
		const times = ran.get(n) ?? 0;
		if (times < least || times > most) {
			const what = `delivery ${n} (${receiver.duplicates}; ${answers.join(', ')})`;
			violations.push(`${what} ran ${times} times, not ${least} to ${most}`);
		}
	}
	for (const n of strays)
		if (ran.has(n)) violations.push(`the forged or unwanted delivery ${n} ran`);
	for (const { subscription, url } of receivers)
		if (!subscription.active || subscription.url !== url)
			violations.push(`the subscription of a published trigger is now ${subscription.url}`);
	return { counts: { ...counts, 'ended by a kill of n8n': killed.length }, violations };
}

/** What the executions carried that n8n began and could not end. */
function readKilled(n8n: DisturbedN8n): number[] {
	const rows = n8n.query(
		`select data from execution_data join execution_entity on id = executionId where status <> 'success' and deletedAt is null`,
	);
	return rows.flatMap(({ data }) => {
		const found = /"n":(\d+)/.exec(String(data));
		return found ? [Number(found[1])] : [];
	});
}

const pick = <T,>(choices: readonly T[]): T => choices[randomInt(choices.length)];
