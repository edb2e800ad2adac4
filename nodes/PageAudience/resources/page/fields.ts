import type { INodeProperties } from 'n8n-workflow';

/** Parameters that creating and updating a page share. */

export const inFields = {
	displayOptions: { show: { specifyBody: ['fields'] } },
} as const satisfies Pick<INodeProperties, 'displayOptions'>;

export const specifyBody = {
	displayName: 'Specify Body',
	name: 'specifyBody',
	type: 'options',
	default: 'fields',
	description: 'How to give the page',
	options: [
		{ name: 'Using Fields Below', value: 'fields', description: 'Fill in a form' },
		{
			name: 'Using JSON',
			value: 'json',
			description: 'Give the whole body, e.g. a page that came out of another node',
		},
	],
} as const satisfies INodeProperties;

export const jsonBody = {
	displayName: 'JSON',
	name: 'jsonBody',
	type: 'json',
	typeOptions: { rows: 10 },
	default: '{}',
	required: true,
	displayOptions: { show: { specifyBody: ['json'] } },
	description:
		'The body as the API takes it. Fields that only answers have, such as status, are left out.',
} as const satisfies INodeProperties;

export const brandId = {
	displayName: 'Brand ID',
	name: 'brandId',
	type: 'string',
	default: '',
	description: 'The brand of the page',
} as const satisfies INodeProperties;

export const brandNotice = {
	displayName:
		'The API cannot list brands: take the brand ID from another page or from the service.',
	name: 'brandNotice',
	type: 'notice',
	default: '',
	...inFields,
} as const satisfies INodeProperties;

export const headerActionId = {
	displayName: 'Header Action ID',
	name: 'headerActionId',
	type: 'string',
	default: '',
	description: 'The action shown in the header of the page',
} as const satisfies INodeProperties;

export const pageName = {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	default: '',
	placeholder: 'e.g. Spring campaign',
	description: 'The name of the page',
} as const satisfies INodeProperties;

export const pageContext = {
	displayName: 'Page Context',
	name: 'pageContext',
	type: 'string',
	typeOptions: { rows: 4 },
	default: '',
	description: 'What the page is about',
} as const satisfies INodeProperties;

export const pageType = {
	displayName: 'Page Type',
	name: 'pageType',
	type: 'options',
	default: 'inbound',
	description: 'What the page is for',
	options: [
		{ name: 'Call Follow-Up', value: 'call_followup' },
		{ name: 'Custom', value: 'custom' },
		{ name: 'Inbound', value: 'inbound' },
		{ name: 'Outbound', value: 'outbound' },
		{ name: 'Sales Deck', value: 'sales_deck' },
	],
} as const satisfies INodeProperties;
