import { setTimeout as sleep } from 'node:timers/promises';
import { makeContacts } from '../bench/contacts.mts';
import {
	chain,
	countIds,
	ownNode,
	requireEach,
	splitContacts,
	syncParameters,
} from '../bench/workflows.mts';
import type { Outcome, World } from './world.mts';

/** Of the contacts, the part that changes from one night to the next. */
const changing = 0.02;

/** A nightly sync, of which each night sends what has changed. */
export async function startNights(world: World, size: number) {
	const { lab } = world;
	const workflow = chain('Nightly sync', [
		splitContacts,
		ownNode(syncParameters('stage'), lab.credential),
		countIds('idempotencyKey'),
	]);
	await lab.publish(workflow);
	const contacts = makeContacts(size);
	const counts = { nights: 0, sent: 0, disturbed: 0, 'sent again': 0 };
	const violations: string[] = [];
	/** The keys that the service has accepted. */
	const accepted = new Set<unknown>();
	/** The contacts that a night has seen to its end, as they were. */
	const wanted = new Set<string>();
	let looked = 0;
	let wasDisturbed = false;
	let isUnderWay = false;

	function change(): void {
		for (const contact of contacts)
			if (Math.random() < changing) contact.stage = `changed for night ${counts.nights + 1}`;
	}

	/** @returns whether the night ended */
	async function sync(): Promise<boolean> {
		const { changes } = world;
		isUnderWay = true;
		try {
			requireEach('idempotencyKey', size, (await lab.run(workflow, { contacts })).answer);
			for (const { id, stage } of contacts) wanted.add(`${id} as ${stage}`);
			return true;
		} catch (error) {
			if (world.isCalmSince(changes)) throw error;
			counts.disturbed++;
			return false;
		} finally {
			isUnderWay = false;
		}
	}

	/** A key that the service had accepted goes out again only if this night or the last one did not end. */
	function lookAtRequests(isDisturbed: boolean): void {
		const { requests } = lab.sandbox;
		for (; looked < requests.length; looked++) {
			const { operationId, body, status } = requests[looked];
			if (operationId !== 'createPersonLog') continue;
			const { idempotencyKey } = body as { idempotencyKey: string };
			counts.sent++;
			if (accepted.has(idempotencyKey)) {
				counts['sent again']++;
				if (!isDisturbed && !wasDisturbed) violations.push(`${idempotencyKey} was sent twice`);
			}
			if (status === 201) accepted.add(idempotencyKey);
		}
		wasDisturbed = isDisturbed;
	}

	function judge(): Outcome {
		const stored = new Set<string>();
		for (const { payload } of lab.sandbox.store.personLogs.all()) {
			// The seed has logs too.
			if (payload.crmId === undefined) continue;
			const name = `${String(payload.crmId)} as ${String(payload.stage)}`;
			if (stored.has(name)) violations.push(`${name} is twice in the service`);
			stored.add(name);
		}
		for (const name of wanted)
			if (!stored.has(name)) violations.push(`${name} is not in the service`);
		return { counts, violations };
	}

	return {
		isUnderWay: () => isUnderWay,
		/** @param isTime whether so many nights may begin */
		async run(count: number, isTime: (nights: number) => boolean): Promise<void> {
			for (let isDone = false; counts.nights < count || !isDone; ) {
				while (!isTime(counts.nights)) await sleep(100);
				await world.untilCalm();
				const { changes } = world;
				change();
				isDone = await sync();
				lookAtRequests(!world.isCalmSince(changes));
				counts.nights++;
			}
		},
		judge,
	};
}
