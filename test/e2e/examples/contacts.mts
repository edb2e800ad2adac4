import { itemsOf } from '../../../tools/n8n/execution.mts';
import { findContactDeviations, listRows } from '../../../tools/start/contacts.mts';
import type { Workbench } from '../workbench.mts';
import { ImportedExample } from './importing.mts';

/** `open` gives the bench that all examples share. */
export const describeContacts = (open: () => Workbench): void =>
	describe('CRM contacts', () => {
		const example = ImportedExample.use(open, 'contacts');

		const listKeys = (): unknown[] =>
			example.sandbox.requests.map(
				({ body }) => (body as { idempotencyKey: string }).idempotencyKey,
			);

		test('each contact is written once or listed with what to fix', async () => {
			const execution = await example.run();
			expect(findContactDeviations(execution, example.sandbox.requests)).toEqual([]);
			expect(listRows(execution)).toHaveLength(13);
			const written = itemsOf(execution, 'Written').map(({ json }) => json);
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

		test('a second run sends the same idempotency keys and creates no duplicates', async () => {
			const first = listKeys().sort();
			const persons = example.sandbox.store.persons.size;
			example.sandbox.requests.length = 0;
			await example.run();
			expect(first).toHaveLength(12);
			expect(listKeys().sort()).toEqual(first);
			expect(example.sandbox.store.persons.size).toBe(persons);
		});

		test('one rejected contact does not stop the others', async () => {
			example.sandbox.requests.length = 0;
			example.sandbox.faults.add({ kind: 'status', status: 409, times: 1 });
			const execution = await example.run();
			expect(itemsOf(execution, 'Written')).toHaveLength(11);
			const failed = itemsOf(execution, 'To fix').map(({ json }) => json.whatToFix);
			expect(failed).toHaveLength(2);
			expect(failed).toContainEqual(expect.stringContaining('409'));
		});
	});
