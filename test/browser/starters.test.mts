import type { Sandbox } from '../../sandbox/index.mts';
import { findAlertDeviations, sendFailedEnrichment } from '../../tools/start/alert.mts';
import { findContactDeviations } from '../../tools/start/contacts.mts';
import { findDigestDeviations } from '../../tools/start/digest.mts';
import { findExportDeviations } from '../../tools/start/export.mts';
import { findOverrideDeviations } from '../../tools/start/overrides.mts';
import { publish, unpublish } from '../../tools/start/publishing.mts';
import { moveToRecentWeeks } from '../../tools/start/recent.mts';
import { findSyncDeviations } from '../../tools/start/sync.mts';
import type { Execution } from '../../tools/n8n/execution.mts';
import { importExample } from '../e2e/examples/importing.mts';
import { waitFor } from '../waitFor.mts';
import { openEditor } from './editor.mts';

// The starter of the form is in form.test.mts.
describe('a starter workflow', () => {
	const editor = openEditor();
	beforeEach(() => {
		editor.sandbox.reset();
		moveToRecentWeeks(editor.sandbox.store);
	});

	test.each([
		[
			'contacts',
			(execution: Execution, { requests }: Sandbox) => findContactDeviations(execution, requests),
		],
		['export', findExportDeviations],
		['digest', findDigestDeviations],
		['overrides', findOverrideDeviations],
		['sync', findSyncDeviations],
	] as const)('runs when its button is clicked: %s', async (example, findDeviations) => {
		const { client, page, sandbox } = editor;
		const { id } = await importExample(editor, example);
		await editor.openCanvas(id);
		await editor.photograph(`starter-${example}`);
		await page.getByTestId('execute-workflow-button').first().click();
		const { id: executionId } = await waitFor('the end of the execution', async () =>
			(await client.listExecutions(id)).find(({ status }) => status === 'success'),
		);
		await page.getByTestId('canvas-node-status-success').first().waitFor();
		await editor.photograph(`starter-${example}-executed`);
		expect(findDeviations(await client.waitForExecution(executionId), sandbox)).toEqual([]);
	});

	test('runs when its event comes: alert', async () => {
		const { client, page, sandbox, url } = editor;
		const workflow = await importExample(editor, 'alert');
		await editor.openCanvas(workflow.id);
		await page.getByText('Form Enrichment Failed').first().waitFor();
		await editor.photograph('starter-alert');
		await publish(client, workflow);
		const outcome = await sendFailedEnrichment(client, sandbox, workflow.id);
		expect(findAlertDeviations(outcome)).toEqual([]);
		await page.goto(`${url}/workflow/${workflow.id}/executions`);
		await page.getByTestId('canvas-node-status-success').first().waitFor();
		await editor.photograph('starter-alert-executed');
		await unpublish(client, workflow);
	});
});
