import { makeContacts } from '../contacts.mts';
import type { MeasuredN8n } from '../measuredN8n.mts';
import {
	compare,
	measureInTurn,
	measureOnce,
	requireEqual,
	type Row,
	seconds,
} from '../measure.mts';
import {
	chain,
	countIds,
	ownNode,
	requireEach,
	splitContacts,
	syncParameters,
} from '../workflows.mts';

/** The service takes the longer to recognize a person, the more there are. */
const people = 500;

const mostMs = 60_000;

/** Two nights of a sync that sends what is new or changed: in the first one everything is, in the second one nothing. */
export async function nights(n8n: MeasuredN8n, scale: number): Promise<Row[]> {
	const few = await timeNights(n8n, 5_000 * scale, measureInTurn);
	const many = await timeNights(n8n, 50_000 * scale, measureOnce);
	const describe = (count: number) => `A second night of ${count} contacts, none changed`;
	return [
		compare(describe(5_000 * scale), few.secondMs, few.firstMs, 0.15),
		{
			...compare(describe(50_000 * scale), many.secondMs, many.firstMs, 0.15),
			goal: seconds(mostMs),
			isMissed: many.secondMs > mostMs,
		},
	];
}

async function timeNights(n8n: MeasuredN8n, count: number, measure: typeof measureOnce) {
	const { credential, sandbox } = n8n;
	const steps = [splitContacts, ownNode(syncParameters('modified'), credential)];
	const workflow = chain(`Nights of ${count}`, [...steps, countIds('idempotencyKey')]);
	await n8n.publish(workflow);
	/** When all contacts were last changed. */
	let modified = 0;
	const runNight = async (expectedWrites: number): Promise<number> => {
		sandbox.reset();
		const contacts = makeContacts(count, people).map((contact) => ({ ...contact, modified }));
		const { answer, node } = await n8n.runNode(workflow, { contacts });
		// Each night also asks which tenant the key belongs to.
		const written = sandbox.requests.filter(({ method }) => method === 'POST');
		requireEqual('Writes', expectedWrites, written.length);
		requireEach('idempotencyKey', count, answer);
		return node.ms;
	};
	const first = async () => {
		modified++;
		return await runNight(count);
	};
	const second = async () => await runNight(0);
	const [firstMs, secondMs] = await measure([first, second]);
	return { firstMs, secondMs };
}
