import type { INodeProperties } from 'n8n-workflow';

/** Resource locators. They show a list by default, so that nobody has to look for an ID. */

const shared = {
	modes: [
		{ displayName: 'From List', name: 'list', type: 'list' },
		{ displayName: 'By ID', name: 'id', type: 'string' },
	],
} as const satisfies Pick<INodeProperties, 'modes'>;

const locator = {
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
} as const satisfies Partial<INodeProperties>;

const idInText = 'The ID, or a link or text that contains it';

function fromListOrId(
	listPlaceholder: string,
	searchListMethod: string,
	placeholder: string,
	hint?: string,
) {
	const [fromList, byId] = shared.modes;
	const typeOptions = { searchListMethod, searchable: true };
	return [
		{ ...fromList, placeholder: listPlaceholder, typeOptions },
		{ ...byId, hint, placeholder },
	] satisfies INodeProperties['modes'];
}

export const accountId = {
	...locator,
	displayName: 'Account',
	name: 'accountId',
	required: true,
	description:
		'Choose the account from the list, or enter its ID. Account > Search returns it as accountId.',
	modes: fromListOrId(
		'Select an account…',
		'searchAccounts',
		'e.g. account_0123456789abcdefghijklmnop',
		idInText,
	),
} as const satisfies INodeProperties;

export const personId = {
	...locator,
	displayName: 'Person ID',
	name: 'personId',
	description:
		'Choose the person from the list, or enter the ID. Person > Search returns it as personId.',
	modes: fromListOrId(
		'Select a person…',
		'searchPersons',
		'e.g. prospect_0123456789abcdefghijklmnop',
		idInText,
	),
} as const satisfies INodeProperties;

export const optionalPageId = {
	...locator,
	displayName: 'Page',
	name: 'pageId',
	description:
		'Choose the page from the list, or enter its ID. Page > Search returns it as pageId.',
	modes: fromListOrId('Select a page…', 'searchPages', 'e.g. page_0123456789abcdefghijklmnop'),
} as const satisfies INodeProperties;

export const pageId = { ...optionalPageId, required: true } as const satisfies INodeProperties;

/** The editor empties it when another page is chosen, and the list follows. */
const dependsOnPage = { loadOptionsDependsOn: ['pageId.value'] };

export const optionalAudienceId = {
	...locator,
	displayName: 'Audience',
	name: 'audienceId',
	typeOptions: dependsOnPage,
	description:
		'Choose an audience of the page from the list, or enter its ID. Audience > Get Many returns the ID as audienceId.',
	modes: fromListOrId(
		'Select an audience…',
		'searchAudiences',
		'e.g. audience_0123456789abcdefghijklmnop',
	),
} as const satisfies INodeProperties;

export const audienceId = {
	...optionalAudienceId,
	required: true,
} as const satisfies INodeProperties;

export const audienceSessionId = {
	...locator,
	displayName: 'Audience Session',
	name: 'audienceSessionId',
	typeOptions: dependsOnPage,
	required: true,
	description:
		'Choose a session of the page from the list, or enter its ID. Audience Session > Get Many returns it as audienceSessionId.',
	modes: fromListOrId(
		'Select a session…',
		'searchSessions',
		'e.g. audsession_0123456789abcdefghijklmnop',
	),
} as const satisfies INodeProperties;

/** A page that only fills the list of another locator. A model, which has no lists, is not asked for it. */
export const pageOfList = {
	...optionalPageId,
	displayOptions: { hide: { '@tool': [true] } },
} as const satisfies INodeProperties;

export const optionalSubscriptionId = {
	...locator,
	displayName: 'Webhook Subscription',
	name: 'subscriptionId',
	description:
		'Choose the subscription from the list, or enter its ID. Webhook Subscription > Get Many returns it as subscriptionId.',
	modes: fromListOrId(
		'Select a webhook subscription…',
		'searchSubscriptions',
		'e.g. subscription_0123456789abcdefghijklmnop',
	),
} as const satisfies INodeProperties;

export const subscriptionId = {
	...optionalSubscriptionId,
	required: true,
} as const satisfies INodeProperties;
