import { openEditor } from './editor.mts';
import { choose, execute, fieldOf, locatorOf, pick } from './panel.mts';

describe('the polling trigger', () => {
	const editor = openEditor();

	test('asks for what each event needs, and fetches real records', async () => {
		const { page, sandbox } = editor;
		const { store } = sandbox;
		const [{ pageId, name }] = store.pages.all();
		const panel = await editor.openPanel('pageAudiencePollingTrigger', {});
		await panel.getByText('Poll Times', { exact: true }).first().waitFor();
		expect(await fieldOf(panel, 'event').inputValue()).toBe('Form Submission');
		await choose(panel, 'event', 'New Session');
		await pick(panel, 'pageId', name);
		const sessions = store.sessions.of(pageId);
		const started = sessions.map(({ sessionStartedAt }) => String(sessionStartedAt)).sort();
		const newest = sessions.find(({ sessionStartedAt }) => sessionStartedAt === started.at(-1));
		await execute(panel, String(newest?.audienceSessionId));
		await editor.photograph('polling-trigger-fetched');

		await choose(panel, 'event', 'Account Activity');
		await locatorOf(panel, 'pageId').waitFor({ state: 'hidden' });
		const [{ domain }] = store.accounts.all();
		await pick(panel, 'accountId', domain);
		await execute(panel, 'activityId');
		await editor.photograph('polling-trigger-account');

		await page.getByTestId('ndv-close-button').click();
		await page.getByTestId('canvas-node').getByText('Account Activity').waitFor();
	});
});
