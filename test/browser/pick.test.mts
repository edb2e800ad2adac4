import { resources } from '../../nodes/PageAudience/resources/index.ts';
import { openEditor } from './editor.mts';
import { addField, execute, fieldOf, locatorOf, pick, pickById } from './panel.mts';

describe('a builder without an API reference', () => {
	const editor = openEditor();

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
		const operations = resources.flatMap((resource) => resource.operations);
		await page.getByText(`Actions (${operations.length})`).click();
		await editor.photograph('node-creator');
		await page.getByText('Update audience', { exact: true }).first().click();

		const panel = page.getByTestId('ndv');
		const pages = await read<List<Page>>('/v0/pages/search');
		const [owner] = pages.items.filter(({ audiencesCount }) => audiencesCount > 100);
		const audiences = await read<List<Audience>>(`/v0/pages/${owner.pageId}/audiences?limit=100`);
		const [audience] = audiences.items.slice(-1);
		await pick(panel, 'pageId', owner.name);
		await pickById(panel, 'audienceId', audience.audienceId);
		await addField(panel, 'Custom Name');
		await fieldOf(panel, 'customName').fill('Picked in the editor');
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
		const update = { resource: 'page', operation: 'update' };
		const panel = await editor.openPanel('pageAudience', update, { name: 'Update page' });
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
			await fieldOf(panel, parameter).fill(value);
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
		const audiences = locatorOf(panel, 'audienceId');
		await audiences.click();
		await page.getByText('Choose a page first').waitFor();
		await page.keyboard.press('Escape');
		await pick(panel, 'pageId', empty.name);
		await audiences.click();
		await page.getByText('Create one in the service.').waitFor();
		await editor.photograph('empty-list');
	});
});
