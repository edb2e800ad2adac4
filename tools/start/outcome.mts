import type { RecordedRequest } from '../../sandbox/index.mts';
import { itemsOf, originOf, type Execution, type JsonObject } from '../n8n/execution.mts';
import { formatTable } from '../table.mts';
import { exampleNodes } from './starter.mts';

/** What went in and came out for one contact. */
type Row = { contact: JsonObject; log: JsonObject | undefined };

export function listRows(execution: Execution): Row[] {
	const logs = itemsOf(execution, exampleNodes.logs);
	return itemsOf(execution, exampleNodes.contacts).map(({ json: contact }, index) => ({
		contact,
		log: logs.find((item) => originOf(item) === index)?.json,
	}));
}

export function formatRows(rows: Row[]): string {
	const cells = rows.map(({ contact, log }) => [
		text(contact.id),
		text(contact.name),
		text(contact.email),
		text(contact.phone),
		text(log?.personLogId ?? log?.error),
		log?.createdPerson === undefined ? '' : log.createdPerson ? 'yes' : 'no',
	]);
	return formatTable(['contact', 'name', 'email', 'phone', 'person log', 'new person'], cells);
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Compares what went in, what the sandbox received and what came out. Returns what is off. */
export function findDeviations(execution: Execution, requests: RecordedRequest[]): string[] {
	const rows = listRows(execution);
	const received = requests.filter(({ operationId }) => operationId === 'createPersonLog');
	const found: string[] = [];
	if (execution.status !== 'success') {
		found.push(`the execution ended as ${execution.status}: ${execution.error?.message ?? ''}`);
	}
	if (rows.length === 0) found.push('no contact went in');
	if (received.length !== rows.length) {
		found.push(`${rows.length} contacts went in, ${received.length} requests came to the sandbox`);
	}
	for (const row of rows) found.push(...compareContact(row, received));
	const logIds = new Set(rows.map(({ log }) => log?.personLogId));
	if (logIds.size !== rows.length) found.push('some contacts have the same person log');
	return found;
}

function compareContact({ contact, log }: Row, received: RecordedRequest[]): string[] {
	const who = `${text(contact.id)} (${text(contact.name)})`;
	const matching = received.filter(({ body }) => bodyOf(body).payload?.crmId === contact.id);
	const found: string[] = [];
	if (matching.length !== 1) found.push(`${who} came to the sandbox ${matching.length} times`);
	for (const { body, status } of matching) {
		if (status !== 201) found.push(`${who} was answered ${status}`);
		const sent = bodyOf(body);
		const pairs = { name: contact.name, email: contact.email, phoneNumber: contact.phone };
		for (const [field, expected] of Object.entries(pairs)) {
			// A field that the contact lacks must not be sent at all.
			if (sent[field] !== (expected ?? undefined)) {
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
