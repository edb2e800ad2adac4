import type { INodeProperties } from 'n8n-workflow';
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
				{
					displayName: 'Action ID',
					name: 'actionId',
					type: 'string',
					default: '',
					description:
						'ID of an existing action. Fill in its other fields too: a blank field empties it. Leave the ID empty to add a new action.',
				},
				{
					displayName: 'Action Type',
					name: 'actionType',
					type: 'string',
					default: '',
					placeholder: 'e.g. link',
					description: 'What the button does',
				},
				{
					displayName: 'Button Title',
					name: 'buttonTitle',
					type: 'string',
					default: '',
					placeholder: 'e.g. Book a demo',
					description: 'Text on the button',
				},
				{
					displayName: 'Purpose',
					name: 'purpose',
					type: 'string',
					default: '',
					placeholder: 'e.g. Get in touch',
					description: 'What visitors use the action for',
				},
				{
					displayName: 'URL',
					name: 'url',
					type: 'string',
					default: '',
					placeholder: 'e.g. https://example.com/demo',
					description: 'URL that the button opens',
				},
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
				{
					displayName: 'Type',
					name: 'type',
					type: 'string',
					default: '',
					placeholder: 'e.g. logo-wall',
					description: 'Type of widget',
				},
				{
					displayName: 'Title',
					name: 'title',
					type: 'string',
					default: '',
					placeholder: 'e.g. Trusted by',
					description: 'Heading of the widget',
				},
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
								{
									displayName: 'Alt Text',
									name: 'altText',
									type: 'string',
									default: '',
									placeholder: 'e.g. Example Inc. logo',
									description: 'Describes the image to people who cannot see it',
								},
								{
									displayName: 'Image URL',
									name: 'url',
									type: 'string',
									default: '',
									placeholder: 'e.g. https://example.com/logo.png',
									description: 'URL of the image',
								},
								{
									displayName: 'File ID',
									name: 'fileId',
									type: 'string',
									default: '',
									description: 'ID of the image file in the service',
								},
								{
									displayName: 'Asset ID',
									name: 'assetId',
									type: 'string',
									default: '',
									description: 'ID of the image asset in the service',
								},
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
				{
					displayName: 'ID',
					name: 'id',
					type: 'string',
					default: '',
					description: 'ID of the group',
				},
				{
					displayName: 'Title',
					name: 'title',
					type: 'string',
					default: '',
					placeholder: 'e.g. Company',
					description: 'Heading of the group',
				},
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
								{
									displayName: 'ID',
									name: 'id',
									type: 'string',
									default: '',
									description: 'ID of the link',
								},
								{
									displayName: 'Text',
									name: 'text',
									type: 'string',
									default: '',
									placeholder: 'e.g. About us',
									description: 'Text of the link',
								},
								{
									displayName: 'URL',
									name: 'url',
									type: 'string',
									default: '',
									placeholder: 'e.g. https://example.com/about',
									description: 'URL that the link opens',
								},
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
				{
					displayName: 'Content',
					name: 'content',
					type: 'string',
					typeOptions: { rows: 4 },
					default: '',
					placeholder: 'e.g. console.log("hello")',
					description: 'Code of the script',
				},
				{
					displayName: 'Description',
					name: 'description',
					type: 'string',
					default: '',
					description: 'What the script is for',
				},
				{
					displayName: 'Enabled',
					name: 'enabled',
					type: 'boolean',
					default: true,
					description: 'Whether the script runs',
				},
				{
					displayName: 'Injection Point',
					name: 'injectionPoint',
					type: 'string',
					default: '',
					placeholder: 'e.g. head',
					description: 'Where to insert the script in the page',
				},
				{
					displayName: 'Name',
					name: 'name',
					type: 'string',
					default: '',
					placeholder: 'e.g. Analytics',
					description: 'Name of the script in the service',
				},
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
