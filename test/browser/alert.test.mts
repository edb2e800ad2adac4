import { importExample } from '../e2e/examples/importing.mts';
import { waitFor } from '../waitFor.mts';
import { openEditor } from './editor.mts';

describe('the alert for failed enrichments', () => {
	const editor = openEditor();

	test('starts for its event when a button of the sandbox sends it, and not for a submitted form', async () => {
		const { client, page, sandbox } = editor;
		const { id } = await importExample(editor, 'alert');
		await client.publish(id);
		const countSucceeded = async () =>
			(await client.listExecutions(id)).filter(({ status }) => status === 'success').length;

		await page.goto(sandbox.url);
		await page.getByLabel('Name').fill('Nora Lindgren');
		await page.getByLabel('Email').fill('nora.lindgren@fjordfreight.example');
		await page.getByRole('button', { name: 'Submit the form' }).click();
		await page.getByText('Deliveries: 0 of 1 succeeded.').waitFor();
		for (const count of [1, 2]) {
			await page.getByRole('button', { name: 'form.enrichment_failed' }).click();
			await page.getByText('Deliveries: 1 of 1 succeeded.').waitFor();
			await waitFor(`execution ${count}`, async () => (await countSucceeded()) === count);
		}
		expect(sandbox.deliveries.map(({ kind, status }) => [kind, status])).toEqual([
			['form.submitted', undefined],
			['form.enrichment_failed', 200],
			['form.enrichment_failed', 200],
		]);
		await client.unpublish(id);
	});
});
