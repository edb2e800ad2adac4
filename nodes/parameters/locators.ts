import { field, type More } from './fields';

/** A resource locator. It shows a list by default, so that nobody has to look for an ID. */
function locator<const Name extends string, const M extends More = object>(
	displayName: string,
	name: Name,
	description: string,
	{ placeholder, ...method }: { placeholder: string; searchListMethod: string },
	byId: { placeholder: string; hint?: string },
	more?: M,
) {
	const typeOptions = { ...method, searchable: true };
	const usual = { mode: 'list', value: '' } as const;
	return {
		...field(displayName, name, 'resourceLocator', usual, description, more),
		modes: [
			{ displayName: 'From List', name: 'list', type: 'list' as const, placeholder, typeOptions },
			{ displayName: 'By ID', name: 'id', type: 'string' as const, ...byId },
		],
	};
}

const hint = 'The ID, or a link or text that contains it';

export const accountId = locator(
	'Account',
	'accountId',
	'Choose the account from the list, or enter its ID. Account > Search returns it as accountId.',
	{ placeholder: 'Select an account…', searchListMethod: 'searchAccounts' },
	{ placeholder: 'e.g. account_0123456789abcdefghijklmnop', hint },
	{ required: true },
);

export const personId = locator(
	'Person ID',
	'personId',
	'Choose the person from the list, or enter the ID. Person > Search returns it as personId.',
	{ placeholder: 'Select a person…', searchListMethod: 'searchPersons' },
	{ placeholder: 'e.g. prospect_0123456789abcdefghijklmnop', hint },
);

export const optionalPageId = locator(
	'Page',
	'pageId',
	'Choose the page from the list, or enter its ID. Page > Search returns it as pageId.',
	{ placeholder: 'Select a page…', searchListMethod: 'searchPages' },
	{ placeholder: 'e.g. page_0123456789abcdefghijklmnop' },
);

export const pageId = { ...optionalPageId, required: true } as const;

/** The editor empties it when another page is chosen, and the list follows. */
const typeOptions = { loadOptionsDependsOn: ['pageId.value'] };

export const optionalAudienceId = locator(
	'Audience',
	'audienceId',
	'Choose an audience of the page from the list, or enter its ID. Audience > Get Many returns the ID as audienceId.',
	{ placeholder: 'Select an audience…', searchListMethod: 'searchAudiences' },
	{ placeholder: 'e.g. audience_0123456789abcdefghijklmnop' },
	{ typeOptions },
);

export const audienceId = { ...optionalAudienceId, required: true } as const;

export const audienceSessionId = locator(
	'Audience Session',
	'audienceSessionId',
	'Choose a session of the page from the list, or enter its ID. Audience Session > Get Many returns it as audienceSessionId.',
	{ placeholder: 'Select a session…', searchListMethod: 'searchSessions' },
	{ placeholder: 'e.g. audsession_0123456789abcdefghijklmnop' },
	{ typeOptions, required: true },
);

/** A page that only fills the list of another locator. A model, which has no lists, is not asked for it. */
export const pageOfList = { ...optionalPageId, displayOptions: { hide: { '@tool': [true] } } };

export const optionalSubscriptionId = locator(
	'Webhook Subscription',
	'subscriptionId',
	'Choose the subscription from the list, or enter its ID. Webhook Subscription > Get Many returns it as subscriptionId.',
	{ placeholder: 'Select a webhook subscription…', searchListMethod: 'searchSubscriptions' },
	{ placeholder: 'e.g. subscription_0123456789abcdefghijklmnop' },
);

export const subscriptionId = { ...optionalSubscriptionId, required: true } as const;
