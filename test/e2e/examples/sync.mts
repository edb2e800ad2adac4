import type { Sandbox } from '../../../sandbox/index.mts';
import {
	itemsOf,
	listFailures,
	type Execution,
	type JsonObject,
} from '../../../tools/n8n/execution.mts';
import type { Workbench } from '../workbench.mts';
import { changeNode, findNode, ImportedExample } from './importing.mts';

const knownEmail = 'ADA.Lindqvist@Meridian.example';

const readMessages = (execution: Execution) =>
	itemsOf(execution, syncNodes.message).map(({ json }) => json.message);

/** `open` gives the bench that all examples share. */
export const describeSync = (open: () => Workbench): void =>
	describe('CRM to persons and logs', () => {
		const example = ImportedExample.use(open, 'sync');
		beforeEach(() => {
			example.sandbox.requests.length = 0;
		});

		const countSent = (endpoint: string) =>
			example.sandbox.requests.filter(({ operationId }) => operationId === endpoint).length;

		/** Changes a contact in the sample CRM. */
		async function editContact(from: string, to: string): Promise<void> {
			const { nodes } = await example.client.getWorkflow(example.workflow.id);
			const { assignments } = findNode(nodes, syncNodes.crm).parameters;
			const text = JSON.stringify(assignments);
			expect(text).toContain(from);
			await changeNode(example.bench, example.workflow, syncNodes.crm, {
				assignments: JSON.parse(text.replace(from, to)) as unknown,
			});
		}

		test('each contact becomes one person and one log, or is listed with what to fix', async () => {
			const { store } = example.sandbox;
			const before = store.persons.size;
			const [known] = store.addPersons(1, { email: knownEmail });
			const execution = await example.run();
			expect(countSynced(execution)).toEqual({ written: 10, unchanged: 0, failed: 3 });
			expect(store.persons.size).toBe(before + 10);
			expect(readMessages(execution)).toEqual(['10 written, 0 unchanged, 3 to fix']);
			expect([...store.personLogs].map(({ personId }) => personId)).toContain(known.personId);
			const failed = itemsOf(execution, syncNodes.failed).map(({ json }) => json);
			expect(failed.map(({ crmId }) => crmId)).toEqual(['crm-1004', 'crm-1009', 'crm-1013']);
			expect(failed[0].whatToFix).toMatch(/Email/);
			expect(findSyncDeviations(execution, example.sandbox)).toEqual([]);
		});

		test('a second run creates nobody and sends no log', async () => {
			const execution = await example.run();
			expect(countSynced(execution)).toEqual({ written: 0, unchanged: 10, failed: 3 });
			expect(readMessages(execution)).toEqual(['0 written, 10 unchanged, 3 to fix']);
			expect([countSent('createPerson'), countSent('createPersonLog')]).toEqual([0, 0]);
			expect(findSyncDeviations(execution, example.sandbox)).toEqual([]);
		});

		test('a changed contact gets one more log, and a rejected one is sent again in the next run', async () => {
			await editContact('2026-11-02T16:40:00Z', '2026-11-20T09:00:00Z');
			await editContact('2026-11-03T08:05:00Z', '2026-11-20T09:30:00Z');
			const rejection = { kind: 'status', status: 422, operationId: 'createPersonLog' } as const;
			example.sandbox.faults.add({ ...rejection, times: 1 });
			const rejected = await example.run();
			expect(countSynced(rejected)).toEqual({ written: 1, unchanged: 8, failed: 4 });
			expect(itemsOf(rejected, syncNodes.failed).map(({ json }) => json.whatToFix)).toContainEqual(
				expect.stringContaining('422'),
			);
			expect(readMessages(rejected)).toEqual(['1 written, 8 unchanged, 4 to fix']);
			expect(countSent('createPersonLog')).toBe(2);

			example.sandbox.requests.length = 0;
			const repeated = await example.run();
			expect(countSynced(repeated)).toEqual({ written: 1, unchanged: 9, failed: 3 });
			expect([countSent('createPerson'), countSent('createPersonLog')]).toEqual([0, 1]);
			expect(findSyncDeviations(repeated, example.sandbox)).toEqual([]);
		});
	});

/** The nodes of the example that the check reads. */
const syncNodes = {
	crm: 'CRM contacts',
	contacts: 'Contact fields',
	log: 'Write person log',
	message: 'Message',
	failed: 'To fix',
};

/** How many contacts had each outcome. */
function countSynced(execution: Execution) {
	const [{ json }] = itemsOf(execution, syncNodes.log);
	return {
		written: Number(json.written),
		unchanged: Number(json.skipped),
		failed: itemsOf(execution, syncNodes.failed).length,
	};
}

/** Compares the contacts with the sandbox's persons and logs. Returns the deviations. */
function findSyncDeviations(execution: Execution, { store }: Sandbox): string[] {
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
