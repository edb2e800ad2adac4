import { describeInBrowser, openEditor, type Editor } from './editor.mts';

/** An operation of every resource, with what a builder sees after adding the first fields. */
const panels: Array<[resource: string, operation: string, parameters: object, labels: string[]]> = [
	[
		'personLog',
		'create',
		{ person: { email: '' } },
		['Source', 'Person', 'Payload', 'Idempotency Key'],
	],
	['person', 'create', { additionalFields: { email: '' } }, ['Name', 'Additional Fields']],
	[
		'account',
		'getActivity',
		{ filters: { includeDeleted: '' } },
		['Account', 'Return All', 'Simplify'],
	],
	[
		'page',
		'create',
		{ actions: { action: [{}] } },
		['Name', 'Brand ID', 'Actions', 'Footer Links', 'Metadata'],
	],
	['page', 'update', { updateFields: { name: '' } }, ['Page', 'Update Fields', 'Fields to Clear']],
	['audience', 'getVersions', {}, ['Page', 'Audience', 'The API cannot create audiences']],
	['audienceSession', 'getAll', { filters: { startDate: '' } }, ['Page', 'Start Date', 'Simplify']],
	[
		'pageLink',
		'update',
		{ updateFields: { target: { value: {} } } },
		['Page Link ID', 'Target Type', 'The API cannot list page links'],
	],
	[
		'webhookSubscription',
		'update',
		{ updateFields: { events: [] } },
		['Webhook Subscription', 'Events'],
	],
];

describeInBrowser('the panel', () => {
	let editor: Editor;
	beforeAll(async () => {
		editor = await openEditor();
	});
	afterAll(async () => await editor?.close());

	test.each(panels)(
		'of %s > %s shows what it needs',
		async (resource, operation, parameters, labels) => {
			const { client, credential } = editor;
			const { id } = await client.createWorkflow({
				name: `${resource} ${operation}`,
				nodes: [
					{
						id: 'node',
						name: 'Page Audience',
						type: 'n8n-nodes-page-audience.pageAudience',
						typeVersion: 1,
						position: [0, 0],
						parameters: { resource, operation, ...parameters },
						credentials: { pageAudienceApi: credential },
					},
				],
				connections: {},
			});
			const panel = await editor.openNode(id, 'node');
			for (const label of labels)
				await panel.getByText(label).locator('visible=true').first().waitFor();
			await editor.photograph(`panel-${resource}-${operation}`);
		},
	);

	test('of the trigger says what testing does', async () => {
		const { client, credential } = editor;
		const { id } = await client.createWorkflow({
			name: 'Trigger',
			nodes: [
				{
					id: 'node',
					name: 'Page Audience Trigger',
					type: 'n8n-nodes-page-audience.pageAudienceTrigger',
					typeVersion: 1,
					position: [0, 0],
					parameters: { events: ['form.submitted'] },
					credentials: { pageAudienceApi: credential },
				},
			],
			connections: {},
		});
		const panel = await editor.openNode(id, 'node');
		for (const label of ['Webhook Subscription', 'Trigger On'])
			await panel.getByText(label).locator('visible=true').first().waitFor();
		await editor.photograph('panel-trigger');
	});
});
