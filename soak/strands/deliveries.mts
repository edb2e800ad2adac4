import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WebhookSubscription } from '../../sandbox/index.mts';
import type { LiveTrigger } from '../../test/e2e/trigger/liveTrigger.mts';
import { waitFor } from '../../test/waitFor.mts';
import type { Pace } from '../pace.mts';
import { readArrivals, recorderNode } from '../recorder.mts';
import type { World } from '../world.mts';
import type { Outcome, Strand } from './strand.mts';

type Receiver = {
	duplicates: 'keep' | 'drop';
	subscription: WebhookSubscription;
	trigger: LiveTrigger;
};
type Event = {
	n: number;
	receiver: Receiver;
	body: string;
	/** What became of each of its deliveries, and after which start of n8n. */
	answers: string[];
	/** Deliveries that were answered with success. */
	taken: number;
	/** Deliveries without a response: nobody knows what became of them. */
	unanswered: number;
	/** Answered with an error of n8n. While it stops, it may have stored the execution, which then runs at the next start. */
	failed: number;
	/** The starts of n8n after which a delivery was taken or got no response: each start forgets earlier deliveries. */
	epochs: Set<number>;
};

/** The status, or why there is none to believe: while n8n prepares its database, it answers everything with 200. */
type Answer = number | 'refused' | 'unanswered' | 'not ready';

const largestBurst = 30;
/** A test run in each of so many bursts. */
const testEvery = 10;
const longestPauseMs = 3_000;
const mostSends = 300;
const testPatienceMs = 20_000;

