import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { ListSettings, Scenario } from './scenario.mts';
import { listRecords, makeId } from './service.mts';
import { fill, type Filling } from './texts.mts';

/** An input item: items of one number are equal. */
export interface ItemChoice {
	number: number;
	/** What makes the item one that must not be sent; a list takes every flaw for one. */
	flaw: 'none' | 'empty' | 'blank' | 'invalid';
	/** Makes the texts of a write long, or another script. */
	filling?: Filling;
}

/** What an item asks for. */
export interface Wanted {
	method: string;
	path: string;
	/** Without its idempotency key. */
	body?: object;
	/** The key that a person gave. */
	key?: string;
}

export interface Operation {
	/** @param end what its texts end with: a JavaScript expression */
	parameters: (end?: string) => INodeParameters;
	/** The json of an input item. */
	json(item: ItemChoice, list: ListSettings): IDataObject;
	/** The label of the parameter that the flaw is in; undefined where nothing is wrong. */
	names(item: ItemChoice, list: ListSettings): string | undefined;
	wanted(item: ItemChoice): Wanted;
}

export interface WriteOperation extends Operation {
	/**
	 * What sending it twice does: nothing more than once ('repeatable'), the same as a key tells ('keyed'), or the work
	 * again ('unrepeatable').
	 */
	kind: 'repeatable' | 'keyed' | 'unrepeatable';
	/** How the key is made, where there is one. */
	keys?: 'auto' | 'content' | 'custom';
	/** The field that identifies the record. */
	id: string;
}

export interface ListOperation extends Operation {
	/** Records of the service, in its order, of which the item wants the first so many. */
	records(item: ItemChoice, scenario: Scenario): Array<Record<string, unknown>>;
	/** Whether it can go on to a next page. */
	pages: boolean;
}

const blanks = { none: '', empty: '', blank: '  ', invalid: '' };

/** A text that is good, missing, blank or too long. */
const text = (good: string, { flaw }: ItemChoice): string =>
	({ ...blanks, none: good, invalid: 'x'.repeat(256) })[flaw];

/** An ID that is good, missing, blank, or leads elsewhere. */
const id = (good: string, { flaw }: ItemChoice): string =>
	({ ...blanks, none: good, invalid: '..' })[flaw];

/** As long as its filling is. */
const textOf = (word: string, { number, filling }: ItemChoice): string =>
	filling ? `${word} ${number} ${fill(filling)}.` : `${word} ${number}`;

/** As long as a name may be with its end. */
const nameOf = (word: string, item: ItemChoice): string => {
	const characters = [...textOf(word, item)];
	return characters.length > 180 ? `${characters.slice(0, 180).join('')}.` : characters.join('');
};

/** An item's text with the end, unless it is blank. */
const ended = (field: string, end?: string): string =>
	end ? `={{ $json.${field} + ($json.${field}.trim() && ${end}) }}` : `={{ $json.${field} }}`;

const named =
	(label: string) =>
	({ flaw }: ItemChoice): string | undefined =>
		flaw === 'none' ? undefined : label;

function logWith(idempotency: 'auto' | 'content' | 'custom' | 'none'): WriteOperation {
	// Equal items share a key. The node refuses others that do.
	const keyOf = ({ number, filling }: ItemChoice) =>
		`key-${number}-${filling?.size ?? 0}-${filling?.kind ?? 'plain'}`;
	return {
		kind: idempotency === 'none' ? 'unrepeatable' : 'keyed',
		keys: idempotency === 'none' ? undefined : idempotency,
		id: 'personLogId',
		parameters: (end) => ({
			resource: 'personLog',
			operation: 'create',
			source: 'crm',
			type: '={{ $json.type }}',
			person: {
				email: end ? `={{ $json.email.replace("@", ${end} + "@") }}` : '={{ $json.email }}',
			},
			payloadMode: 'json',
			payload: `={{ { number: $json.number, text: $json.text + (${end ?? '""'}) } }}`,
			idempotency,
			...(idempotency === 'custom' && { idempotencyKey: '={{ $json.key }}' }),
		}),
		json: (item) => ({
			number: item.number,
			text: textOf('Text', item),
			type: item.flaw === 'invalid' ? 'Not Kebab!' : 'contact',
			email: text(`person.${item.number}@mail.example`, { ...item, flaw: personFlaw(item) }),
			key: keyOf(item),
		}),
		names: (item) => named(item.flaw === 'invalid' ? 'Type' : 'Person')(item),
		wanted: (item) => ({
			method: 'POST',
			path: '/v0/person_logs',
			body: {
				source: 'crm',
				type: 'contact',
				payload: { number: item.number, text: textOf('Text', item) },
				email: `person.${item.number}@mail.example`,
			},
			key: idempotency === 'custom' ? keyOf(item) : undefined,
		}),
	};
}

