import { makeContacts } from '../contacts.mts';
import type { MeasuredN8n } from '../measuredN8n.mts';
import { compare, measureInTurn, requireEqual, type Row } from '../measure.mts';
import type { NodeRun } from '../probe.mts';
import { logParameters, ownNode, splitContacts } from '../workflows.mts';

/** The service takes the longer to recognize a person, the more there are. */
const people = 500;

const changedOnly = {
	onlyNewOrChanged: {
		value: { recordId: '={{ $json.id }}', recordVersion: '={{ $json.modified }}' },
	},
};

/** Two nights of a sync that sends what is new or changed: in the first one everything is, in the second one nothing. */
export async function nights({ credential, sandbox, prepare }: MeasuredN8n, scale: number) {
	const rows: Row[] = [];
	for (const [full, rounds, atMost] of [
		[5_000, 3, 0.15],
		[50_000, 1, 0.25],
	]) {
		const count = full * scale;
		const steps = [splitContacts, ownNode(logParameters(changedOnly), credential)];
		const run = await prepare(`nights-of-${count}`, steps, 'idempotencyKey');
		/** When all contacts were last changed. */
		let modified = 0;
		const runNight = async (writes: number): Promise<NodeRun> => {
			sandbox.reset();
			const contacts = makeContacts(count, people).map((contact) => ({ ...contact, modified }));
			const [node] = await run({ contacts }, count);
			// Each night also asks which tenant the key belongs to.
			const written = sandbox.requests.filter(({ method }) => method === 'POST');
			requireEqual('Writes', writes, written.length);
			return node;
		};
		const first = async () => {
			modified++;
			return await runNight(count);
		};
		const [firstMs, secondMs] = await measureInTurn([first, async () => await runNight(0)], rounds);
		const what = `A second night of ${count} contacts, none changed`;
		rows.push(compare(what, secondMs, firstMs, atMost));
	}
	return rows;
}
