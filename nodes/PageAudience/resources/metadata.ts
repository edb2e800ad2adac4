import type { INodeProperties } from 'n8n-workflow';

/** The fields of a page's `metadata` and an audience's `metadataOverride`. Image fields exist only in responses. */
const metadataFields = [
	{
		displayName: 'Author',
		name: 'author',
		type: 'string',
		default: '',
		description: 'Author of the page',
	},
	{
		displayName: 'Canonical URL',
		name: 'canonicalUrl',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://example.com/page',
		description: 'URL that search engines should list',
	},
	{
		displayName: 'Description',
		name: 'description',
		type: 'string',
		default: '',
		description: 'Description for search engines',
	},
	{
		displayName: 'Keywords',
		name: 'keywords',
		type: 'string',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Keyword' },
		default: [],
		description:
			'Keywords for search engines. Add them one by one, or several at once with commas between them. An expression can return a list: its entries keep their commas.',
	},
	{
		displayName: 'Open Graph Description',
		name: 'ogDescription',
		type: 'string',
		default: '',
		description: 'Description to show when the page is shared',
	},
	{
		displayName: 'Open Graph Image Alt Text',
		name: 'ogImageAlt',
		type: 'string',
		default: '',
		description: 'Describes the shared image to people who cannot see it',
	},
	{
		displayName: 'Open Graph Site Name',
		name: 'ogSiteName',
		type: 'string',
		default: '',
		description: 'Site name to show when the page is shared',
	},
	{
		displayName: 'Open Graph Title',
		name: 'ogTitle',
		type: 'string',
		default: '',
		description: 'Title to show when the page is shared',
	},
	{
		displayName: 'Open Graph Type',
		name: 'ogType',
		type: 'string',
		default: '',
		placeholder: 'e.g. website',
		description: 'Open Graph object type of the page',
	},
	{
		displayName: 'Open Graph URL',
		name: 'ogUrl',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://example.com/page',
		description: 'URL to use when the page is shared',
	},
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
	{
		displayName: 'Title',
		name: 'title',
		type: 'string',
		default: '',
		description: 'Title for browsers and search engines',
	},
	{
		displayName: 'Twitter Card',
		name: 'twitterCard',
		type: 'string',
		default: '',
		placeholder: 'e.g. summary',
		description: 'Type of card to show on Twitter',
	},
	{
		displayName: 'Twitter Creator',
		name: 'twitterCreator',
		type: 'string',
		default: '',
		placeholder: 'e.g. @example',
		description: 'Twitter account of the author',
	},
	{
		displayName: 'Twitter Description',
		name: 'twitterDescription',
		type: 'string',
		default: '',
		description: 'Description to show on Twitter',
	},
	{
		displayName: 'Twitter Image Alt Text',
		name: 'twitterImageAlt',
		type: 'string',
		default: '',
		description: 'Describes the image on Twitter to people who cannot see it',
	},
	{
		displayName: 'Twitter Site',
		name: 'twitterSite',
		type: 'string',
		default: '',
		placeholder: 'e.g. @example',
		description: 'Twitter account of the site',
	},
	{
		displayName: 'Twitter Title',
		name: 'twitterTitle',
		type: 'string',
		default: '',
		description: 'Title to show on Twitter',
	},
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
	displayName:
		'If you set one metadata field, set all that you want to keep: the service may replace the whole metadata.',
	name: 'metadataNotice',
	type: 'notice',
	default: '',
} as const satisfies INodeProperties;
