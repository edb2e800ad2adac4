import type { Sandbox } from '../../sandbox/index.mts';
import { itemsOf, listFailures, type Execution, type JsonObject } from '../n8n/execution.mts';

/** The nodes of the example that the check reads. */
export const syncNodes = {
	crm: 'CRM contacts',
	contacts: 'Contact fields',
	log: 'Write person log',
	message: 'Message',
	failed: 'To fix',
};

/** How many contacts had each outcome. */
export function countSynced(execution: Execution) {
	const [{ json }] = itemsOf(execution, syncNodes.log);
	return {
		written: Number(json.written),
		unchanged: Number(json.skipped),
		failed: itemsOf(execution, syncNodes.failed).length,
	};
}

/** Compares the contacts with the sandbox's persons and logs. Returns the deviations. */
export function findSyncDeviations(execution: Execution, { store }: Sandbox): string[] {
	const found: string[] = [];
	found.push(...listFailures(execution));
	const contacts = itemsOf(execution, syncNodes.contacts).map(({ json }) => json);
	if (contacts.length === 0) found.push('there were no contacts');
	const { written, unchanged, failed } = countSynced(execution);
	if (written + unchanged + failed !== contacts.length) {
		found.push(`${contacts.length} contacts had ${written + unchanged + failed} outcomes`);
	}
	const failures = itemsOf(execution, syncNodes.failed).map(({ json }) => json.crmId);
	for (const contact of contacts) {
		found.push(...compareContact(contact, failures.includes(contact.id), store));
	}
	return found;
}

function compareContact(contact: JsonObject, isFailed: boolean, store: Sandbox['store']): string[] {
	const { id, email, modifiedAt } = contact;
	const persons = [...store.persons].filter(
		(person) => email && person.email?.toLowerCase() === String(email).toLowerCase(),
	);
	const logs = [...store.personLogs].filter(
		({ payload }) => payload.crmId === id && payload.modifiedAt === modifiedAt,
	);
	const expected = isFailed ? 0 : 1;
	const found: string[] = [];
	if (isFailed && email) found.push(`${String(id)} has an email address, but was not written`);
	if (persons.length !== expected) found.push(`${String(id)} has ${persons.length} persons`);
	if (logs.length !== expected) found.push(`${String(id)} has ${logs.length} person logs`);
	if (logs.some(({ personId }) => personId !== persons[0]?.personId)) {
		found.push(`the log of ${String(id)} belongs to another person`);
	}
	return found;
}
