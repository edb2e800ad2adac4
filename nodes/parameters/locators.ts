import type { INodeProperties } from 'n8n-workflow';

/** The records that can be picked. `default` is a list, so that nobody has to look for an ID. */

export const accountId = {
	displayName: 'Account',
	name: 'accountId',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description:
		'The account to work on. Its ID (accountId) comes from Account > Search or Account > Create.',
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
			hint: 'The ID, or any link or text that holds it once',
		},
	],
} as const satisfies INodeProperties;

export const personId = {
	displayName: 'Person ID',
	name: 'personId',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	description:
		'The person, if the ID (personId) is known; Person > Search and Person > Get Many find it',
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
			hint: 'The ID, or any link or text that holds it once',
		},
	],
} as const satisfies INodeProperties;

export const pageId = {
	displayName: 'Page',
	name: 'pageId',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description: 'The page to work on. Its ID (pageId) comes from Page > Search or Page > Create.',
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
		'The audience to work on, which must be one of the page. Its ID (audienceId) comes from Audience > Get Many.',
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
		'The webhook subscription to work on. Its ID (subscriptionId) comes from Webhook Subscription > Get Many.',
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
