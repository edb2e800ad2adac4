import type { INodeProperties } from 'n8n-workflow';

/** Resource locators. They show a list by default, so that nobody has to look for an ID. */

const shared = {
	modes: [
		{ displayName: 'From List', name: 'list', type: 'list' },
		{ displayName: 'By ID', name: 'id', type: 'string' },
	],
} as const satisfies Pick<INodeProperties, 'modes'>;
const [fromList, byId] = shared.modes;
const byIdInText = { ...byId, hint: 'The ID, or a link or text that contains it' } as const;

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
			...fromList,
			placeholder: 'Select an account…',
			typeOptions: { searchListMethod: 'searchAccounts', searchable: true },
		},
		{ ...byIdInText, placeholder: 'e.g. account_0123456789abcdefghijklmnop' },
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
			...fromList,
			placeholder: 'Select a person…',
			typeOptions: { searchListMethod: 'searchPersons', searchable: true },
		},
		{ ...byIdInText, placeholder: 'e.g. prospect_0123456789abcdefghijklmnop' },
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
			...fromList,
			placeholder: 'Select a page…',
			typeOptions: { searchListMethod: 'searchPages', searchable: true },
		},
		{ ...byId, placeholder: 'e.g. page_0123456789abcdefghijklmnop' },
	],
} as const satisfies INodeProperties;

export const audienceId = {
	displayName: 'Audience',
	name: 'audienceId',
	type: 'resourceLocator',
	// The editor empties it when another page is chosen, and the list follows.
	typeOptions: { loadOptionsDependsOn: ['pageId.value'] },
	default: { mode: 'list', value: '' },
	required: true,
	description:
		'Choose an audience of the page from the list, or enter its ID. Audience > Get Many returns the ID as audienceId.',
	modes: [
		{
			...fromList,
			placeholder: 'Select an audience…',
			typeOptions: { searchListMethod: 'searchAudiences', searchable: true },
		},
		{ ...byId, placeholder: 'e.g. audience_0123456789abcdefghijklmnop' },
	],
} as const satisfies INodeProperties;

export const audienceSessionId = {
	displayName: 'Audience Session',
	name: 'audienceSessionId',
	type: 'resourceLocator',
	typeOptions: { loadOptionsDependsOn: ['pageId.value'] },
	default: { mode: 'list', value: '' },
	required: true,
	description:
		'Choose a session of the page from the list, or enter its ID. Audience Session > Get Many returns it as audienceSessionId.',
	modes: [
		{
			...fromList,
			placeholder: 'Select a session…',
			typeOptions: { searchListMethod: 'searchSessions', searchable: true },
		},
		{ ...byId, placeholder: 'e.g. audsession_0123456789abcdefghijklmnop' },
	],
} as const satisfies INodeProperties;

/** A page that only fills the list of another locator. A model, which has no lists, is not asked for it. */
export const pageOfList = {
	...pageId,
	required: false,
	displayOptions: { hide: { '@tool': [true] } },
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
			...fromList,
			placeholder: 'Select a webhook subscription…',
			typeOptions: { searchListMethod: 'searchSubscriptions', searchable: true },
		},
		{ ...byId, placeholder: 'e.g. subscription_0123456789abcdefghijklmnop' },
	],
} as const satisfies INodeProperties;
