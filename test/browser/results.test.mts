import { openEditor, usualSize } from './editor.mts';
import { execute } from './panel.mts';

const editor = openEditor();

test('the editor shows an invalid item with its error on the second output', async () => {
	const { page, sandbox } = editor;
	const items = [
		{ name: 'Nora Lindgren', email: 'nora.lindgren@fjordfreight.example' },
		{ name: 'Tomás Ferreira', email: '' },
		{ name: 'Cem Aydın', email: 'cem.aydin@hafen.example' },
	];
	const panel = await editor.openPanel(
		'pageAudience',
		{
			...{ resource: 'personLog', operation: 'create', source: 'crm', type: 'contact-updated' },
			person: { email: '={{ $json.email }}' },
		},
		{ name: 'Page Audience', items, settings: { onError: 'continueErrorOutput' } },
	);
	await execute(panel, 'accountlog_');
	await panel.getByText(/^Error Branch/).click();
	await panel.getByTestId('radio-button-schema').last().click();
	const output = panel.getByTestId('ndv-data-container').last();
	await output.getByText('Tomás Ferreira').first().waitFor();
	await output.getByText('needs an email').first().waitFor();
	await page.setViewportSize({ width: 1240, height: 660 });
	await editor.photograph('error-output', panel);
	await page.setViewportSize(usualSize);
	expect(sandbox.requests.slice(-2).map(({ body }) => body)).toMatchObject([
		{ email: items[0].email },
		{ email: items[2].email },
	]);
});
