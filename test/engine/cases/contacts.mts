import type { IDataObject } from 'n8n-workflow';
import type { Case, Cases } from './case.mts';

const locator = (expression: string) => ({ __rl: true, mode: 'id', value: expression });
const accountId = locator('={{ $json.account }}');
const limit = '={{ $json.limit }}';
const simplify = false;
const noLimit: [IDataObject, string] = [{ limit: 0 }, 'Limit'];

export function describeContacts(cases: Cases): Case[] {
	return [
		cases.define(
			'person.create',
			{
				name: '={{ $json.name }}',
				additionalFields: {
					email: '={{ $json.email }}',
					domain: '={{ $json.domain }}',
					phoneNumber: '={{ $json.phone }}',
					linkedinProfileUrl: '={{ $json.linkedin }}',
				},
			},
			[{ name: '' }, 'Name'],
			({ name, email, domain, phone, linkedin }) => ({
				request: 'POST /v0/persons',
				body: { name, email, domain, phoneNumber: phone, linkedinProfileUrl: linkedin },
			}),
		),
		cases.define('person.getAll', { limit }, noLimit, (v) => ({
			request: 'GET /v0/persons',
			query: `limit=${v.limit}`,
		})),
		cases.define('person.search', { query: '={{ $json.query }}', limit }, noLimit, (v) => ({
			request: 'GET /v0/persons/search',
			query: `query=${encodeURIComponent(v.query)}&limit=${v.limit}`,
		})),
		cases.define(
			'personLog.create',
			{
				source: 'crm',
				type: '={{ "type-" + $json.limit }}',
				person: { personId: locator('={{ $json.person }}'), email: '={{ $json.email }}' },
				payloadMode: 'fields',
				payloadFields: {
					assignments: [
						{ id: '1', name: 'count', value: '={{ $json.count }}', type: 'number' },
						{ id: '2', name: 'on', value: '={{ $json.on }}', type: 'boolean' },
						{ id: '3', name: 'a.b', value: '={{ $json.name }}', type: 'string' },
					],
				},
				idempotency: 'custom',
				idempotencyKey: '={{ $json.domain }}',
			},
			[{ person: 'x', email: '' }, 'Person > Person ID'],
			(v) => ({
				request: 'POST /v0/person_logs',
				body: {
					source: 'crm',
					type: `type-${v.limit}`,
					payload: { count: v.count, on: v.on, 'a.b': v.name },
					personId: v.person,
					email: v.email,
					idempotencyKey: v.domain,
				},
			}),
		),
		cases.define(
			'account.create',
			{ domain: '={{ $json.domain }}', additionalFields: { name: '={{ $json.name }}' } },
			[{ domain: ' ' }, 'Domain'],
			({ domain, name }) => ({ request: 'POST /v0/accounts', body: { domain, name } }),
		),
		cases.define(
			'account.update',
			{ accountId, name: '={{ $json.name }}' },
			[{ name: 'x'.repeat(256) }, 'Name'],
			(v) => ({ request: `PATCH /v0/accounts/${v.account}`, body: { name: v.name } }),
		),
		cases.define(
			'account.search',
			{ query: '={{ $json.query }}', limit, filters: { includeEmptyOnly: '= {{ $json.flag }} ' } },
			noLimit,
			(v) => ({
				request: 'GET /v0/accounts/search',
				query: `query=${encodeURIComponent(v.query)}&includeEmptyOnly=${encodeURIComponent(v.flag)}&limit=${v.limit}`,
			}),
		),
		cases.define(
			'account.getActivity',
			{
				accountId,
				limit,
				simplify,
				filters: { includePersonActivity: '={{ $json.flag }}', includeDeleted: ' true ' },
			},
			[{ account: 'account_1' }, 'Account'],
			(v) => ({
				request: `GET /v0/accounts/${v.account}/activity`,
				query: `includeDeleted=true&includePersonActivity=${encodeURIComponent(v.flag)}&limit=${v.limit}`,
			}),
		),
	];
}
