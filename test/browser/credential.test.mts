import { waitFor } from '../waitFor.mts';
import { openEditor } from './editor.mts';
import { fieldOf } from './panel.mts';

const editor = openEditor();

test('a new credential says what is wrong with it until it works, and the node reads with it', async () => {
	const { page, sandbox } = editor;
	const read = { resource: 'person', operation: 'getAll', limit: 1 };
	const settings = { credentials: undefined };
	const panel = await editor.openPanel('pageAudience', read, { settings });
	await panel.getByTestId('node-credentials-select').click();
	await page.getByTestId('node-credentials-select-item-new').click();
	const dialog = page.getByTestId('editCredential-modal');
	const save = dialog.getByTestId('credential-save-button');
	const unsaved = save.getByText('Save', { exact: true });
	const details = dialog.getByText('More details');
	/** n8n closes the details where it shows a result again, and loses a click while it still saves. */
	const saveUntil = async (what: string, isDone: () => Promise<boolean>) =>
		await waitFor(what, async () => {
			for (const each of [details, unsaved])
				if (await each.isVisible()) await each.click({ timeout: 1_000 }).catch(() => undefined);
			return await isDone();
		});
	const enter = async (baseUrl: string, apiKey: string) => {
		await fieldOf(dialog, 'baseUrl').fill(baseUrl);
		await fieldOf(dialog, 'apiKey').fill(apiKey);
	};

	await page.setViewportSize({ width: 1000, height: 640 });
	await enter('https://api.example.com', 'a-key');
	await editor.photograph('credential', dialog);
	const warning = dialog.getByText('the API key is sent without encryption');
	expect(await warning.isVisible()).toBe(false);
	await enter('http://api.example.com', 'a-key');
	await warning.waitFor();
	await enter(sandbox.url, 'wrong-key');
	const said =
		'The API key was rejected (401). Check the API Key and the Base URL in the credential.';
	await saveUntil(said, async () => await dialog.getByText(said).isVisible());
	await enter(sandbox.url, sandbox.apiKey);
	// n8n closes the dialog when the test has succeeded.
	await saveUntil('the end of the dialog', async () => await dialog.isHidden());
	const output = panel.getByTestId('ndv-data-container').getByText('personId').first();
	// n8n loses a click while it selects the new credential, too.
	await waitFor('the person', async () => {
		await panel.getByTestId('node-execute-button').click();
		return await output.waitFor({ timeout: 10_000 }).then(
			() => true,
			() => false,
		);
	});
	expect(sandbox.requests.at(-1)).toMatchObject({ path: '/v0/persons', status: 200 });
});
