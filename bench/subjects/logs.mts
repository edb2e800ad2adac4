import { makeContacts } from '../contacts.mts';
import type { MeasuredN8n } from '../measuredN8n.mts';
import { compare, describeLargeRun, measureInTurn, requireEqual, type Row } from '../measure.mts';
import type { NodeRun } from '../probe.mts';
import {
	httpLogParameters,
	httpNode,
	logParameters,
	ownNode,
	splitContacts,
} from '../workflows.mts';

/** The service takes the longer to recognize a person, the more there are. */
const peopleInLargeRun = 500;

/** A person log for each contact. */
export async function logs(n8n: MeasuredN8n, scale: number): Promise<Row[]> {
	const { credential, sandbox } = n8n;
	const prepare = async (name: string, step: typeof splitContacts) => {
		const run = await n8n.prepare(name, [splitContacts, step], 'personLogId');
		return (contacts: object[]) => async (): Promise<NodeRun> => {
			sandbox.reset();
			const before = sandbox.store.personLogs.size;
			const [node] = await run({ contacts }, contacts.length);
			requireEqual('Requests', contacts.length, sandbox.requests.length);
			requireEqual('Logs', contacts.length, sandbox.store.personLogs.size - before);
			return node;
		};
	};
	const own = (concurrency: number) =>
		ownNode(logParameters({ requests: { value: { concurrency } } }), credential);
	const ten = await prepare('10-at-once', own(10));
	const fifty = await prepare('50-at-once', own(50));
	const http = await prepare('http', httpNode(httpLogParameters(sandbox.url), credential));

	const count = 200_000 * scale;
	// First, because memory that n8n took for other work would hide what the node adds.
	const large = await fifty(makeContacts(count, peopleInLargeRun))();

	const contacts = makeContacts(1_000 * scale);
	const [tenMs, fiftyMs, httpMs] = await measureInTurn(
		[ten, fifty, http].map((send) => send(contacts)),
	);
	return [
		compare(`${contacts.length} logs, 10 at once (the default)`, tenMs, httpMs, 0.6),
		compare('The same, 50 at once', fiftyMs, httpMs, 0.25),
		...describeLargeRun(`${count} logs, 50 at once`, large),
	];
}
