import { openEditor, usualSize } from './editor.mts';
import { execute, fieldOf } from './panel.mts';

/** A log entry for each item. */
const logging = {
	resource: 'personLog',
	operation: 'create',
	source: 'crm',
	type: 'contact-updated',
	person: { email: '={{ $json.email }}' },
	payloadMode: 'inputItem',
};

describe('a list and two contacts', () => {
	const editor = openEditor();

	test('is read up to its limit, which says how many there are, and then whole', async () => {
		const { sandbox } = editor;
		const total = sandbox.store.persons.size;
		const panel = await editor.openPanel('pageAudience', {
			resource: 'person',
			operation: 'getAll',
		});
		await fieldOf(panel, 'limit').fill('7');
		await execute(panel, 'personId');
		await panel.getByText('7 items').first().waitFor();
		await panel.getByText(`The list has ${total} records in total.`).waitFor();
		await editor.photograph('list-with-limit');

		await panel.getByTestId('parameter-input-returnAll').locator('.el-switch').click();
		await panel.getByTestId('node-execute-button').click();
		await panel.getByText(`${total} items`).first().waitFor();
		await panel.getByText('records in total').waitFor({ state: 'hidden' });
		await editor.photograph('list-whole');
	});

	test('are logged without one that is invalid, whose error is on the second output', async () => {
		const { page, sandbox } = editor;
		const panel = await editor.openPanel('pageAudience', logging, {
			name: 'Page Audience',
			onError: 'continueErrorOutput',
			items: [
				{ name: 'Nora Lindgren', email: 'nora.lindgren@fjordfreight.example' },
				{ name: 'Tomás Ferreira', email: '' },
				{ name: 'Cem Aydın', email: 'cem.aydin@hafen.example' },
			],
		});
		await execute(panel, 'accountlog_');
		await panel.getByText(/^Error Branch/).click();
		await panel.getByTestId('radio-button-schema').last().click();
		const output = panel.getByTestId('ndv-data-container').last();
		await output.getByText('Tomás Ferreira').first().waitFor();
		await output.getByText('needs a Person ID').first().waitFor();
		await page.setViewportSize({ width: 1240, height: 660 });
		await editor.photograph('error-output', panel);
		await page.setViewportSize(usualSize);
		expect(sandbox.requests.slice(-2).map(({ body }) => body)).toMatchObject([
			{ email: 'nora.lindgren@fjordfreight.example' },
			{ email: 'cem.aydin@hafen.example' },
		]);
	});

	test('are created as people, and logged', async () => {
		const { sandbox } = editor;
		const items = [
			{ name: 'Nora Lindgren', email: 'nora.lindgren@fjordfreight.example', stage: 'won' },
			{ name: 'Cem Aydın', email: 'cem.aydin@hafen.example', stage: 'open' },
		];
		const person = await editor.openPanel(
			'pageAudience',
			{
				resource: 'person',
				operation: 'create',
				name: '={{ $json.name }}',
				additionalFields: { email: '={{ $json.email }}' },
			},
			{ items },
		);
		await execute(person, 'prospect_');
		await person.getByText('2 items').first().waitFor();
		await editor.photograph('contacts-created');
		expect(sandbox.requests.slice(-2).map(({ body }) => body)).toEqual(
			items.map(({ name, email }) => ({ name, email })),
		);

		const log = await editor.openPanel('pageAudience', logging, { items });
		await execute(log, 'accountlog_');
		await log.getByText('2 items').first().waitFor();
		await editor.photograph('contacts-logged');
		expect(sandbox.requests.slice(-2)).toMatchObject(
			items.map((item) => ({
				path: '/v0/person_logs',
				status: 201,
				body: { source: 'crm', email: item.email, payload: item },
			})),
		);
	});
});
