import type { INodeProperties } from 'n8n-workflow';
import { textField, toggleField } from '../../parameters/fields';
import type { ValuesOf } from '../../parameters/values';

/** The lists of a page, each entered as rows. */

/**
 * @param name of the list, as the API has it
 * @param row the label of a row, the name under which workflows store rows, the field that names one while it is closed,
 * and what its button adds
 */
function rows<
	const Name extends string,
	const Row extends string,
	const Fields extends INodeProperties[],
>(
	displayName: string,
	name: Name,
	description: string,
	[label, row, title, button = label.toLowerCase()]: [string, Row, Fields[number]['name'], string?],
	values: Fields,
) {
	return {
		displayName,
		name,
		type: 'fixedCollection',
		typeOptions: {
			multipleValues: true,
			sortable: true,
			fixedCollection: { itemTitle: `={{ $collection.item.value.${title} }}` },
		},
		default: {},
		placeholder: `Add ${button}`,
		description,
		options: [{ displayName: label, name: row, values }],
	} as const satisfies INodeProperties;
}

export const actions = rows(
	'Actions',
	'actions',
	'Buttons of the page',
	['Action', 'action', 'buttonTitle'],
	[
		textField(
			'Action ID',
			'actionId',
			'ID of an existing action. Fill in its other fields, too. Leave it empty to add a new action.',
		),
		textField(
			'Action Type',
			'actionType',
			'What the button does, e.g. link. Ask your service for other types.',
			{ placeholder: 'e.g. link' },
		),
		textField('Button Title', 'buttonTitle', 'Text on the button', {
			placeholder: 'e.g. Book a demo',
		}),
		textField('Purpose', 'purpose', 'What visitors use the button for', {
			placeholder: 'e.g. Get in touch',
		}),
		textField('URL', 'url', 'URL that the button opens', {
			placeholder: 'e.g. https://example.com/demo',
		}),
	],
);

const logos = rows(
	'Logos',
	'logos',
	'Logos to show in the widget',
	['Logo', 'logo', 'altText'],
	[
		textField('Alt Text', 'altText', 'Describes the image to people who cannot see it', {
			placeholder: 'e.g. Example Inc. logo',
		}),
		textField('Image URL', 'url', 'URL of the image', {
			placeholder: 'e.g. https://example.com/logo.png',
		}),
		textField('File ID', 'fileId', 'ID of the image file in the service'),
		textField('Asset ID', 'assetId', 'ID of the image asset in the service'),
	],
);

export const actionCardWidgets = rows(
	'Action Card Widgets',
	'actionCardWidgets',
	"Widgets on the page's action card",
	['Widget', 'widget', 'title'],
	[
		textField('Type', 'type', 'Type of widget', { placeholder: 'e.g. logo-wall' }),
		textField('Title', 'title', 'Heading of the widget', { placeholder: 'e.g. Trusted by' }),
		logos,
	],
);

const links = rows(
	'Links',
	'links',
	'Links in the group',
	['Link', 'link', 'text'],
	[
		textField('ID', 'id', 'ID of the link'),
		textField('Text', 'text', 'Text of the link', { placeholder: 'e.g. About us' }),
		textField('URL', 'url', 'URL that the link opens', {
			placeholder: 'e.g. https://example.com/about',
		}),
	],
);

export const footerLinks = rows(
	'Footer Links',
	'footerLinks',
	'Groups of links in the page footer',
	['Group', 'group', 'title', 'link group'],
	[
		textField('ID', 'id', 'ID of the group'),
		textField('Title', 'title', 'Heading of the group', { placeholder: 'e.g. Company' }),
		links,
	],
);

export const scripts = rows(
	'Scripts',
	'scripts',
	'Scripts that run on the page',
	['Script', 'script', 'name'],
	[
		textField('Content', 'content', 'Code of the script', {
			typeOptions: { rows: 4 },
			placeholder: 'e.g. console.log("hello")',
		}),
		textField('Description', 'description', 'What the script is for'),
		toggleField('Enabled', 'enabled', true, 'Whether the script runs'),
		textField(
			'Injection Point',
			'injectionPoint',
			'Where to insert the script, e.g. head. Ask your service for other places.',
			{ placeholder: 'e.g. head' },
		),
		textField('Name', 'name', 'Name of the script in the service', {
			placeholder: 'e.g. Analytics',
		}),
	],
);

type Parts = [typeof actions, typeof actionCardWidgets, typeof footerLinks, typeof scripts];

/**
 * The lists in the form of the API. Every field of a row is sent, an empty one as "",
 * because the API marks only `actionId` as optional.
 */
export function buildParts(parts: Partial<ValuesOf<Parts>>) {
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
