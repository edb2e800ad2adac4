import { byId, type Definition, get } from './case.mts';
import { detectBy } from '../../groups.mts';

const accountId = byId('={{ $json.account }}');
const limit = '={{ $json.limit }}';

export const contacts: Definition[] = [
	{
		operation: 'person.create',
		parameters: {
			name: '={{ $json.name }}',
			additionalFields: {
				email: '={{ $json.email }}',
				domain: '={{ $json.domain }}',
				phoneNumber: '={{ $json.phone }}',
				linkedinProfileUrl: '={{ $json.linkedin }}',
			},
		},
		sends: ({ name, email, domain, phone, linkedin: linkedinProfileUrl }) => ({
			request: 'POST /v0/persons',
			body: { name, email, domain, phoneNumber: phone.replaceAll(' ', ''), linkedinProfileUrl },
		}),
	},
	{
		operation: 'person.get',
		parameters: {
			matchOn: 'email',
			email: '={{ $json.personEmail }}',
			options: { lookup: 'search' },
		},
		sends: (v) => get('persons/search', { query: v.personEmail, limit: 100 }),
		adds: () => ({ found: true }),
	},
	{
		operation: 'person.getAll',
		parameters: { limit },
		sends: (v) => get('persons', { limit: v.limit }),
	},
	{
		operation: 'person.search',
		parameters: { query: '={{ $json.query }}', limit },
		sends: (v) => get('persons/search', { query: v.query, limit: v.limit }),
	},
	{
		operation: 'personLog.create',
		parameters: {
			source: 'crm',
			type: '={{ "type-" + $json.limit }}',
			person: { personId: byId('={{ $json.person }}'), email: '={{ $json.email }}' },
			payloadMode: 'fields',
			payloadFields: {
				assignments: [
					{ id: '1', name: 'count', value: '={{ $json.count }}', type: 'number' },
					{ id: '2', name: 'on', value: '={{ $json.on }}', type: 'boolean' },
					{ id: '3', name: 'a.b', value: '={{ $json.name }}', type: 'string' },
				],
			},
			options: detectBy('custom', '={{ $json.domain }}'),
		},
		sends: (v) => ({
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
		adds: (v) => ({ idempotencyKey: v.domain }),
	},
	{
		operation: 'account.create',
		parameters: {
			domain: '={{ $json.domain }}',
			additionalFields: { name: '={{ $json.name }}' },
		},
		sends: ({ domain, name }) => ({ request: 'POST /v0/accounts', body: { domain, name } }),
	},
	{
		operation: 'account.get',
		parameters: {
			domain: '={{ $json.accountDomain }}',
			options: { includeEmptyOnly: '= {{ $json.flag }} ' },
		},
		sends: (v) =>
			get('accounts/search', { query: v.accountDomain, includeEmptyOnly: v.flag, limit: 100 }),
		adds: () => ({ found: true }),
	},
	{
		operation: 'account.update',
		parameters: { accountId, name: '={{ $json.name }}' },
		sends: (v) => ({ request: `PATCH /v0/accounts/${v.account}`, body: { name: v.name } }),
	},
	{
		operation: 'account.search',
		parameters: {
			query: '={{ $json.query }}',
			limit,
			options: { includeEmptyOnly: '= {{ $json.flag }} ' },
		},
		sends: (v) =>
			get('accounts/search', { query: v.query, includeEmptyOnly: v.flag, limit: v.limit }),
	},
	{
		operation: 'account.getActivity',
		parameters: {
			accountId,
			limit,
			simplify: false,
			options: { includePersonActivity: '={{ $json.flag }}', includeDeleted: ' true ' },
		},
		sends: ({ account, flag: includePersonActivity, limit }) =>
			get(`accounts/${account}/activity`, { includeDeleted: 'true', includePersonActivity, limit }),
	},
];
