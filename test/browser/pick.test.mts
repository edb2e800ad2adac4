import type { Locator } from 'playwright-core';
import { handlers } from '../../sandbox/index.mts';
import { describeInBrowser, openEditor, type Editor } from './editor.mts';

describeInBrowser('a builder without an API reference', () => {
	let editor: Editor;
	beforeAll(async () => {
		editor = await openEditor();
	});
	afterAll(async () => await editor?.close());

	/** Opens a resource locator's list, searches it, and picks the entry that has the text. */
	async function pick(panel: Locator, parameter: string, text: string): Promise<void> {
		const { page } = editor;
		await panel.getByTestId(`resource-locator-${parameter}`).getByTestId('rlc-input').click();
		const entries = page.getByTestId('rlc-item');
		await entries.first().waitFor();
		await page.getByTestId('rlc-search').locator('visible=true').fill(text);
		await entries.filter({ hasText: text }).first().click();
		await entries.first().waitFor({ state: 'hidden' });
	}

	async function execute(panel: Locator, result: string): Promise<void> {
		await panel.getByTestId('node-execute-button').click();
		await panel.getByTestId('ndv-data-container').getByText(result).first().waitFor();
	}

	/** The API's own response. */
	async function read<T>(path: string): Promise<T> {
		const { sandbox } = editor;
		const answer = await fetch(sandbox.url + path, { headers: { 'x-api-key': sandbox.apiKey } });
		return (await answer.json()) as T;
	}

	type Page = { pageId: string; name: string; audiencesCount: number };
	type Audience = { audienceId: string; effectiveName: string };
	type List<T> = { items: T[] };

	test('finds the node by its purpose, picks a page and an audience, and changes it', async () => {
		const { page, sandbox, url } = editor;
		await page.goto(`${url}/workflow/new`);
		await page.getByTestId('canvas-add-button').click();
		await page.getByTestId('node-creator-search-bar').fill('landing page');
		await page.getByText('Page Audience', { exact: true }).first().click();
		await page.getByText(`Actions (${Object.keys(handlers).length})`).click();
		await editor.photograph('node-creator');
		await page.getByText('Update audience', { exact: true }).first().click();

		const panel = page.getByTestId('ndv');
		const pages = await read<List<Page>>('/v0/pages/search');
		const [owner] = pages.items.filter(({ audiencesCount }) => audiencesCount > 100);
		const audiences = await read<List<Audience>>(`/v0/pages/${owner.pageId}/audiences?limit=100`);
		const [audience] = audiences.items.slice(-1);
		await pick(panel, 'pageId', owner.name);
		await pick(panel, 'audienceId', audience.effectiveName);
		await panel.getByTestId('collection-parameter-add').first().click();
		await page.getByText('Custom Name', { exact: true }).last().click();
		await panel
			.getByTestId('parameter-input-customName')
			.locator('input')
			.fill('Picked in the editor');
		await execute(panel, 'Picked in the editor');
		await editor.photograph('audience-updated');
		expect(sandbox.requests.at(-1)).toMatchObject({
			method: 'PATCH',
			path: `/v0/pages/${owner.pageId}/audiences/${audience.audienceId}`,
			body: { customName: 'Picked in the editor' },
			status: 200,
		});
	});

	test('fills in the actions of a page', async () => {
		const { page, sandbox } = editor;
		const panel = await editor.openPanel('pageAudience', { resource: 'page', operation: 'update' });
		const [{ name, pageId }] = (await read<List<Page>>('/v0/pages/search')).items;
		await pick(panel, 'pageId', name);
		await panel.getByText('Add action', { exact: true }).click();
		const action = {
			actionType: 'open-url',
			buttonTitle: 'Book a demo',
			purpose: 'demo',
			url: 'https://example.com/demo',
		};
		for (const [parameter, value] of Object.entries(action)) {
			await panel.getByTestId(`parameter-input-${parameter}`).locator('input').first().fill(value);
		}
		await execute(panel, pageId);
		await editor.photograph('page-actions');
		expect(sandbox.requests.at(-1)).toMatchObject({
			method: 'PATCH',
			path: `/v0/pages/${pageId}`,
			body: { actions: [action] },
		});
		await page.getByTestId('ndv-close-button').click();
	});

	test('reads why a list is empty', async () => {
		const { page } = editor;
		const list = { resource: 'audience', operation: 'getVersions' };
		const panel = await editor.openPanel('pageAudience', list);
		const { items: pages } = await read<List<Page>>('/v0/pages/search');
		const [empty] = pages.filter(({ audiencesCount }) => audiencesCount === 0);
		const audiences = panel.getByTestId('resource-locator-audienceId').getByTestId('rlc-input');
		await audiences.click();
		await page.getByText('Choose a page first').waitFor();
		await page.keyboard.press('Escape');
		await pick(panel, 'pageId', empty.name);
		await audiences.click();
		await page.getByText('Create one in the service.').waitFor();
		await editor.photograph('empty-list');
	});
});
