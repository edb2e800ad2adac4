import type { RecordedRequest } from '../../sandbox/index.mts';
import { itemsOf, originOf, type Execution, type JsonObject } from '../n8n/execution.mts';
import { formatTable } from '../table.mts';

/** The nodes of the example that its check looks at. */
export const contactNodes = { contacts: 'Contact fields', logs: 'Write person log' };
/** The outputs of the node that writes. */
const written = 0;
const failed = 1;

/** What went in and came out for one contact: a person log, or what to fix. */
type Row = { contact: JsonObject; log: JsonObject | undefined; failure: JsonObject | undefined };

export function listRows(execution: Execution): Row[] {
	const find = (output: number, index: number) =>
		itemsOf(execution, contactNodes.logs, output).find((item) => originOf(item) === index)?.json;
	return itemsOf(execution, contactNodes.contacts).map(({ json: contact }, index) => ({
		contact,
		log: find(written, index),
		failure: find(failed, index),
	}));
}

export function formatRows(rows: Row[]): string {
	const cells = rows.map(({ contact, log, failure }) => [
		text(contact.id),
		text(contact.name),
		text(contact.email),
		text(contact.phone),
		failure ? 'to fix' : text(log?.personLogId),
		log?.createdPerson === undefined ? '' : log.createdPerson ? 'yes' : 'no',
	]);
	const head = ['contact', 'name', 'email', 'phone', 'person log', 'new person'];
	const toFix = rows
		.filter(({ failure }) => failure !== undefined)
		.map(({ contact, failure }) => `To fix, ${text(contact.id)}: ${text(failure?.error)}`);
	return [formatTable(head, cells), ...toFix].join('\n');
}

export function describeRows(rows: Row[]): string {
	const count = (isCounted: (row: Row) => boolean) => rows.filter(isCounted).length;
	return (
		`${rows.length} contacts went in: ${count(({ log }) => log !== undefined)} were written, each once; ` +
		`${count(({ failure }) => failure !== undefined)} came out of the error output, with what to fix.`
	);
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Compares what went in, what the sandbox received and what came out. Returns what is off. */
export function findContactDeviations(execution: Execution, requests: RecordedRequest[]): string[] {
	const rows = listRows(execution);
	const named = rows.filter(({ contact }) => isNamed(contact));
	const received = requests.filter(({ operationId }) => operationId === 'createPersonLog');
	const found: string[] = [];
	if (execution.status !== 'success') {
		found.push(`the execution ended as ${execution.status}: ${execution.error?.message ?? ''}`);
	}
	if (rows.length === 0) found.push('no contact went in');
	if (received.length !== named.length) {
		found.push(
			`${named.length} contacts can be written, ${received.length} requests came to the sandbox`,
		);
	}
	for (const row of rows) found.push(...compareContact(row, received));
	const logIds = new Set(named.map(({ log }) => log?.personLogId));
	if (logIds.size !== named.length) found.push('some contacts have the same person log');
	return found;
}

/** Whether the service can know who it is. */
const isNamed = ({ email, phone }: JsonObject): boolean => Boolean(email) || Boolean(phone);

function compareContact({ contact, log, failure }: Row, received: RecordedRequest[]): string[] {
	const who = `${text(contact.id)} (${text(contact.name)})`;
	const matching = received.filter(({ body }) => bodyOf(body).payload?.crmId === contact.id);
	const found: string[] = [];
	if (!isNamed(contact)) {
		if (matching.length > 0) found.push(`${who} cannot be named, and came to the sandbox`);
		if (log || !failure?.error) found.push(`${who} did not come out with what to fix`);
		return found;
	}
	if (failure) found.push(`${who} failed: ${text(failure.error)}`);
	if (matching.length !== 1) found.push(`${who} came to the sandbox ${matching.length} times`);
	for (const { body, status } of matching) {
		if (status !== 201) found.push(`${who} was answered ${status}`);
		const sent = bodyOf(body);
		const pairs = { name: contact.name, email: contact.email, phoneNumber: contact.phone };
		for (const [field, expected] of Object.entries(pairs)) {
			// A field that is blank for the contact must not be sent at all.
			if (sent[field] !== (expected || undefined)) {
				found.push(`${who}: ${field} came as ${JSON.stringify(sent[field])}`);
			}
		}
	}
	if (!text(log?.personLogId)) found.push(`${who} has no person log`);
	return found;
}

function bodyOf(body: unknown): JsonObject & { payload?: JsonObject } {
	return typeof body === 'object' && body !== null ? { ...body } : {};
}
