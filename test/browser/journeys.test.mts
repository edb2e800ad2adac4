import { waitFor } from '../waitFor.mts';
import { openEditor } from './editor.mts';
import { choose, execute, fieldOf, listed, locatorOf, pick, pickById } from './panel.mts';

describe('a person who has never seen the API', () => {
	const editor = openEditor();

	const pagesWith = (audiences: (count: number) => boolean) =>
		[...editor.sandbox.store.pages].filter(({ pageId }) =>
			audiences(editor.sandbox.store.audiences.of(pageId).length),
		);

	test('opens every resource with an operation that changes nothing, where it has one', async () => {
		const panel = await editor.openPanel('pageAudience', {});
		const operation = fieldOf(panel, 'operation');
		for (const [resource, first] of [
			['Audience', 'Get Many'],
			['Audience Session', 'Get Many'],
			['Page', 'Search'],
			['Webhook Subscription', 'Get Many'],
		]) {
			await choose(panel, 'resource', resource);
			await waitFor(
				`${first} of ${resource}`,
				async () => (await operation.inputValue()) === first,
			);
		}
	});

	test('picks a page and an audience, changes the page, and picks one of its audiences', async () => {
		const { sandbox } = editor;
		const [large] = pagesWith((count) => count > 100);
		const small = pagesWith((count) => count > 0 && count < 20).find(
			({ name }) => name !== large.name,
		);
		if (!small) throw new Error('There is no second page with audiences');
		const panel = await editor.openPanel('pageAudience', {
			resource: 'audience',
			operation: 'restore',
		});
		await pick(panel, 'pageId', large.name);
		const name = await pick(panel, 'audienceId', '', 'audience_');
		expect(name).not.toMatch(/published|draft/);
		await pick(panel, 'pageId', small.name);
		const audienceInput = locatorOf(panel, 'audienceId');
		await waitFor('an empty audience', async () => (await audienceInput.inputValue()) === '');
		await editor.photograph('page-changed');
		const [audience] = sandbox.store.audiences.of(small.pageId);
		await pickById(panel, 'audienceId', audience.audienceId);
		await execute(panel, audience.audienceId);
		expect(sandbox.requests.at(-1)).toMatchObject({
			path: `/v0/pages/${small.pageId}/audiences/${audience.audienceId}/restore`,
			status: 200,
		});
	});

	test("picks a session from the page's latest", async () => {
		const { sandbox } = editor;
		const visited = [...sandbox.store.pages].find(
			({ pageId }) => sandbox.store.sessions.of(pageId).length > 1,
		);
		if (!visited) throw new Error('No page has sessions');
		const panel = await editor.openPanel('pageAudience', {
			resource: 'audienceSession',
			operation: 'getInteractions',
			options: { keepEmpty: true },
		});
		await pick(panel, 'pageId', visited.name);
		await locatorOf(panel, 'audienceSessionId').click();
		await listed(panel).first().waitFor();
		await editor.photograph('sessions');
		await editor.page.keyboard.press('Escape');
		const session = await pick(panel, 'audienceSessionId', '', '@');
		expect(session).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d \(.+@.+\)/);
		await execute(panel, 'audienceSessionId');
		expect(sandbox.requests.at(-1)).toMatchObject({ status: 200, query: {} });
	});

	test("picks the target of a page link from a page's audiences", async () => {
		const { sandbox } = editor;
		const [{ name, pageId }] = pagesWith((count) => count > 0 && count < 20);
		const [{ pageLinkId }] = [...sandbox.store.pageLinks];
		const panel = await editor.openPanel('pageAudience', {
			resource: 'pageLink',
			operation: 'update',
			pageLinkId,
			updateFields: {
				target: {
					value: { targetType: 'audience', audienceId: { __rl: true, mode: 'list', value: '' } },
				},
			},
		});
		await pick(panel, 'pageId', name);
		const [{ audienceId }] = sandbox.store.audiences.of(pageId);
		await pickById(panel, 'audienceId', audienceId);
		await execute(panel, pageLinkId);
		await editor.photograph('page-link-target');
		expect(sandbox.requests.at(-1)).toMatchObject({
			path: `/v0/page_links/${pageLinkId}`,
			body: { target: { targetType: 'audience', audienceId } },
			status: 200,
		});
	});

	test('sees that a list replaces the whole list of the page, and that a log needs a person', async () => {
		const update = await editor.openPanel('pageAudience', {
			resource: 'page',
			operation: 'update',
		});
		const notice = update.getByText('The actions below may replace all actions of the page.');
		await update.getByText('Add action', { exact: true }).click();
		await notice.locator('visible=true').first().waitFor();
		expect(await notice.count()).toBe(1);
		await editor.photograph('list-notice');

		const log = await editor.openPanel('pageAudience', {
			resource: 'personLog',
			operation: 'create',
			source: 'crm',
			person: { email: '' },
		});
		const warning = log.getByText('the entry is not linked to anyone');
		await warning.waitFor();
		await editor.photograph('log-without-person');
		await fieldOf(log, 'email').fill('ann.example');
		await warning.waitFor({ state: 'hidden' });
		await execute(log, 'personLogId');
		expect(editor.sandbox.requests.at(-1)).toMatchObject({
			body: { type: 'webhook', email: 'ann.example' },
		});
	});

	test('reads what is wrong and what to do', async () => {
		const { sandbox } = editor;
		const [{ name }] = pagesWith(() => true);
		const panel = await editor.openPanel('pageAudience', {
			resource: 'audienceSession',
			operation: 'getAll',
			filters: { startDate: '2026-02-01', endDate: '2026-01-01' },
		});
		await pick(panel, 'pageId', name);
		const sent = sandbox.requests.length;
		await panel.getByTestId('node-execute-button').click();
		await panel.getByText('must be before End Date').first().waitFor();
		await editor.photograph('backwards');
		expect(sandbox.requests).toHaveLength(sent);

		const missing = await editor.openPanel('pageAudience', {
			resource: 'audience',
			operation: 'getAll',
			pageId: { __rl: true, mode: 'id', value: 'page_gone' },
		});
		await missing.getByTestId('node-execute-button').click();
		await missing.getByText('Page "page_gone" was not found (404)').first().waitFor();
		await editor.photograph('not-found');

		const url = await editor.openPanel('pageAudience', {
			resource: 'audience',
			operation: 'getAll',
			pageId: { __rl: true, mode: 'id', value: 'https://app.example.com/pages/1' },
		});
		await url.getByTestId('node-execute-button').click();
		await url
			.getByText('Page must be an ID (choose From List to find it), but is the URL')
			.first()
			.waitFor();
		await editor.photograph('pasted-url');
	});
});
