import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { makeId, searched } from './fakeService.mts';
import { detectBy } from '../../groups.mts';

/** An input item: items of one number are equal. */
export interface ItemChoice {
	number: number;
	/** It must not be sent. */
	isFlawed: boolean;
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

interface Operation {
	/** @param end what texts end with: a piece of an expression, such as `+ "x"` */
	parameters(end: string): INodeParameters;
	/** The json of an input item. */
	json(item: ItemChoice): IDataObject;
	/** The label of the parameter that a flaw is in. */
	label: string;
	wanted(item: ItemChoice): Wanted;
}

export interface WriteOperation extends Operation {
	/**
	 * What sending it twice does: nothing more than once ('repeatable'), the same as its key tells ('keyed'), or the work
	 * again ('unrepeatable').
	 */
	kind: 'repeatable' | 'keyed' | 'unrepeatable';
	/** How the key is made, where there is one. */
	keys?: 'auto' | 'content' | 'custom';
	/** The field that identifies the record. */
	id: string;
}

interface ListOperation extends Operation {
	/** Whether it has a next page. */
	pages: boolean;
	query?: Record<string, string>;
}

/** The text of a field with the end, unless it is empty. */
const ended = (field: string, end: string): string =>
	`={{ $json.${field} && $json.${field} ${end} }}`;

function logWith(mode: 'auto' | 'content' | 'custom' | 'none'): WriteOperation {
	const keyOf = ({ number }: ItemChoice) => (mode === 'custom' ? `key-${number}` : undefined);
	const emailOf = ({ number }: ItemChoice) => `person.${number}@mail.example`;
	const textOf = ({ number }: ItemChoice) => `Text ${number}`;
	const own = mode === 'custom' ? '={{ $json.key }}' : undefined;
	return {
		kind: mode === 'none' ? 'unrepeatable' : 'keyed',
		keys: mode === 'none' ? undefined : mode,
		id: 'personLogId',
		label: 'Type',
		parameters: (end) => ({
			...{ resource: 'personLog', operation: 'create', source: 'crm', type: '={{ $json.type }}' },
			person: { email: `={{ $json.email.replace("@", "" ${end} + "@") }}` },
			payloadMode: 'json',
			payload: `={{ { text: $json.text ${end} } }}`,
			...(mode !== 'auto' && { options: detectBy(mode, own) }),
		}),
		json: (item) => ({
			...{ text: textOf(item), email: emailOf(item), key: keyOf(item) },
			type: item.isFlawed ? 'Not Kebab!' : 'contact',
		}),
		wanted: (item) => ({
			method: 'POST',
			path: '/v0/person_logs',
			body: {
				...{ source: 'crm', type: 'contact', payload: { text: textOf(item) } },
				email: emailOf(item),
			},
			key: keyOf(item),
		}),
	};
}

export const writes = {
	'person.create': {
		kind: 'unrepeatable',
		id: 'personId',
		label: 'Name',
		parameters: (end) => ({
			...{ resource: 'person', operation: 'create', name: ended('name', end) },
			additionalFields: { domain: 'mail.example' },
		}),
		json: ({ number, isFlawed }) => ({ name: isFlawed ? '' : `Person ${number}` }),
		wanted: ({ number }) => ({
			method: 'POST',
			path: '/v0/persons',
			body: { name: `Person ${number}`, domain: 'mail.example' },
		}),
	},
	'personLog.create, key auto': logWith('auto'),
	'personLog.create, key content': logWith('content'),
	'personLog.create, key custom': logWith('custom'),
	'personLog.create, key none': logWith('none'),
	'account.update': {
		kind: 'repeatable',
		id: 'accountId',
		label: 'Name',
		parameters: (end) => ({
			...{ resource: 'account', operation: 'update', accountId: '={{ $json.account }}' },
			name: ended('name', end),
		}),
		json: ({ number, isFlawed }) => ({
			// Two numbers are about the same account.
			account: makeId('account', number % 2),
			name: isFlawed ? '' : `Company ${number}`,
		}),
		wanted: ({ number }) => ({
			method: 'PATCH',
			path: `/v0/accounts/${makeId('account', number % 2)}`,
			body: { name: `Company ${number}` },
		}),
	},
} satisfies Record<string, WriteOperation>;

/** A list of the account or page that the item names, or of all records. */
function listOf(
	name: string,
	path: (number: number) => string,
	parameters: INodeParameters,
	more: Partial<ListOperation> = {},
): ListOperation {
	const [resource, operation] = name.split('.');
	return {
		pages: true,
		label: 'Limit',
		parameters: () => ({ resource, operation, limit: '={{ $json.limit }}', ...parameters }),
		json: ({ number }) => ({ account: makeId('account', number), page: makeId('page', number) }),
		wanted: ({ number }) => ({ method: 'GET', path: path(number) }),
		...more,
	};
}

export const lists = {
	'person.getAll': listOf('person.getAll', () => '/v0/persons', {}),
	'audience.getAll': listOf(
		'audience.getAll',
		(number) => `/v0/pages/${makeId('page', number)}/audiences`,
		{ pageId: '={{ $json.page }}', simplify: false },
	),
	'account.getActivity': listOf(
		'account.getActivity',
		(number) => `/v0/accounts/${makeId('account', number)}/activity`,
		{ accountId: '={{ $json.account }}', simplify: false },
	),
	'page.search': listOf(
		'page.search',
		() => '/v0/pages/search',
		{ query: searched },
		{ query: { query: searched }, pages: false },
	),
} satisfies Record<string, ListOperation>;

export type WriteName = keyof typeof writes;
export type ListName = keyof typeof lists;

export function isWriteName(name: string): name is WriteName {
	return name in writes;
}

export function findOperation(name: WriteName | ListName): Operation {
	return isWriteName(name) ? writes[name] : lists[name];
}
