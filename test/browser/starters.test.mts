import { makeExampleData } from '../../sandbox/index.mts';
import { moveToRecentWeeks } from '../../tools/start/recent.mts';
import { importExample } from '../e2e/examples/importing.mts';
import { waitFor } from '../waitFor.mts';
import { openEditor } from './editor.mts';

// The starter of the form is in form.test.mts. What each of them writes is in test/e2e/examples.
describe('a starter workflow', () => {
	const editor = openEditor();
	beforeEach(() => {
		editor.sandbox.reset();
		moveToRecentWeeks(editor.sandbox.store);
	});

	const untilSucceeded = async (id: string): Promise<unknown> =>
		await waitFor('the end of the execution', async () =>
			(await editor.client.listExecutions(id)).find(({ status }) => status === 'success'),
		);

	test.each(['contacts', 'export', 'digest', 'overrides', 'sync'] as const)(
		'runs when its button is clicked: %s',
		async (example) => {
			const { page } = editor;
			const { id } = await importExample(editor, example);
			await editor.openCanvas(id);
			await editor.photograph(`starter-${example}`);
			await page.getByTestId('execute-workflow-button').first().click();
			await untilSucceeded(id);
			await page.getByTestId('canvas-node-status-success').first().waitFor();
			await editor.photograph(`starter-${example}-executed`);
		},
	);

	test('runs when its event comes: alert', async () => {
		const { client, page, sandbox, url } = editor;
		const { id } = await importExample(editor, 'alert');
		await editor.openCanvas(id);
		await page.getByText('Form Enrichment Failed').first().waitFor();
		await editor.photograph('starter-alert');
		await client.publish(id);
		const data = makeExampleData(sandbox.store, 'form.enrichment_failed');
		await sandbox.emit('form.enrichment_failed', data);
		await untilSucceeded(id);
		await page.goto(`${url}/workflow/${id}/executions`);
		await page.getByTestId('canvas-node-status-success').first().waitFor();
		await editor.photograph('starter-alert-executed');
		await client.unpublish(id);
	});
});
