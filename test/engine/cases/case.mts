import type { INodeParameters } from 'n8n-workflow';
import type { Sandbox } from '../../../sandbox/index.mts';

/** What the two items of each case hold. They differ in every ID and value. */
export function describeValues({ store }: Sandbox, i: 0 | 1) {
	const { pageId: page } = store.pages.all()[[0, 4][i]];
	const account = store.accounts.all()[[0, 5][i]];
	return {
		page,
		account: account.accountId,
		accountDomain: account.domain,
		person: store.persons.all()[i].personId,
		personEmail: store.persons.all().flatMap(({ email }) => email ?? [])[i],
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
		/** Both dates as they are sent. */
		span: [
			{ startDate: '2024-01-01T00:00:00Z', endDate: '2024-12-31T23:00:00Z' },
			{ startDate: '2024-02-01T06:00:00+02:00', endDate: '2025-01-31T23:59:59.999Z' },
		][i],
		flag: ['false', 'maybe & more'][i],
		count: [4, 0][i],
		on: [false, true][i],
		actionId: ['action_1', 'action_2'][i],
	};
}

export type Values = ReturnType<typeof describeValues>;

/** The request for one item: the raw query without `?`, and the body. */
export interface Sent {
	request: string;
	query?: string;
	body?: object;
}

/** A request that reads. Its query goes out in this order. */
export const get = (path: string, query: Record<string, string | number> = {}): Sent => ({
	request: `GET /v0/${path}`,
	query:
		Object.entries(query)
			.map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
			.join('&') || undefined,
});

/** One row of the table: an operation of one endpoint. */
export interface Definition {
	/** As `resource.operation`. */
	operation: string;
	parameters: INodeParameters;
	sends: (values: Values) => Sent;
	/** What the node adds to the records of the response. */
	adds?: (values: Values) => object;
}

export const byId = (expression: string) => ({ __rl: true, mode: 'id', value: expression });
