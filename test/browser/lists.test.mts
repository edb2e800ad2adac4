import { waitFor } from '../waitFor.mts';
import { openEditor } from './editor.mts';
import { addField, execute, fieldOf, locatorOf, pick, pickAudience } from './panel.mts';

const editor = openEditor();

const pagesWith = (audiences: (count: number) => boolean) =>
	[...editor.sandbox.store.pages].filter(({ pageId }) =>
		audiences(editor.sandbox.store.audiences.of(pageId).length),
	);

test('the node is found by its purpose, and a page and one of its audiences are picked', async () => {
	const { page, sandbox, url } = editor;
	const [large] = pagesWith((count) => count > 100);
	const [small] = pagesWith((count) => count > 0 && count < 20);
	await page.goto(`${url}/workflow/new`);
	await page.getByTestId('canvas-add-button').click();
	await page.getByTestId('node-creator-search-bar').fill('landing page');
	await page.getByText('Page Audience', { exact: true }).first().click();
	await page.getByText(/^Actions \(\d+\)$/).click();
	await page.getByText('Update audience', { exact: true }).first().click();

	const panel = page.getByTestId('ndv');
	await pick(panel, 'pageId', large.name);
	await pick(panel, 'audienceId', '', 'audience_');
	// n8n empties what depends on the page.
	await pick(panel, 'pageId', small.name);
	const audienceInput = locatorOf(panel, 'audienceId');
	await waitFor('an empty audience', async () => (await audienceInput.inputValue()) === '');
	const [{ audienceId }] = sandbox.store.audiences.of(small.pageId);
	await pickAudience(panel, audienceId);
	await addField(panel, 'Custom Name');
	await fieldOf(panel, 'customName').fill('Picked in the editor');
	await execute(panel, 'Picked in the editor');
	expect(sandbox.requests.at(-1)).toMatchObject({
		method: 'PATCH',
		path: `/v0/pages/${small.pageId}/audiences/${audienceId}`,
		body: { customName: 'Picked in the editor' },
		status: 200,
	});
});

test('a list within a collection depends on the page outside of it', async () => {
	const { sandbox } = editor;
	const [{ name, pageId }] = pagesWith((count) => count > 0 && count < 20);
	const [{ pageLinkId }] = [...sandbox.store.pageLinks];
	const unpicked = { __rl: true, mode: 'list', value: '' };
	const target = { value: { targetType: 'audience', audienceId: unpicked } };
	const update = { resource: 'pageLink', operation: 'update', pageLinkId };
	const panel = await editor.openPanel('pageAudience', { ...update, updateFields: { target } });
	await pick(panel, 'pageId', name);
	const [{ audienceId }] = sandbox.store.audiences.of(pageId);
	await pickAudience(panel, audienceId);
	await execute(panel, pageLinkId);
	expect(sandbox.requests.at(-1)).toMatchObject({
		path: `/v0/page_links/${pageLinkId}`,
		body: { target: { targetType: 'audience', audienceId } },
		status: 200,
	});
});
