import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Sandbox } from '../../../sandbox/index.mts';

/** The request for one item: the raw query without `?`, and the body. */
export interface Sent {
	request: string;
	query?: string;
	body?: object;
}

/** One operation with two items that differ in every ID and value, and with a change that makes an item invalid. */
export interface Case {
	operation: string;
	parameters: INodeParameters;
	items: [IDataObject, IDataObject];
	sends: [Sent, Sent];
	/** Changes that make an item invalid. */
	bad: IDataObject;
	/** The label of the parameter that the message then names. */
	names: string;
}

function describeValues({ store }: Sandbox, i: 0 | 1) {
	const { pageId: page } = store.pages.all()[[0, 4][i]];
	return {
		page,
		account: store.accounts.all()[[0, 5][i]].accountId,
		person: store.persons.all()[i].personId,
		audience: store.audiences.of(page)[i].audienceId,
		session: store.sessions.of(page)[i].audienceSessionId,
		link: store.pageLinks.all()[i].pageLinkId,
		subscription: store.subscriptions.all()[i].subscriptionId,
		name: ['Ann Österreich', 'Bob 😀'][i],
		email: ['ann@one.example', 'bob@two.example'][i],
		domain: ['one.example', 'two.example'][i],
		phone: ['+49 30 1234567', '+43 1 2345678'][i],
		linkedin: ['https://www.linkedin.com/in/ann', 'https://www.linkedin.com/in/bob'][i],
		url: ['https://one.example/a', 'https://two.example/b'][i],
		query: ['a', 'e '][i],
		limit: [3, 4][i],
		from: ['2024-01-01', '2024-02-01T06:00:00+02:00'][i],
		to: ['2024-12-31T23:00:00', '2025-01-31'][i],
		/** Both dates in the query. */
		span: [
			'startDate=2024-01-01T00%3A00%3A00Z&endDate=2024-12-31T23%3A00%3A00Z',
			'startDate=2024-02-01T06%3A00%3A00%2B02%3A00&endDate=2025-01-31T23%3A59%3A59.999Z',
		][i],
		flag: ['false', 'maybe & more'][i],
		count: [4, 0][i],
		on: [false, true][i],
		actionId: ['', 'action_2'][i],
	};
}

export type Values = ReturnType<typeof describeValues>;

/** Defines the cases of one sandbox, whose IDs they use. */
export class Cases {
	private readonly values: [Values, Values];

	constructor(sandbox: Sandbox) {
		this.values = [describeValues(sandbox, 0), describeValues(sandbox, 1)];
	}

	/** @param refused changes that make an item invalid, and the label that the message then names */
	define(
		operation: string,
		parameters: INodeParameters,
		[bad, names]: [IDataObject, string],
		send: (values: Values) => Sent,
	): Case {
		const [resource, name] = operation.split('.');
		const [first, second] = this.values;
		return {
			operation,
			parameters: { resource, operation: name, options: { concurrency: 1 }, ...parameters },
			items: [{ ...first }, { ...second }],
			sends: [send(first), send(second)],
			bad,
			names,
		};
	}
}