/** Deliveries in bursts: new ones, duplicates, forged ones, and kinds that nobody chose. */
export async function deliveries(world: World, pace: Pace, count: number): Promise<Strand> {
	const { stage, randomness } = world;
	const receivers: Receiver[] = [];
	for (const duplicates of ['keep', 'drop'] as const) {
		const subscription = stage.subscription();
		const trigger = await stage.trigger(subscription, { duplicates });
		const { nodes } = await stage.client.getWorkflow(trigger.workflowId);
		await stage.client.updateWorkflow(trigger.workflowId, {
			nodes: [...nodes, recorderNode],
			connections: {
				[trigger.name]: { main: [[{ node: recorderNode.name, type: 'main', index: 0 }]] },
			},
		});
		await trigger.publish();
		receivers.push({ duplicates, subscription, trigger });
	}
	const registered = receivers.map(({ subscription }) => subscription.url);
	const events: Event[] = [];
	const strays = new Set<number>();
	const counts = {
		new: 0,
		duplicates: 0,
		forged: 0,
		'other kinds': 0,
		resent: 0,
		'answered with 200 before n8n was ready': 0,
		tests: 0,
	};
	const violations: string[] = [];
	const times: number[] = [];
	let sent = 0;

	function makeEvent(receiver: Receiver, kind: string): Event {
		const n = ++sent;
		const body = JSON.stringify({ event: kind, n, data: { email: `visitor${n}@example.com` } });
		return {
			n,
			receiver,
			body,
			answers: [],
			taken: 0,
			unanswered: 0,
			failed: 0,
			epochs: new Set(),
		};
	}

	/** As a service: again until it is taken. */
	async function send(event: Event): Promise<void> {
		for (let tries = 1; tries <= mostSends; tries++) {
			const { epoch, changes } = world;
			const answer = await post(event.receiver.subscription.url, event.body);
			event.answers.push(`${answer} in ${epoch}${world.epoch > epoch ? '+' : ''}`);
			if (answer === 200) {
				event.taken++;
				event.epochs.add(epoch);
				return;
			}
			if (!isExpected(answer, [], changes)) {
				violations.push(`delivery ${event.n} was answered ${answer}`);
				return;
			}
			if (answer === 'unanswered') {
				event.unanswered++;
				event.epochs.add(epoch);
			}
			if (typeof answer === 'number' && answer >= 500) event.failed++;
			if (answer === 'not ready') counts['answered with 200 before n8n was ready']++;
			counts.resent++;
			await sleep(Math.min(2_000, 100 * tries));
		}
		violations.push(`delivery ${event.n} was never taken`);
	}

	async function sendForged({ trigger }: Receiver): Promise<void> {
		const n = ++sent;
		strays.add(n);
		counts.forged++;
		const token = randomness.chance(0.5) ? '' : randomBytes(32).toString('hex');
		const body = JSON.stringify({ event: 'form.submitted', n });
		const { changes } = world;
		const answer = await post(`${trigger.productionUrl}?token=${token}`, body);
		if (!isExpected(answer, [401], changes))
			violations.push(`the forged delivery ${n} was answered ${answer}`);
	}

	/** Whether n8n may answer so: while something disturbs it, also that it is not there or not able. */
	function isExpected(answer: Answer, statuses: number[], changes: number): boolean {
		if (typeof answer === 'number' && statuses.includes(answer)) return true;
		return (
			!world.isCalmSince(changes) && (typeof answer === 'string' || answer === 404 || answer >= 500)
		);
	}

	async function sendOne(): Promise<void> {
		const receiver = randomness.pick(receivers);
		const chance = randomness.next();
		if (chance < 0.08) return await sendForged(receiver);
		if (chance < 0.12) {
			const event = makeEvent(receiver, 'form.enriched');
			strays.add(event.n);
			counts['other kinds']++;
			return await send(event);
		}
		if (chance < 0.2 && events.length > 0) {
			sent++;
			counts.duplicates++;
			return await send(randomness.pick(events.slice(-500)));
		}
		const event = makeEvent(receiver, 'form.submitted');
		events.push(event);
		counts.new++;
		await send(event);
	}

	/** A person tests the trigger beside production, and the next delivery ends the test. */
	async function test({ trigger, subscription, duplicates }: Receiver): Promise<void> {
		const done = await world.try(async () => {
			const { url } = subscription;
			await trigger.listen();
			const event = makeEvent({ trigger, subscription, duplicates }, 'form.submitted');
			events.push(event);
			counts.new++;
			await send(event);
			const isOver = async () => !(await trigger.isListening());
			await waitFor('the end of a test', isOver, testPatienceMs).catch(async () => {
				await trigger.stopListening();
				await waitFor('the end of a cancelled test', isOver, testPatienceMs);
			});
			return subscription.url === url ? undefined : subscription.url;
		});
		if ('disturbed' in done) {
			// The test's URL may still be registered: n8n did not end the test.
			await world.insist(async () => {
				await trigger.unpublish();
				await trigger.publish();
			});
		} else {
			counts.tests++;
			if (done.value !== undefined) violations.push(`a test left the URL ${done.value}`);
		}
	}

	const progress = (): number => Math.min(1, sent / count);
	return {
		progress,
		async run() {
			for (let burst = 1; sent < count; burst++) {
				await pace.keep({ progress });
				const size = Math.min(randomness.between(1, largestBurst), count - sent);
				const startedAt = performance.now();
				const before = [world.changes, counts.resent].join();
				await Promise.all(Array.from({ length: size }, sendOne));
				const ms = performance.now() - startedAt;
				if (before === [world.changes, counts.resent].join()) times.push(ms / size);
				// The other half of n8n's time is for the other work.
				await sleep(Math.min(ms, longestPauseMs));
				if (burst % testEvery === 0) await test(receivers[0]);
			}
		},
		async judge(): Promise<Outcome> {
			const [{ stored }] = world.query(
				`select count(*) as stored from execution_entity where status in ('new', 'running', 'waiting') and deletedAt is null`,
			);
			if (stored !== 0) violations.push(`${String(stored)} executions have not ended`);
			return await Promise.resolve(judge());
		},
	};

	function judge(): Outcome {
		const arrivals = readArrivals(world.n8n.userFolder);
		const production = countBy(arrivals.filter(({ mode }) => mode !== 'manual').map(({ n }) => n));
		const tested = arrivals.filter(({ mode }) => mode === 'manual').length;
		const crashed = countBy(readCrashed(world));
		let inCrashes = 0;
		let twiceAfterRestart = 0;
		let besideError = 0;
		for (const { n, receiver, answers, taken, unanswered, failed, epochs } of events) {
			const ran = production.get(n) ?? 0;
			const ended = crashed.get(n) ?? 0;
			const what = `delivery ${n} (${receiver.duplicates}; ${answers.join(', ')})`;
			const drops = receiver.duplicates === 'drop';
			const most = drops ? epochs.size : taken + unanswered;
			const least = drops ? Math.min(taken, 1) : taken;
			if (ran + ended < least)
				violations.push(`${what} ran ${ran} times, at least ${least - ended}`);
			if (ran > most + failed)
				violations.push(`${what} ran ${ran} times, at most ${most + failed}`);
			if (ran > most) besideError++;
			if (ran < least) inCrashes++;
			if (drops && ran > 1) twiceAfterRestart++;
		}
		for (const n of strays)
			if (production.has(n)) violations.push(`the forged or unwanted delivery ${n} ran`);
		receivers.forEach(({ subscription }, i) => {
			if (!subscription.active || subscription.url.split('?')[0] !== registered[i].split('?')[0])
				violations.push(`the subscription of a published trigger is now ${subscription.url}`);
		});
		return {
			counts: {
				...counts,
				'executions in production': [...production.values()].reduce((a, b) => a + b, 0),
				'executions of tests': tested,
				'ended by a kill of n8n': inCrashes,
				'twice, because n8n was started again between': twiceAfterRestart,
				'started although n8n answered with an error': besideError,
			},
			violations,
			times,
		};
	}
}

async function post(url: string, body: string): Promise<Answer> {
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

/** What the executions carried that n8n began and could not end. Those that ended well are marked as deleted. */
function readCrashed(world: World): number[] {
	const rows = world.query(
		`select data from execution_data join execution_entity on id = executionId where status <> 'success' and deletedAt is null`,
	);
	return rows.flatMap(({ data }) => {
		const found = /"n":(\d+)/.exec(String(data));
		return found ? [Number(found[1])] : [];
	});
}

function countBy(values: number[]): Map<number, number> {
	const counts = new Map<number, number>();
	for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
	return counts;
}
