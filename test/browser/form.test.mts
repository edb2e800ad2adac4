import { provideWorkflow } from '../../tools/start/starter.mts';
import { waitFor } from '../waitFor.mts';
import { openEditor, usualSize } from './editor.mts';

describe('the form workflow', () => {
	const editor = openEditor();

	test('is published in the editor and turns a submitted form into a person log', async () => {
		const { client, credential, page, sandbox, url } = editor;
		const { id } = await provideWorkflow(client, credential, 'form');
		await page.goto(`${url}/workflow/${id}`);
		await page.getByTestId('canvas-node').first().waitFor();
		await page.getByTestId('workflow-open-publish-modal-button').click();
		await page.getByTestId('workflow-publish-button').click();
		await waitFor(
			'the publication',
			async () => (await client.publicationStatus(id)).status === 'published',
		);

		const logs = sandbox.store.personLogs.size;
		await page.goto(sandbox.url);
		await page.getByLabel('Name').fill('Nora Lindgren');
		await page.getByLabel('Email').fill('nora.lindgren@fjordfreight.example');
		await page.getByLabel('Message').fill('Can we see it with our own data?');
		await page.getByRole('button', { name: 'Submit the form' }).click();
		await page.getByText('Deliveries: 1 of 2 succeeded.').waitFor();
		await waitFor('the person log', () => sandbox.store.personLogs.size > logs);

		await page.goto(`${url}/workflow/${id}/executions`);
		await page.getByTestId('current-executions-list').getByText('Succeeded').first().waitFor();
		await page.getByTestId('canvas-node-status-success').nth(3).waitFor();
		await page.setViewportSize({ width: 1300, height: 760 });
		await page.getByTestId('zoom-to-fit').click();
		await editor.photograph('form-execution', page.locator('body'));
		await page.setViewportSize(usualSize);
		expect(await client.listExecutions(id)).toMatchObject([{ status: 'success' }]);
		await client.deactivate(id);
	});
});
