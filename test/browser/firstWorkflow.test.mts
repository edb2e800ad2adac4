import { type Execution, itemsOf } from '../../tools/n8n/execution.mts';
import { readLine } from '../unit/docs/pages.mts';
import { waitFor } from '../waitFor.mts';
import { openEditor, usualSize } from './editor.mts';
import { completeSubmissions, enterExpression, fieldOf, listed, locatorOf } from './panel.mts';

const trigger = 'Page Audience Polling Trigger';
const source = `$('${trigger}').item.json`;
const message = 'Message for Slack';
const errorMessage = 'Not logged';
const textsOf = (execution: Execution, node: string) =>
	itemsOf(execution, node).map(({ json }) => json.text);
const known = 'elena.brandt@hafenlogistik.example';
/** The email says nothing, and there is no phone number. */
const stranger = { name: 'Sam Unknown', email: 'noemail@example.com' };
const visitor = { name: 'Nora Lindgren', email: 'nora.lindgren@fjordfreight.example' };
const anotherVisitor = { name: 'Ada Berg', email: 'ada.berg@alpenspedition.example' };

const pictureSize = { width: 1120, height: 520 };

// n8n polls once a minute.
jest.setTimeout(600_000);

const editor = openEditor();

test('the first workflow of docs/get-started.md is built on an empty canvas, logs a submitted form, and then also posts a message', async () => {
	const { client, page, sandbox, url } = editor;
	const { store } = sandbox;
	completeSubmissions(store, known);
	const landingPage = store.pages.find(({ status }) => status === 'published');
	if (!landingPage) throw new Error('No page is published');
	const panel = page.getByTestId('ndv');
	const close = panel.getByTestId('ndv-close-button');
	const fetchButton = panel.getByTestId('node-execute-button');
	const output = panel.getByTestId('ndv-data-container');
	const search = page.getByTestId('node-creator-search-bar');
	const closePanel = async (): Promise<void> => {
		await close.click();
		await panel.waitFor({ state: 'hidden' });
		await page.getByTestId('zoom-to-fit').click();
	};

	const drag = async (source: string, name: string): Promise<void> => {
		const field = panel.getByTestId(`parameter-input-${name}`);
		const dragged = panel.getByTestId('ndv-input-panel').getByText(source).first();
		await dragged.hover();
		await page.mouse.down();
		// n8n needs more than one movement to notice that something is dragged.
		await field.hover();
		await field.hover({ position: { x: 40, y: 10 } });
		await page.mouse.up();
	};

	/** What a person does, from the open node to a finished setting: each click, drag and typed text is one step. */
	let steps = 0;
	const act = async (...all: Array<() => Promise<void>>): Promise<void> => {
		for (const each of all) {
			steps++;
			await each();
		}
	};

	/** A node in place of Slack. */
	const addMessage = async (output: string, name: string, text: string): Promise<void> => {
		const outputs = page.getByTestId('canvas-node-output-handle').filter({ hasText: output });
		await outputs.getByTestId('canvas-handle-plus').click();
		await search.fill('edit fields');
		await page.getByTestId('node-creator-item-name').getByText('Edit Fields').first().click();
		await panel.getByTestId('inline-edit-preview').click();
		await panel.getByTestId('inline-edit-input').fill(name);
		await page.keyboard.press('Enter');
		await panel.getByText('Add Field').click();
		await panel.getByTestId('assignment-name').locator('input').fill('text');
		await enterExpression(panel.getByTestId('assignment-value'), text);
	};

	await page.setViewportSize({ width: 1120, height: 740 });
	await page.goto(`${url}/workflow/new`);
	await page.getByTestId('canvas-add-button').click();
	await search.fill('page audience');
	await page.getByText('Page Audience Polling', { exact: true }).first().click();
	await page.getByText('On new form submission', { exact: true }).click();

	await act(
		() => locatorOf(panel, 'pageId').click(),
		() => listed(panel).filter({ hasText: landingPage.name }).first().click(),
	);
	// While the list is open, a click closes it and does nothing else.
	await listed(panel).first().waitFor({ state: 'hidden' });
	await fetchButton.click();
	await output.getByText(known).first().waitFor();
	await panel.getByTestId('radio-button-schema').last().click();
	await editor.photograph('polling-trigger', panel);
	await closePanel();

	await page.getByTestId('canvas-handle-plus').click();
	await search.fill('page audience');
	await page.getByText('Page Audience', { exact: true }).first().click();
	await page.getByText('Create person log entry', { exact: true }).click();
	await act(
		() => fieldOf(panel, 'source').fill('website-form'),
		() => fieldOf(panel, 'type').fill('form-submitted'),
	);
	await fieldOf(panel, 'type').blur();
	await act(() => drag('formSubmissionEmail', 'email'));
	await panel.getByText(known).nth(1).waitFor();
	await act(
		() => panel.getByTestId('collection-parameter-add').first().click(),
		() => page.getByText('Phone Number', { exact: true }).last().click(),
		() => drag('formSubmissionPhone', 'phoneNumber'),
	);
	// Until then, a click only ends the dragging.
	await panel.getByTestId('parameter-input-phoneNumber').getByText('formSubmissionPhone').waitFor();
	await closePanel();

	const publish = async (): Promise<void> => {
		await page.getByTestId('workflow-open-publish-modal-button').click();
		await page.getByTestId('workflow-publish-button').click();
	};
	await publish();
	await page.getByRole('button', { name: 'Got it' }).click();
	const id = /workflow\/(\w+)/.exec(page.url())?.[1] ?? '';
	const isPublished = async (): Promise<boolean> =>
		(await client.publicationStatus(id)).status === 'published';
	await waitFor('the publication', isPublished);

	const submit = async (...submissions: Array<typeof visitor>): Promise<void> => {
		await page.goto(sandbox.url);
		for (const { name, email } of submissions) {
			await page.getByLabel('Name').fill(name);
			await page.getByLabel('Email').fill(email);
			await page.locator('form button').click();
			await waitFor('the form', () =>
				store.sessions.all().some(({ formSubmissionEmail: sent }) => sent === email),
			);
		}
	};
	const findExecution = async (after = '0'): Promise<string> => {
		const find = async () =>
			(await client.listExecutions(id)).find(
				({ id: each, mode, status }) =>
					Number(each) > Number(after) && mode === 'trigger' && status === 'success',
			);
		return (await waitFor('the execution', find, 150_000)).id;
	};
	const logged = (): unknown[] => sandbox.requests.filter(({ method }) => method === 'POST');
	const logEntry = ({ email }: typeof visitor) => ({
		path: '/v0/person_logs',
		status: 201,
		body: { source: 'website-form', type: 'form-submitted', email },
	});
	await page.setViewportSize(pictureSize);
	await submit(visitor);
	await page.getByLabel('Name').fill(visitor.name);
	await page.getByLabel('Email').fill(visitor.email);
	await editor.photograph('form-to-log-1', page.locator('body'));
	const firstId = await findExecution();
	expect(logged()).toMatchObject([logEntry(visitor)]);
	const openExecution = async (execution: string): Promise<void> => {
		await page.goto(`${url}/workflow/${id}/executions/${execution}`);
		await page.getByTestId('canvas-node-status-success').nth(1).waitFor();
	};
	await openExecution(firstId);
	await editor.photograph('form-to-log-2', page.locator('body'));
	await page.goto(sandbox.url);
	await page.getByText('/v0/person_logs').first().click();
	await page.locator('#requests pre').getByText(visitor.email).waitFor();
	await editor.photograph('form-to-log-3', page.locator('body'));
	await page.setViewportSize(usualSize);

	await page.goto(`${url}/workflow/${id}`);
	await page.getByTestId('canvas-node').filter({ hasText: 'Create person log entry' }).dblclick();
	const toErrorOutput = page.getByText('Continue (using error output)', { exact: true });
	await act(
		() => panel.getByTestId('tab-settings').click(),
		() => panel.getByTestId('parameter-input-onError').first().click(),
		() => page.getByRole('option').filter({ has: toErrorOutput }).first().click(),
	);
	expect(steps).toBe(11);
	await closePanel();
	const slackText = `New form submission from {{ ${source}.formSubmissionEmail || ${source}.formSubmissionPhone }}`;
	const errorText =
		'Not logged: {{ $json.formSubmissionEmail || $json.formSubmissionPhone || $json.audienceSessionId }}. {{ $json.error }}';
	for (const text of [slackText, errorText]) expect(readLine('get-started.md')).toContain(text);
	for (const [output, name, text] of [
		['Success', message, slackText],
		['Error', errorMessage, errorText],
	]) {
		await addMessage(output, name, text);
		// The editor has no data of the execution, and says so once it has taken the expression.
		await page.getByText('nodes for preview').first().waitFor();
		await closePanel();
	}
	await publish();
	await page.getByTestId('workflow-publish-button').waitFor({ state: 'hidden' });
	await waitFor('the publication', isPublished);

	await submit(anotherVisitor, stranger);
	const executionId = await findExecution(firstId);
	const execution = await client.getExecution(executionId);
	const text = `New form submission from ${anotherVisitor.email}`;
	expect(textsOf(execution, message)).toEqual([text]);
	const reason =
		/^Not logged: noemail@example\.com\. Person .*"noemail@example\.com".* \[item 1\]$/;
	expect(textsOf(execution, errorMessage)).toEqual([expect.stringMatching(reason)]);
	expect(logged()).toMatchObject([logEntry(visitor), logEntry(anotherVisitor)]);

	await page.setViewportSize(pictureSize);
	await openExecution(executionId);
	await page.getByText('1 item').nth(1).waitFor();
	await editor.photograph('first-workflow', page.locator('body'));
	await page.getByTestId('canvas-node').filter({ hasText: message }).dblclick();
	await output.getByText(text).first().waitFor();
	await client.deactivate(id);
});
