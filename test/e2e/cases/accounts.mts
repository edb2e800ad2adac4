import type { CasesOf } from '../case.mts';
import { locate } from '../case.mts';

export const accountCases: CasesOf = (store) => {
	const [first, second] = store.accounts.all().map(({ accountId }) => accountId);
	return [
		{
			endpoint: 'createAccount',
			parameters: {
				resource: 'account',
				operation: 'create',
				domain: '={{ $json.domain }}',
				additionalFields: { name: '={{ $json.name }}' },
			},
			items: [{ domain: 'alpha.example', name: 'Alpha & Söhne' }, { domain: 'beta.example' }],
			requests: [
				{
					method: 'POST',
					path: '/v0/accounts',
					body: { domain: 'alpha.example', name: 'Alpha & Söhne' },
				},
				{ method: 'POST', path: '/v0/accounts', body: { domain: 'beta.example' } },
			],
			outputs: [
				{ record: { domain: 'alpha.example', name: 'Alpha & Söhne' } },
				{ record: { domain: 'beta.example', name: null } },
			],
		},
		{
			endpoint: 'updateAccount',
			parameters: {
				resource: 'account',
				operation: 'update',
				accountId: locate('account'),
				name: '={{ $json.name }}',
			},
			items: [
				{ account: first, name: 'Renamed one' },
				{ account: second, name: ' two ' },
			],
			requests: [
				{ method: 'PATCH', path: `/v0/accounts/${first}`, body: { name: 'Renamed one' } },
				{ method: 'PATCH', path: `/v0/accounts/${second}`, body: { name: ' two ' } },
			],
			outputs: [
				{ record: { accountId: first, name: 'Renamed one' } },
				{ record: { accountId: second, name: ' two ' } },
			],
		},
		{
			endpoint: 'searchAccounts',
			parameters: {
				resource: 'account',
				operation: 'search',
				query: '={{ $json.words }}',
				filters: { includeEmptyOnly: '={{ $json.flag }}' },
				limit: 3,
			},
			items: [{ words: 'analytics', flag: 'true' }, { words: 'a' }],
			requests: [
				{
					method: 'GET',
					path: '/v0/accounts/search',
					query: { query: 'analytics', includeEmptyOnly: 'true', limit: '3' },
				},
				{ method: 'GET', path: '/v0/accounts/search', query: { query: 'a', limit: '3' } },
			],
			outputs: [
				{ read: '/v0/accounts/search?query=analytics&includeEmptyOnly=true&limit=3' },
				{ read: '/v0/accounts/search?query=a&limit=3' },
			],
		},
		{
			endpoint: 'listAccountActivity',
			parameters: {
				resource: 'account',
				operation: 'getActivity',
				accountId: locate('account'),
				limit: '={{ $json.limit }}',
				simplify: false,
				filters: {
					includePersonActivity: '={{ $json.persons }}',
					includeDeleted: '={{ $json.deleted }}',
				},
				options: { pageSize: 2 },
			},
			items: [
				{ account: first, limit: 3, persons: 'true' },
				{ account: second, limit: 1, deleted: 'false' },
			],
			requests: [
				{
					method: 'GET',
					path: `/v0/accounts/${first}/activity`,
					query: { includePersonActivity: 'true', limit: '2' },
				},
				{
					method: 'GET',
					path: `/v0/accounts/${first}/activity`,
					query: { includePersonActivity: 'true', limit: '2', offset: '2' },
				},
				{
					method: 'GET',
					path: `/v0/accounts/${second}/activity`,
					query: { includeDeleted: 'false', limit: '1' },
				},
			],
			outputs: [
				{ read: `/v0/accounts/${first}/activity?includePersonActivity=true&limit=3` },
				{ read: `/v0/accounts/${second}/activity?includeDeleted=false&limit=1` },
			],
		},
	];
};
