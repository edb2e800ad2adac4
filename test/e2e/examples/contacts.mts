import type { RecordedRequest } from '../../../sandbox/index.mts';
import {
	itemsOf,
	listFailures,
	originOf,
	type Execution,
	type JsonObject,
} from '../../../tools/n8n/execution.mts';
import type { Workbench } from '../workbench.mts';
import { changeNode, ImportedExample } from './importing.mts';

/** `open` gives the bench that all examples share. */
export const describeContacts = (open: () => Workbench): void =>
	describe('CRM contacts', () => {
		const example = ImportedExample.use(open, 'contacts');

		test('each contact is written once or listed with what to fix', async () => {
			const execution = await example.run();
			expect(findContactDeviations(execution, example.sandbox.requests)).toEqual([]);
			expect(listRows(execution)).toHaveLength(13);
			const written = itemsOf(execution, contactNodes.written).map(({ json }) => json);
			expect(written).toHaveLength(12);
			for (const outcome of written) {
				expect(outcome).toMatchObject({
					outcome: 'written, for a new person',
					personLogId: expect.stringMatching(/^accountlog_/) as string,
				});
			}
			expect(written[5]).toMatchObject({ crmId: 'crm-1006', contact: "Patrick O'Brien" });
			expect(itemsOf(execution, 'To fix').map(({ json }) => json)).toEqual([
				{
					crmId: 'crm-1013',
					contact: 'Jonas Berg',
					outcome: 'not written',
					whatToFix: expect.stringContaining('Person needs a Person ID') as string,
				},
			]);
		});

		test("the payload holds the contact's fields", () => {
			const [{ body }] = example.sandbox.requests.filter(({ body: sent }) =>
				JSON.stringify(sent).includes('crm-1006'),
			);
			expect(body).toMatchObject({
				source: 'crm',
				type: 'contact-synced',
				payload: {
					crmId: 'crm-1006',
					company: 'Harborcrest Insurance, Ltd.',
					lifecycleStage: 'customer',
					lastActivityAt: '2026-10-11T14:55:00Z',
				},
			});
		});

		test('a second run sends nothing', async () => {
			example.sandbox.requests.length = 0;
			const execution = await example.run();
			expect(example.sandbox.requests).toEqual([]);
			const outcomes = itemsOf(execution, contactNodes.written).map(({ json }) => json.outcome);
			expect(outcomes).toEqual(Array(12).fill('unchanged since the last run'));
			expect(findContactDeviations(execution, example.sandbox.requests)).toEqual([]);
		});

		test('one rejected contact does not stop the others, and is the only one that is sent again', async () => {
			await changeNode(example.bench, example.workflow, contactNodes.logs, {
				options: { startOver: 'once more' },
			});
			example.sandbox.faults.add({ kind: 'status', status: 422, times: 1 });
			const execution = await example.run();
			expect(itemsOf(execution, contactNodes.written)).toHaveLength(11);
			const failed = itemsOf(execution, 'To fix').map(({ json }) => json.whatToFix);
			expect(failed).toHaveLength(2);
			expect(failed).toContainEqual(expect.stringContaining('422'));
			example.sandbox.requests.length = 0;
			expect(itemsOf(await example.run(), contactNodes.written)).toHaveLength(12);
			expect(example.sandbox.requests).toHaveLength(1);
		});
	});

/** The nodes of the example that the check reads. */
const contactNodes = {
	contacts: 'Contact fields',
	logs: 'Write person log',
	written: 'Written or unchanged',
};
/** The outputs of the node that writes. */
const written = 0;
const failed = 1;

/** One contact with its outcome: a person log, or what to fix. */
type Row = { contact: JsonObject; log: JsonObject | undefined; failure: JsonObject | undefined };

function listRows(execution: Execution): Row[] {
	const find = (output: number, index: number) =>
		itemsOf(execution, contactNodes.logs, output).find((item) => originOf(item) === index)?.json;
	return itemsOf(execution, contactNodes.contacts).map(({ json: contact }, index) => ({
		contact,
		log: find(written, index),
		failure: find(failed, index),
	}));
}

/** Whether an earlier run has written the contact. n8n remembers that from start to start. */
const isUnchanged = (log: JsonObject | undefined): boolean => log?.alreadyWritten === true;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Compares the contacts with the sandbox's requests and the node's output. Returns the deviations. */
function findContactDeviations(execution: Execution, requests: RecordedRequest[]): string[] {
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