/** The invalid item of a log has a good person. */
const personFlaw = ({ flaw }: ItemChoice): ItemChoice['flaw'] =>
	flaw === 'invalid' ? 'none' : flaw;

function audienceOperation(operation: 'archive' | 'restore'): WriteOperation {
	const audienceOf = ({ number }: ItemChoice) => makeId('audience', number);
	const page = makeId('page', 1);
	return {
		kind: 'repeatable',
		id: 'audienceId',
		parameters: () => ({
			resource: 'audience',
			operation,
			pageId: page,
			audienceId: '={{ $json.audience }}',
			simplify: false,
		}),
		json: (item) => ({ audience: id(audienceOf(item), item) }),
		names: named('Audience'),
		wanted: (item) => {
			const path = `/v0/pages/${page}/audiences/${audienceOf(item)}`;
			return operation === 'archive'
				? { method: 'DELETE', path }
				: { method: 'POST', path: `${path}/restore`, body: {} };
		},
	};
}

const pageAction = {
	purpose: 'Book',
	buttonTitle: 'Book',
	actionType: 'link',
	url: 'https://x.example',
};

export const writes = {
	'person.create': {
		kind: 'unrepeatable',
		id: 'personId',
		parameters: (end) => ({
			resource: 'person',
			operation: 'create',
			name: ended('name', end),
			additionalFields: { domain: 'mail.example' },
		}),
		json: (item) => ({ name: text(nameOf('Person', item), item) }),
		names: named('Name'),
		wanted: (item) => ({
			method: 'POST',
			path: '/v0/persons',
			body: { name: nameOf('Person', item), domain: 'mail.example' },
		}),
	},
	'personLog.create, key auto': logWith('auto'),
	'personLog.create, key content': logWith('content'),
	'personLog.create, key custom': logWith('custom'),
	'personLog.create, key none': logWith('none'),
	'account.create': {
		kind: 'unrepeatable',
		id: 'accountId',
		parameters: (end) => ({
			resource: 'account',
			operation: 'create',
			domain: '={{ $json.domain }}',
			additionalFields: { name: ended('name', end) },
		}),
		json: (item) => ({
			domain: text(`company-${item.number}.example`, { ...item, flaw: personFlaw(item) }),
			name: text(nameOf('Company', item), {
				...item,
				flaw: item.flaw === 'invalid' ? 'invalid' : 'none',
			}),
		}),
		names: (item) => named(item.flaw === 'invalid' ? 'Name' : 'Domain')(item),
		wanted: (item) => ({
			method: 'POST',
			path: '/v0/accounts',
			body: { domain: `company-${item.number}.example`, name: nameOf('Company', item) },
		}),
	},
	'page.create': {
		kind: 'unrepeatable',
		id: 'pageId',
		parameters: (end) => ({
			resource: 'page',
			operation: 'create',
			name: '={{ $json.name }}',
			brandId: 'brand',
			pageContext: 'For customers',
			actions: { action: [{ ...pageAction, actionId: '' }] },
			metadata: { title: ended('title', end) },
			simplify: false,
		}),
		json: (item) => ({
			// A name has no limit.
			name: text(`Page ${item.number}`, item).replace(/^x+$/, ''),
			title: textOf('Title', item),
		}),
		names: named('Name'),
		wanted: (item) => ({
			method: 'POST',
			path: '/v0/pages',
			body: {
				name: `Page ${item.number}`,
				brandId: 'brand',
				pageContext: 'For customers',
				pageType: 'inbound',
				actions: [pageAction],
				actionCardWidgets: [],
				scripts: [],
				metadata: { title: textOf('Title', item) },
			},
		}),
	},
	'account.update': {
		kind: 'repeatable',
		id: 'accountId',
		parameters: (end) => ({
			resource: 'account',
			operation: 'update',
			accountId: '={{ $json.account }}',
			name: ended('name', end),
		}),
		json: (item) => ({
			// Two numbers are about the same account.
			account: makeId('account', item.number % 2),
			name: text(nameOf('Company', item), item),
		}),
		names: named('Name'),
		wanted: (item) => ({
			method: 'PATCH',
			path: `/v0/accounts/${makeId('account', item.number % 2)}`,
			body: { name: nameOf('Company', item) },
		}),
	},
	'audience.archive': audienceOperation('archive'),
	'audience.restore': audienceOperation('restore'),
} satisfies Record<string, WriteOperation>;

