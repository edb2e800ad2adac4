import { makeExampleData } from '../../sandbox/index.mts';
import { waitFor } from '../waitFor.mts';
import { openEditor, usualSize } from './editor.mts';
import { listed, locatorOf, pick } from './panel.mts';

const editor = openEditor();

test('the trigger is tested, published and unpublished, and the subscription is restored each time', async () => {
	const { client, page, sandbox } = editor;
	const [subscription] = sandbox.store.subscriptions.all().filter(({ active }) => !active);
	const before = { url: subscription.url, events: subscription.events, active: false };
	const emit = async () =>
		await sandbox.emit('form.submitted', makeExampleData(sandbox.store, 'form.submitted'));
	const isRestored = () => !subscription.active && subscription.url === before.url;

	await page.setViewportSize({ width: 1000, height: 560 });
	const panel = await editor.openPanel(
		'pageAudienceTrigger',
		{ events: ['form.submitted'] },
		{ name: 'Page Audience Trigger' },
	);
	await locatorOf(panel, 'subscriptionId').click();
	await listed(panel).first().waitFor();
	await editor.photograph('subscription', panel);
	await page.keyboard.press('Escape');
	await page.setViewportSize(usualSize);
	const end = subscription.subscriptionId.slice(-6);
	expect(await pick(panel, 'subscriptionId', end)).toContain(`(Form Submitted, …${end})`);
	const id = /workflow\/(\w+)/.exec(page.url())?.[1] ?? '';
	await panel.getByTestId('node-execute-button').click();
	await panel.getByText('Listening for test event').waitFor();
	await waitFor('the test URL', () => subscription.url.includes('/webhook-test/'));
	await emit();
	await panel.getByTestId('ndv-data-container').getByText('submission_1').first().waitFor();
	await waitFor('the restored subscription', isRestored);

	await page.getByTestId('ndv-close-button').click();
	await page.getByTestId('canvas-node').getByText('Form Submitted').waitFor();
	await page.getByTestId('workflow-open-publish-modal-button').click();
	await page.getByTestId('workflow-publish-button').click();
	await waitFor('the published URL', () => /\/webhook\/[^?]+\?token=/.test(subscription.url));
	await page.getByRole('button', { name: 'Got it' }).click();
	const started = async () =>
		(await client.listExecutions(id)).filter(({ mode }) => mode === 'webhook').length;
	await emit();
	await waitFor('the execution', async () => (await started()) === 1);

	// The menu beside Published.
	const published = page.getByTestId('workflow-open-publish-modal-button');
	await published.locator('xpath=following::button[1]').click();
	await page.getByRole('menuitem', { name: 'Unpublish' }).click();

	await page.getByRole('dialog').getByRole('button', { name: 'Unpublish' }).click();
	await waitFor('the restored subscription', isRestored);
	expect(subscription).toMatchObject(before);
	await emit();
	expect(await started()).toBe(1);
});
