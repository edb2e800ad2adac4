import type { INodeProperties } from 'n8n-workflow';
import { textField } from '../../parameters/fields';
import type { ValueOf } from '../../parameters/values';

/** The lists of a page, each entered as rows. */

const rows = {
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, sortable: true },
	default: {},
} as const satisfies Partial<INodeProperties>;

export const actions = {
	displayName: 'Actions',
	name: 'actions',
	...rows,
	placeholder: 'Add action',
	description: 'Buttons of the page',
	options: [
		{
			displayName: 'Action',
			name: 'action',
			values: [
				textField(
					'Action ID',
					'actionId',
					'ID of an existing action. Fill in its other fields too: a blank field empties it. Leave the ID empty to add a new action.',
				),
				textField('Action Type', 'actionType', 'What the button does', {
					placeholder: 'e.g. link',
				}),
				textField('Button Title', 'buttonTitle', 'Text on the button', {
					placeholder: 'e.g. Book a demo',
				}),
				textField('Purpose', 'purpose', 'What visitors use the action for', {
					placeholder: 'e.g. Get in touch',
				}),
				textField('URL', 'url', 'URL that the button opens', {
					placeholder: 'e.g. https://example.com/demo',
				}),
			],
		},
	],
} as const satisfies INodeProperties;

export const actionCardWidgets = {
	displayName: 'Action Card Widgets',
	name: 'actionCardWidgets',
	...rows,
	placeholder: 'Add widget',
	description: "Widgets on the page's action card",
	options: [
		{
			displayName: 'Widget',
			name: 'widget',
			values: [
				textField('Type', 'type', 'Type of widget', { placeholder: 'e.g. logo-wall' }),
				textField('Title', 'title', 'Heading of the widget', { placeholder: 'e.g. Trusted by' }),
				{
					displayName: 'Logos',
					name: 'logos',
					...rows,
					placeholder: 'Add logo',
					description: 'Logos to show in the widget',
					options: [
						{
							displayName: 'Logo',
							name: 'logo',
							values: [
								textField(
									'Alt Text',
									'altText',
									'Describes the image to people who cannot see it',
									{ placeholder: 'e.g. Example Inc. logo' },
								),
								textField('Image URL', 'url', 'URL of the image', {
									placeholder: 'e.g. https://example.com/logo.png',
								}),
								textField('File ID', 'fileId', 'ID of the image file in the service'),
								textField('Asset ID', 'assetId', 'ID of the image asset in the service'),
							],
						},
					],
				},
			],
		},
	],
} as const satisfies INodeProperties;

export const footerLinks = {
	displayName: 'Footer Links',
	name: 'footerLinks',
	...rows,
	placeholder: 'Add link group',
	description: 'Groups of links in the page footer',
	options: [
		{
			displayName: 'Group',
			name: 'group',
			values: [
				textField('ID', 'id', 'ID of the group'),
				textField('Title', 'title', 'Heading of the group', { placeholder: 'e.g. Company' }),
				{
					displayName: 'Links',
					name: 'links',
					...rows,
					placeholder: 'Add link',
					description: 'Links in the group',
					options: [
						{
							displayName: 'Link',
							name: 'link',
							values: [
								textField('ID', 'id', 'ID of the link'),
								textField('Text', 'text', 'Text of the link', { placeholder: 'e.g. About us' }),
								textField('URL', 'url', 'URL that the link opens', {
									placeholder: 'e.g. https://example.com/about',
								}),
							],
						},
					],
				},
			],
		},
	],
} as const satisfies INodeProperties;

export const scripts = {
	displayName: 'Scripts',
	name: 'scripts',
	...rows,
	placeholder: 'Add script',
	description: 'Scripts that run on the page',
	options: [
		{
			displayName: 'Script',
			name: 'script',
			values: [
				textField('Content', 'content', 'Code of the script', {
					typeOptions: { rows: 4 },
					placeholder: 'e.g. console.log("hello")',
				}),
				textField('Description', 'description', 'What the script is for'),
				{
					displayName: 'Enabled',
					name: 'enabled',
					type: 'boolean',
					default: true,
					description: 'Whether the script runs',
				},
				textField('Injection Point', 'injectionPoint', 'Where to insert the script in the page', {
					placeholder: 'e.g. head',
				}),
				textField('Name', 'name', 'Name of the script in the service', {
					placeholder: 'e.g. Analytics',
				}),
			],
		},
	],
} as const satisfies INodeProperties;

interface PageParts {
	actions?: ValueOf<typeof actions>;
	actionCardWidgets?: ValueOf<typeof actionCardWidgets>;
	footerLinks?: ValueOf<typeof footerLinks>;
	scripts?: ValueOf<typeof scripts>;
}

/**
 * The lists in the form of the API. Every field of a row is sent, an empty one as "",
 * because the API marks only `actionId` as optional.
 */
export function buildParts(parts: PageParts) {
	return {
		actions: (parts.actions?.action ?? []).map(({ actionId, ...action }) =>
			actionId ? { actionId, ...action } : action,
		),
		actionCardWidgets: (parts.actionCardWidgets?.widget ?? []).map(({ logos, ...widget }) => ({
			...widget,
			logos: logos.logo.map((image) => ({ image })),
		})),
		footerLinks: (parts.footerLinks?.group ?? []).map(({ links, ...group }) => ({
			...group,
			links: links.link,
		})),
		scripts: parts.scripts?.script ?? [],
	};
}