/** The limit of an item that has none because the whole list is wanted is no flaw. */
const namedLimit = ({ flaw }: ItemChoice, { returnAll }: ListSettings): string | undefined =>
	flaw === 'none' || returnAll ? undefined : 'Limit';

const limitOf = ({ flaw, number }: ItemChoice, { limit }: ListSettings): number =>
	flaw === 'none' ? limit + number : 0;

export const lists = {
	'person.getAll': {
		parameters: () => ({ resource: 'person', operation: 'getAll', limit: '={{ $json.limit }}' }),
		json: (item, list) => ({ limit: limitOf(item, list) }),
		names: namedLimit,
		wanted: () => ({ method: 'GET', path: '/v0/persons' }),
		records: (_, { service }) => listRecords('person', 0, service),
		pages: true,
	},
	'audience.getAll': {
		parameters: () => ({
			resource: 'audience',
			operation: 'getAll',
			pageId: '={{ $json.page }}',
			limit: '={{ $json.limit }}',
			simplify: false,
		}),
		json: (item, list) => ({ page: makeId('page', item.number), limit: limitOf(item, list) }),
		names: namedLimit,
		wanted: ({ number }) => ({
			method: 'GET',
			path: `/v0/pages/${makeId('page', number)}/audiences`,
		}),
		records: ({ number }, { service }) => listRecords('audience', number, service),
		pages: true,
	},
	'account.getActivity': {
		parameters: () => ({
			resource: 'account',
			operation: 'getActivity',
			accountId: '={{ $json.account }}',
			limit: '={{ $json.limit }}',
			simplify: false,
		}),
		json: (item, list) => ({ account: makeId('account', item.number), limit: limitOf(item, list) }),
		names: namedLimit,
		wanted: ({ number }) => ({
			method: 'GET',
			path: `/v0/accounts/${makeId('account', number)}/activity`,
		}),
		records: ({ number }, { service }) => listRecords('activity', number, service),
		pages: true,
	},
	'page.search': {
		parameters: () => ({
			resource: 'page',
			operation: 'search',
			query: 'spring',
			limit: '={{ $json.limit }}',
		}),
		json: (item, list) => ({ limit: limitOf(item, list) }),
		names: ({ flaw }) => (flaw === 'none' ? undefined : 'Limit'),
		wanted: () => ({ method: 'GET', path: '/v0/pages/search' }),
		// The endpoint has no second page: what the service leaves out cannot be read.
		records: (_, { service }) => listRecords('page', 0, service).slice(0, service.list.maximum),
		pages: false,
	},
} satisfies Record<string, ListOperation>;

export type WriteName = keyof typeof writes;
export type ListName = keyof typeof lists;

export function isWriteName(name: string): name is WriteName {
	return name in writes;
}

export function findOperation(name: WriteName | ListName): Operation {
	return isWriteName(name) ? writes[name] : lists[name];
}
