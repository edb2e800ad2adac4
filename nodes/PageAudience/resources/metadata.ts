import type { INodeProperties } from 'n8n-workflow';
import { textField } from '../../parameters/fields';

/** The fields of a page's `metadata` and an audience's `metadataOverride`. Image fields exist only in responses. */
const metadataFields = [
	textField('Author', 'author', 'Author of the page'),
	textField('Canonical URL', 'canonicalUrl', 'URL that search engines should list', {
		placeholder: 'e.g. https://example.com/page',
	}),
	textField('Description', 'description', 'Description for search engines'),
	{
		displayName: 'Keywords',
		name: 'keywords',
		type: 'string',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Keyword' },
		default: [],
		description:
			'Keywords for search engines. Add them one by one, or several at once with commas between them. An expression can return a list: its entries keep their commas.',
	},
	textField(
		'Open Graph Description',
		'ogDescription',
		'Description to show when the page is shared',
	),
	textField(
		'Open Graph Image Alt Text',
		'ogImageAlt',
		'Describes the shared image to people who cannot see it',
	),
	textField('Open Graph Site Name', 'ogSiteName', 'Site name to show when the page is shared'),
	textField('Open Graph Title', 'ogTitle', 'Title to show when the page is shared'),
	textField('Open Graph Type', 'ogType', 'Open Graph object type of the page', {
		placeholder: 'e.g. website',
	}),
	textField('Open Graph URL', 'ogUrl', 'URL to use when the page is shared', {
		placeholder: 'e.g. https://example.com/page',
	}),
	{
		displayName: 'Robots',
		name: 'robots',
		type: 'string',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Rule' },
		default: [],
		placeholder: 'e.g. index',
		description:
			'Rules for search engines. Add them one by one, or several at once with commas between them. An expression can return a list: its entries keep their commas.',
	},
	{
		displayName: 'Theme Color',
		name: 'themeColor',
		type: 'color',
		default: '',
		description: 'Color of the browser window around the page',
	},
	textField('Title', 'title', 'Title for browsers and search engines'),
	textField('Twitter Card', 'twitterCard', 'Type of card to show on Twitter', {
		placeholder: 'e.g. summary',
	}),
	textField('Twitter Creator', 'twitterCreator', 'Twitter account of the author', {
		placeholder: 'e.g. @example',
	}),
	textField('Twitter Description', 'twitterDescription', 'Description to show on Twitter'),
	textField(
		'Twitter Image Alt Text',
		'twitterImageAlt',
		'Describes the image on Twitter to people who cannot see it',
	),
	textField('Twitter Site', 'twitterSite', 'Twitter account of the site', {
		placeholder: 'e.g. @example',
	}),
	textField('Twitter Title', 'twitterTitle', 'Title to show on Twitter'),
] as const satisfies INodeProperties[];

/** The metadata of a page. An audience has the same fields under another name. */
export const metadataParameter = {
	displayName: 'Metadata',
	name: 'metadata',
	type: 'collection',
	placeholder: 'Add field',
	default: {},
	description: 'Information about the page for search engines and social networks',
	options: metadataFields,
} as const satisfies INodeProperties;

/** For updates. n8n shows no hint below a collection. */
export const metadataNotice = {
	displayName: 'These fields may replace all metadata. Add every one you want to keep.',
	name: 'metadataNotice',
	type: 'notice',
	default: '',
} as const satisfies INodeProperties;
