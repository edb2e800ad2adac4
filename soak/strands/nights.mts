import axios from 'axios';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeContacts, type PersonLogBody } from '../../bench/contacts.mts';
import {
	chain,
	logParameters,
	ownNode,
	splitContacts,
	webhookPath,
} from '../../bench/workflows.mts';
import type { Pace } from '../pace.mts';
import type { World } from '../world.mts';
import type { Outcome, Strand } from './strand.mts';

type Sent = PersonLogBody & { idempotencyKey: string };

/** Of the contacts, the part that changes from one night to the next. */
const changing = 0.02;
const pauseMs = 1_000;

/** A nightly sync, of which each night sends what has changed. */
export async function nights(
	world: World,
	pace: Pace,
	count: number,
	size: number,
): Promise<Strand> {
	const { stage, randomness } = world;
	const parameters = {
		...logParameters({}),
		write: 'changed',
		recordId: '={{ $json.id }}',
		recordVersion: '={{ $json.stage }}',
	};
	const workflow = chain('Nightly sync', [splitContacts, ownNode(parameters, stage.credential)]);
	const { id } = await stage.client.createWorkflow(workflow);
	await stage.client.activate(id);
	const contacts = makeContacts(size);
	const counts = { nights: 0, 'contacts read': 0, sent: 0, disturbed: 0, resent: 0 };
	const violations: string[] = [];
	const times: number[] = [];
	const answered = new Set<string>();
	/** The texts of contacts that a night has seen to its end. */
	const wanted = new Set<string>();
	let looked = 0;
	let wasDisturbed = false;
	let { apiKeys } = world;

	const nameOf = (crmId: string, stage: string): string => `${crmId} as ${stage}`;

	function change(): void {
		for (const contact of contacts)
			if (randomness.chance(changing)) contact.stage = `changed for night ${counts.nights + 1}`;
	}

	async function run(): Promise<number> {
		const startedAt = performance.now();
		// The first one publishes the workflow, and n8n knows its address a moment later.
		for (;;) {
			const { status } = await axios.post(
				`${stage.client.session.url}/webhook/${webhookPath(workflow.name)}`,
				{ contacts },
				{ proxy: false, validateStatus: () => true },
			);
			if (status === 200) return performance.now() - startedAt;
			if (![404, 503].includes(status)) throw new Error(`The night ended with ${status}`);
			await sleep(200);
		}
	}

	/** A key that the service had accepted goes out again only if this night or the last one did not end, or with a new API key. */
	function lookAtRequests(isDisturbed: boolean): void {
		const { requests } = stage.sandbox;
		const mayRepeat = isDisturbed || wasDisturbed || world.apiKeys > apiKeys;
		wasDisturbed = isDisturbed;
		({ apiKeys } = world);
		for (; looked < requests.length; looked++) {
			const { operationId, body, status } = requests[looked];
			if (operationId !== 'createPersonLog') continue;
			const { idempotencyKey } = body as Sent;
			counts.sent++;
			if (answered.has(idempotencyKey)) {
				counts.resent++;
				if (!mayRepeat) violations.push(`${idempotencyKey} was sent twice`);
			}
			if (status === 201) answered.add(idempotencyKey);
		}
	}

	/** @returns whether it ended */
	async function pass(): Promise<boolean> {
		const done = await world.try(run);
		const isDone = 'value' in done;
		if (isDone) {
			times.push(done.value);
			for (const { id: crmId, stage: text } of contacts) wanted.add(nameOf(crmId, text));
		} else counts.disturbed++;
		lookAtRequests(!isDone);
		counts.nights++;
		counts['contacts read'] += size;
		await sleep(pauseMs);
		return isDone;
	}

	const progress = (): number => counts.nights / count;
	return {
		progress,
		async run() {
			for (let isDone = false; counts.nights < count || !isDone; ) {
				await pace.keep({ progress });
				change();
				isDone = await pass();
			}
		},
		judge(): Outcome {
			const stored = new Map<string, number>();
			for (const { payload } of stage.sandbox.store.personLogs.all()) {
				const name = nameOf(String(payload.crmId), String(payload.stage));
				stored.set(name, (stored.get(name) ?? 0) + 1);
			}
			for (const name of wanted)
				if (!stored.has(name)) violations.push(`${name} is not in the service`);
			for (const [name, times] of stored)
				if (times > 1) violations.push(`${name} is in the service ${times} times`);
			return { counts, violations, times };
		},
	};
}
