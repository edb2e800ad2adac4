import type { StoredWorkflow } from '../../../tools/n8n/workflow.mts';
import { findFormDeviations, readMessage, submitForm } from '../../../tools/start/form.mts';
import { publish, unpublish } from '../../../tools/start/publishing.mts';
import type { Workbench } from '../workbench.mts';
import { changeNode, findNode, importExample } from './importing.mts';

const trigger = 'When a form is submitted';

/** `open` gives the bench that all examples share. */
export const describeForm = (open: () => Workbench): void =>
	describe('a submitted form', () => {
		let bench: Workbench;
		const imported: StoredWorkflow[] = [];
		beforeAll(() => {
			bench = open();
			bench.sandbox.reset();
		});
		afterAll(async () => {
			for (const workflow of imported) {
				await unpublish(bench.client, workflow);
				await bench.client.deleteWorkflow(workflow.id);
			}
		});

		async function importForm(): Promise<StoredWorkflow> {
			const workflow = await importExample(bench, 'form');
			imported.push(workflow);
			return workflow;
		}

		test('a submitted form becomes a person log and a chat message', async () => {
			const workflow = await importForm();
			await publish(bench.client, workflow);
			const outcome = await submitForm(bench.client, bench.sandbox, workflow.id);
			expect(findFormDeviations(outcome)).toEqual([]);
			expect(readMessage(outcome)).toBe(
				'New form submission from Nora Lindgren, nora.lindgren@fjordfreight.example, Fjord Freight on ' +
					'"Product demo for logistics teams | Northwind": Can we see it with our own data?',
			);
			const [{ body }] = outcome.logs;
			expect(body.payload).toMatchObject({ delivery: { event: 'form.submitted' } });
		});

		test('two copies in one n8n have separate URLs and can both be published', async () => {
			const [first] = imported;
			const second = await importForm();
			const ids = [first, second].map(({ nodes }) => findNode(nodes, trigger).webhookId);
			expect(ids).toEqual([expect.any(String), expect.any(String)]);
			expect(ids[0]).not.toBe(ids[1]);
			const { store } = bench.sandbox;
			const other = store.subscriptions.all().find(({ events }) => events === null);
			const subscriptionId = { __rl: true, mode: 'id', value: other?.subscriptionId };
			await changeNode(bench, second, trigger, { subscriptionId });
			await publish(bench.client, second);
			const active = store.subscriptions
				.all()
				.filter(({ active: isActive, url }) => isActive && url.includes('/webhook'));
			expect(active.map(({ url }) => url.split('?')[0])).toEqual(
				ids.map((id) => expect.stringContaining(`/webhook/${id}/webhook`) as string),
			);
		});
	});
