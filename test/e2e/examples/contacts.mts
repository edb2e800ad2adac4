import { itemsOf } from '../../../tools/n8n/execution.mts';
import type { StoredWorkflow } from '../../../tools/n8n/workflow.mts';
import { findContactDeviations, listRows } from '../../../tools/start/contacts.mts';
import { runOnce } from '../../../tools/start/starter.mts';
import type { Workbench } from '../workbench.mts';
import { importExample } from './importing.mts';

/** `open` gives the bench that all examples share. */
export const describeContacts = (open: () => Workbench): void =>
	describe('CRM contacts', () => {
		let bench: Workbench;
		let workflow: StoredWorkflow;
		beforeAll(async () => {
			bench = open();
			bench.sandbox.reset();
			workflow = await importExample(bench, 'contacts');
		});
		afterAll(async () => {
			await bench.client.deleteWorkflow(workflow.id);
		});

		const listKeys = (): unknown[] =>
			bench.sandbox.requests.map(({ body }) => (body as { idempotencyKey: string }).idempotencyKey);

		test('each contact has an outcome: written once, or what to fix', async () => {
			const execution = await runOnce(bench.client, workflow);
			expect(findContactDeviations(execution, bench.sandbox.requests)).toEqual([]);
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

		test('the payload holds what the contact has', () => {
			const [{ body }] = bench.sandbox.requests.filter(({ body: sent }) =>
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

		test('a second run sends the same idempotency keys, and makes nobody twice', async () => {
			const first = listKeys().sort();
			const persons = bench.sandbox.store.persons.size;
			bench.sandbox.requests.length = 0;
			await runOnce(bench.client, workflow);
			expect(first).toHaveLength(12);
			expect(listKeys().sort()).toEqual(first);
			expect(bench.sandbox.store.persons.size).toBe(persons);
		});

		test('a service that refuses one of them stops none of the others', async () => {
			bench.sandbox.requests.length = 0;
			bench.sandbox.faults.add({ kind: 'status', status: 409, times: 1 });
			const execution = await runOnce(bench.client, workflow);
			expect(itemsOf(execution, 'Written')).toHaveLength(11);
			const failed = itemsOf(execution, 'To fix').map(({ json }) => json.whatToFix);
			expect(failed).toHaveLength(2);
			expect(failed).toContainEqual(expect.stringContaining('409'));
		});
	});
