import type { INodeProperties } from 'n8n-workflow';

/** Resource locators. They show a list by default, so that nobody has to look for an ID. */

export const accountId = {
	displayName: 'Account',
	name: 'accountId',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description:
		'Choose the account from the list, or enter its ID. Account > Search returns it as accountId.',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select an account…',
			typeOptions: { searchListMethod: 'searchAccounts', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. account_0123456789abcdefghijklmnop',
			hint: 'The ID, or a link or text that contains it',
		},
	],
} as const satisfies INodeProperties;

export const personId = {
	displayName: 'Person ID',
	name: 'personId',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	description:
		'Choose the person from the list, or enter the ID. Person > Search returns it as personId.',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a person…',
			typeOptions: { searchListMethod: 'searchPersons', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. prospect_0123456789abcdefghijklmnop',
			hint: 'The ID, or a link or text that contains it',
		},
	],
} as const satisfies INodeProperties;

export const pageId = {
	displayName: 'Page',
	name: 'pageId',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description:
		'Choose the page from the list, or enter its ID. Page > Search returns it as pageId.',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a page…',
			typeOptions: { searchListMethod: 'searchPages', searchable: true },
		},
		{ displayName: 'By ID', name: 'id', type: 'string' },
	],
} as const satisfies INodeProperties;

export const audienceId = {
	displayName: 'Audience',
	name: 'audienceId',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description:
		'Choose an audience of the page from the list, or enter its ID. Audience > Get Many returns it as audienceId.',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select an audience…',
			typeOptions: { searchListMethod: 'searchAudiences', searchable: true },
		},
		{ displayName: 'By ID', name: 'id', type: 'string' },
	],
} as const satisfies INodeProperties;

export const subscriptionId = {
	displayName: 'Webhook Subscription',
	name: 'subscriptionId',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description:
		'Choose the subscription from the list, or enter its ID. Webhook Subscription > Get Many returns it as subscriptionId.',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a webhook subscription…',
			typeOptions: { searchListMethod: 'searchSubscriptions', searchable: true },
		},
		{ displayName: 'By ID', name: 'id', type: 'string' },
	],
} as const satisfies INodeProperties;
