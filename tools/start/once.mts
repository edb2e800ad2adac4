import { makeExampleData, type Sandbox } from '../../sandbox/index.mts';
import type { N8nClient } from '../n8n/client.mts';
import { itemsOf, listFailures, originOf } from '../n8n/execution.mts';
import type { StoredWorkflow } from '../n8n/workflow.mts';
import { formatTable } from '../table.mts';
import { runOnce } from './starter.mts';

/** What one contact or form led to. */
type Row = { cells: unknown[]; isRight: boolean };

const text = (value: unknown): string =>
	typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** Shows what was sent and received. Returns whether every row is as it should be. */
function show(head: string[], rows: Row[], failures: string[]): boolean {
	const cells = rows.map((row) => row.cells.map(text));
	console.log(`\n${formatTable(head, cells)}\n`);
	const wrong = rows.filter(({ isRight }) => !isRight);
	const unexpected = wrong.map((row) => `Not as expected: ${text(row.cells[0])}`);
	for (const line of [...failures, ...unexpected]) console.log(line);
	return rows.length > 0 && failures.length + wrong.length === 0;
}

/** Syncs the sample contacts into person logs. A contact without email and phone must end in the error output. */
export async function syncContacts(
	client: N8nClient,
	sandbox: Sandbox,
	workflow: StoredWorkflow,
): Promise<boolean> {
	console.log(`Running the workflow "${workflow.name}" …`);
	const execution = await runOnce(client, workflow);
	const rows = itemsOf(execution, 'Contact fields').map(({ json: contact }, index): Row => {
		const [written, failed] = [0, 1].map((output) => {
			const items = itemsOf(execution, 'Write person log', output);
			return items.find((item) => originOf(item) === index)?.json;
		});
		const sent = sandbox.requests.filter(({ rawBody }) => rawBody.includes(text(contact.id)));
		const address = text(contact.email) || text(contact.phone);
		const received = text(written?.personLogId);
		const problem = text(failed?.error);
		const isWritten = sent.length === 1 && sent[0].status === 201 && received !== '';
		return {
			cells: [
				contact.id,
				sent.length > 0 ? `${text(contact.name)}, ${address}` : 'nothing',
				sent[0]?.status,
				received || problem,
			],
			isRight: address ? isWritten : sent.length === 0 && problem !== '',
		};
	});
	const head = ['contact', 'sent', 'response', 'person log, or what to fix'];
	return show(head, rows, listFailures(execution));
}

/** Sends one submitted form to the published workflow, which writes a person log for it. */
export async function submitForm(
	client: N8nClient,
	sandbox: Sandbox,
	{ id }: StoredWorkflow,
): Promise<boolean> {
	console.log('Submitting a form …');
	const before = { deliveries: sandbox.deliveries.length, requests: sandbox.requests.length };
	const data = makeExampleData(sandbox.store, 'form.submitted');
	const executions = await client.collectExecutions(
		id,
		async () => await sandbox.emit('form.submitted', data),
	);
	const deliveries = sandbox.deliveries.slice(before.deliveries);
	const accepted = deliveries.filter(({ status }) => status === 200);
	const requests = sandbox.requests.slice(before.requests);
	const logs = requests.filter(({ operationId }) => operationId === 'createPersonLog');
	const rows = executions.map((execution): Row => {
		const [log] = itemsOf(execution, 'Write person log');
		const [message] = itemsOf(execution, 'Readable message');
		return {
			cells: [accepted[0]?.status, logs[0]?.status, log?.json.personLogId, message?.json.message],
			isRight: accepted.length === 1 && logs.length === 1 && logs[0].status === 201,
		};
	});
	const failures = executions.flatMap(listFailures);
	if (executions.length > 1) failures.push(`One form led to ${executions.length} executions`);
	return show(['delivery', 'response', 'person log', 'message'], rows, failures);
}
