import { requireEach, requireEqual, textsOf } from '../complete.mts';
import { makeContacts } from '../contacts.mts';
import type { Lab } from '../lab.mts';
import type { Sample, Subject } from '../subject.mts';
import { chain, logParameters, ownNode, splitContacts } from '../workflows.mts';

const count = 5_000;
const contacts = makeContacts(count);
const first = 'First night, all contacts new';
const second = 'Second night, none changed';

/** A nightly sync of 5,000 contacts that sends only what was not written before. */
export async function nights(lab: Lab): Promise<Subject> {
	const parameters = {
		...logParameters({}),
		write: 'changed',
		recordId: '={{ $json.id }}',
		recordVersion: '={{ $json.modified }}',
	};
	const run = await lab.publish(({ credential }) =>
		chain('Nightly sync', [splitContacts, ownNode(parameters, credential)]),
	);
	/** When all contacts were last changed. */
	let modified = 0;

	async function runNight(some: typeof contacts, expectedRequests: number): Promise<Sample> {
		await lab.service.ask('reset');
		const changed = some.map((contact) => ({ ...contact, modified: String(modified) }));
		const { ms, items, reading } = await run({ contacts: changed });
		const { peakInFlight, requests, refused } = await lab.service.ask('traffic');
		requireEqual('Requests', expectedRequests, requests);
		requireEqual('Refused requests', 0, refused);
		requireEqual('Items', some.length, items.length);
		const skipped = items.filter(({ alreadyWritten }) => alreadyWritten === true);
		requireEqual('Skipped records', some.length - expectedRequests, skipped.length);
		const stored = await lab.service.ask('logs');
		const sent = expectedRequests > 0 ? some : [];
		requireEach('Logs in the service', textsOf(sent, 'id'), textsOf(stored, 'crmId'));
		return { value: ms, peakInFlight, cpuMs: reading.cpuMs, note: `${requests} requests` };
	}
	async function runFirst(): Promise<Sample> {
		modified++;
		return await runNight(contacts, count);
	}
	return {
		title: `A nightly sync of ${count} contacts`,
		unit: 'ms',
		sides: [
			{ name: first, run: runFirst },
			{ name: second, run: async () => await runNight(contacts, 0) },
		],
		goals: [{ side: second, against: first, atMost: 0.1 }],
		// The second night follows a first one, whichever side is measured first.
		warmUp: async () => void (await runFirst()),
	};
}
