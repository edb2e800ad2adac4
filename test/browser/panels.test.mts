import type { Locator } from 'playwright-core';
import { openEditor } from './editor.mts';

/** An operation of every resource, and labels that its panel shows after the first fields were added. */
const panels: Array<[resource: string, operation: string, parameters: object, labels: string[]]> = [
	[
		'personLog',
		'create',
		{ person: { email: '' } },
		['Source', 'Person', 'the entry is not linked to anyone', 'Payload', 'Idempotency Key'],
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
	[
		'page',
		'update',
		{ updateFields: { name: '' }, scripts: { script: [{}] } },
		[
			'Page',
			'Update Fields',
			'The scripts below may replace all scripts of the page.',
			'Fields to Clear',
		],
	],
	['audience', 'getVersions', {}, ['Page', 'Audience', 'Simplify']],
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

async function expectLabels(panel: Locator, labels: string[]): Promise<void> {
	for (const label of labels)
		await panel.getByText(label).locator('visible=true').first().waitFor();
}

describe('the panel', () => {
	const editor = openEditor();

	test.each(panels)(
		'of %s > %s shows the labels',
		async (resource, operation, parameters, labels) => {
			const panel = await editor.openPanel('pageAudience', { resource, operation, ...parameters });
			await expectLabels(panel, labels);
			await editor.photograph(`panel-${resource}-${operation}`);
		},
	);

	test('of the trigger shows the labels', async () => {
		const panel = await editor.openPanel('pageAudienceTrigger', { events: ['form.submitted'] });
		await expectLabels(panel, ['Webhook Subscription', 'Trigger On']);
		await editor.photograph('panel-trigger');
	});
});
