import { importExample } from '../e2e/examples/importing.mts';
import { waitFor } from '../waitFor.mts';
import { openEditor } from './editor.mts';

describe('the alert for failed enrichments', () => {
	const editor = openEditor();

	test('is tried with a button of the console, and with one after the form of the demo page', async () => {
		const { client, page, sandbox } = editor;
		const { id } = await importExample(editor, 'alert');
		await client.publish(id);
		const countSucceeded = async () =>
			(await client.listExecutions(id)).filter(({ status }) => status === 'success').length;

		await page.goto(`${sandbox.url}/console`);
		await page.getByRole('button', { name: 'form.enrichment_failed' }).click();
		await page.getByText('Sent form.enrichment_failed to 1 subscription.').waitFor();
		await editor.photograph('console');
		await waitFor('the execution of the console', async () => (await countSucceeded()) === 1);

		await page.goto(`${sandbox.url}/demo`);
		await page.getByLabel('Name').fill('Nora Lindgren');
		await page.getByLabel('Email').fill('nora.lindgren@fjordfreight.example');
		await page.locator('form button').click();
		await page.getByRole('button', { name: 'Send form.enrichment_failed' }).click();
		await page.getByText('1 of 1 delivery of form.enrichment_failed succeeded.').waitFor();
		await editor.photograph('after-form');
		await waitFor('the execution of the demo page', async () => (await countSucceeded()) === 2);
		await client.unpublish(id);
	});
});
