import { itemsOf } from '../../../tools/n8n/execution.mts';
import { contactNodes, findContactDeviations, listRows } from '../../../tools/start/contacts.mts';
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
