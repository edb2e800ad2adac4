import type { RecordedRequest } from '../../sandbox/index.mts';
import {
	itemsOf,
	listFailures,
	originOf,
	type Execution,
	type JsonObject,
} from '../n8n/execution.mts';
import { formatTable } from '../table.mts';

/** The nodes of the example that the check reads. */
export const contactNodes = {
	contacts: 'Contact fields',
	logs: 'Write person log',
	written: 'Written or unchanged',
};
/** The outputs of the node that writes. */
const written = 0;
const failed = 1;

/** One contact with its outcome: a person log, or what to fix. */
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
		failure ? 'to fix' : isUnchanged(log) ? 'unchanged' : text(log?.personLogId),
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
	const unchanged = count(({ log }) => isUnchanged(log));
	const logged = count(({ log }) => log !== undefined) - unchanged;
	return (
		`Of ${rows.length} contacts, ${logged} were logged once each, and ${unchanged} were unchanged since the last start. ` +
		`The error output says what to fix in the other ${count(({ failure }) => failure !== undefined)}.`
	);
}

/** Whether an earlier run has written the contact. n8n remembers that from start to start. */
const isUnchanged = (log: JsonObject | undefined): boolean => log?.alreadyWritten === true;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Compares the contacts with the sandbox's requests and the node's output. Returns the deviations. */
export function findContactDeviations(execution: Execution, requests: RecordedRequest[]): string[] {
	const rows = listRows(execution);
	const named = rows.filter(({ contact, log }) => isNamed(contact) && !isUnchanged(log));
	const received = requests.filter(({ operationId }) => operationId === 'createPersonLog');
	const found: string[] = [];
	found.push(...listFailures(execution));
	if (rows.length === 0) found.push('there were no contacts');
	if (received.length !== named.length) {
		found.push(
			`${named.length} contacts are complete and new, but the sandbox received ${received.length} requests`,
		);
	}
	for (const row of rows) found.push(...compareContact(row, received));
	const logIds = new Set(named.map(({ log }) => log?.personLogId));
	if (logIds.size !== named.length) found.push('some contacts have the same person log');
	return found;
}

/** Whether the service can identify the person. */
const isNamed = ({ email, phone }: JsonObject): boolean => Boolean(email) || Boolean(phone);

function compareContact({ contact, log, failure }: Row, received: RecordedRequest[]): string[] {
	const who = `${text(contact.id)} (${text(contact.name)})`;
	const matching = received.filter(({ body }) => bodyOf(body).payload?.crmId === contact.id);
	const found: string[] = [];
	if (!isNamed(contact)) {
		if (matching.length > 0) found.push(`${who} has neither email nor phone, but was sent`);
		if (log || !failure?.error) found.push(`${who} is missing from the error output`);
		return found;
	}
	if (isUnchanged(log)) return matching.length > 0 ? [`${who} is unchanged, but was sent`] : [];
	if (failure) found.push(`${who} failed: ${text(failure.error)}`);
	if (matching.length !== 1) found.push(`${who} was sent ${matching.length} times`);
	for (const { body, status } of matching) {
		if (status !== 201) found.push(`${who} got the response ${status}`);
		const sent = bodyOf(body);
		const pairs = { name: contact.name, email: contact.email, phoneNumber: contact.phone };
		for (const [field, expected] of Object.entries(pairs)) {
			// A field that is blank for the contact must not be sent at all.
			if (sent[field] !== (expected || undefined)) {
				found.push(`${who}: ${field} was sent as ${JSON.stringify(sent[field])}`);
			}
		}
	}
	if (!text(log?.personLogId)) found.push(`${who} has no person log`);
	return found;
}

function bodyOf(body: unknown): JsonObject & { payload?: JsonObject } {
	return typeof body === 'object' && body !== null ? { ...body } : {};
}
