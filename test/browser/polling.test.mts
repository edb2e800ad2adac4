import type { AudienceSession } from '../../sandbox/index.mts';
import { openEditor, usualSize } from './editor.mts';
import { choose, completeSubmissions, execute, fieldOf, pick } from './panel.mts';

describe('the polling trigger', () => {
	const editor = openEditor();

	test('asks for what each event needs, and fetches real records', async () => {
		const { page, sandbox } = editor;
		const { store } = sandbox;
		const [{ pageId, name }] = store.pages.all();
		completeSubmissions(store, 'elena.brandt@hafenlogistik.example');
		const sessions = store.sessions.of(pageId);
		const findNewest = (among: readonly AudienceSession[]): AudienceSession | undefined =>
			among
				.toSorted((one, other) => one.sessionStartedAt.localeCompare(other.sessionStartedAt))
				.at(-1);
		const trigger = { name: 'Page Audience Polling Trigger' };
		const panel = await editor.openPanel('pageAudiencePollingTrigger', {}, trigger);
		await panel.getByText('Poll Times', { exact: true }).first().waitFor();
		expect(await fieldOf(panel, 'event').inputValue()).toBe('New Form Submission');
		await pick(panel, 'pageId', name);
		const submitted = findNewest(sessions.filter(({ hasFormSubmit }) => hasFormSubmit));
		await execute(panel, String(submitted?.audienceSessionId));
		await panel.getByTestId('radio-button-schema').last().click();
		await page.setViewportSize({ width: 1120, height: 700 });
		await editor.photograph('polling-trigger', panel);
		await page.setViewportSize(usualSize);

		await choose(panel, 'event', 'New Session');
		await execute(panel, String(findNewest(sessions)?.audienceSessionId));

		await page.getByTestId('ndv-close-button').click();
		await page.getByTestId('canvas-node').getByText('New Session').waitFor();
	});
});
