import type { INodeProperties } from 'n8n-workflow';
import { collectionField, textField } from '../../parameters/fields';

function textsField<const Name extends string>(entries: string, name: Name, button: string) {
	return {
		displayName: entries,
		name,
		type: 'string' as const,
		typeOptions: { multipleValues: true as const, multipleValueButtonText: button },
		default: [],
		description: `${entries} for search engines. Separate several with commas, semicolons or lines. An array from an expression keeps its commas.`,
	};
}

/** The fields of a page's `metadata` and an audience's `metadataOverride`. Image fields exist only in responses. */
const metadataFields = [
	textField('Author', 'author', 'Author of the page'),
	textField('Canonical URL', 'canonicalUrl', 'URL that search engines should list', {
		placeholder: 'e.g. https://example.com/page',
	}),
	textField('Description', 'description', 'Description for search engines'),
	textsField('Keywords', 'keywords', 'Add Keyword'),
	textField('OG Description', 'ogDescription', 'Description to show when the page is shared'),
	textField(
		'OG Image Alt Text',
		'ogImageAlt',
		'Describes the shared image to people who cannot see it',
	),
	textField('OG Site Name', 'ogSiteName', 'Site name to show when the page is shared'),
	textField('OG Title', 'ogTitle', 'Title to show when the page is shared'),
	textField('OG Type', 'ogType', 'Open Graph object type of the page', {
		placeholder: 'e.g. website',
	}),
	textField('OG URL', 'ogUrl', 'URL to use when the page is shared', {
		placeholder: 'e.g. https://example.com/page',
	}),
	{
		...textsField('Rules', 'robots', 'Add Rule'),
		displayName: 'Robots',
		description: 'Rules for search engines. Separate several with commas, semicolons or lines.',
		placeholder: 'e.g. index',
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
	...collectionField('Metadata', 'metadata', 'metadata'),
	description: 'Information about the page for search engines and social networks',
	options: metadataFields,
} as const satisfies INodeProperties;
