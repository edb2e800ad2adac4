import type { INodeProperties } from 'n8n-workflow';

/** The parts of a page that are lists, each filled in as rows. */

export const actions = {
	displayName: 'Actions',
	name: 'actions',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, sortable: true },
	placeholder: 'Add action',
	default: {},
	description: 'The buttons of the page',
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
					description: 'Only for an action that exists; leave it empty for a new one',
				},
				{
					displayName: 'Action Type',
					name: 'actionType',
					type: 'string',
					default: '',
					description: 'What the button does; the API does not document which values it accepts',
				},
				{
					displayName: 'Button Title',
					name: 'buttonTitle',
					type: 'string',
					default: '',
					placeholder: 'e.g. Book a demo',
					description: 'The text on the button',
				},
				{
					displayName: 'Purpose',
					name: 'purpose',
					type: 'string',
					default: '',
					description: 'What the action is for',
				},
				{
					displayName: 'URL',
					name: 'url',
					type: 'string',
					default: '',
					placeholder: 'e.g. https://example.com/demo',
					description: 'The address that the button opens',
				},
			],
		},
	],
} as const satisfies INodeProperties;

export const actionCardWidgets = {
	displayName: 'Action Card Widgets',
	name: 'actionCardWidgets',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, sortable: true },
	placeholder: 'Add widget',
	default: {},
	description: 'The widgets on the action card of the page',
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
					description: 'The kind of widget; the API does not document which values it accepts',
				},
				{
					displayName: 'Title',
					name: 'title',
					type: 'string',
					default: '',
					placeholder: 'e.g. Trusted by',
					description: 'The heading of the widget',
				},
				{
					displayName: 'Logos',
					name: 'logos',
					type: 'fixedCollection',
					typeOptions: { multipleValues: true, sortable: true },
					placeholder: 'Add logo',
					default: {},
					description: 'The logos that the widget shows',
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
									description: 'What the image shows, for people who do not see it',
								},
								{
									displayName: 'Image URL',
									name: 'url',
									type: 'string',
									default: '',
									placeholder: 'e.g. https://example.com/logo.png',
									description: 'The address of the image',
								},
								{
									displayName: 'File ID',
									name: 'fileId',
									type: 'string',
									default: '',
									description: 'The ID of the image file in the service',
								},
								{
									displayName: 'Asset ID',
									name: 'assetId',
									type: 'string',
									default: '',
									description: 'The ID of the image asset in the service',
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
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, sortable: true },
	placeholder: 'Add link group',
	default: {},
	description: 'The groups of links at the foot of the page',
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
					description: 'The ID of the group',
				},
				{
					displayName: 'Title',
					name: 'title',
					type: 'string',
					default: '',
					placeholder: 'e.g. Company',
					description: 'The heading of the group',
				},
				{
					displayName: 'Links',
					name: 'links',
					type: 'fixedCollection',
					typeOptions: { multipleValues: true, sortable: true },
					placeholder: 'Add link',
					default: {},
					description: 'The links of the group',
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
									description: 'The ID of the link',
								},
								{
									displayName: 'Text',
									name: 'text',
									type: 'string',
									default: '',
									placeholder: 'e.g. About us',
									description: 'The text of the link',
								},
								{
									displayName: 'URL',
									name: 'url',
									type: 'string',
									default: '',
									placeholder: 'e.g. https://example.com/about',
									description: 'The address that the link opens',
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
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, sortable: true },
	placeholder: 'Add script',
	default: {},
	description: 'The scripts that run on the page',
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
					description: 'The script itself',
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
					description: 'Where in the page the script is put',
				},
				{
					displayName: 'Name',
					name: 'name',
					type: 'string',
					default: '',
					placeholder: 'e.g. Analytics',
					description: 'The name of the script',
				},
			],
		},
	],
} as const satisfies INodeProperties;
