import type { CasesOf } from '../case.mts';

export const personCases: CasesOf = (store) => [
	{
		endpoint: 'createPersonLog',
		parameters: {
			resource: 'personLog',
			operation: 'create',
			source: '={{ $json.source }}',
			type: 'contact-updated',
			payloadMode: 'fields',
			payloadFields: {
				assignments: [
					{ id: '1', name: 'stage', value: '={{ $json.stage }}', type: 'string' },
					{ id: '2', name: 'score', value: '={{ $json.score }}', type: 'number' },
				],
			},
			person: { email: '={{ $json.email }}', phoneNumber: '={{ $json.phone }}' },
			idempotency: 'custom',
			idempotencyKey: '={{ $json.event }}',
		},
		items: [
			{ source: 'crm', stage: 'lead', score: 4, email: 'noor@example.com', event: 'evt-1' },
			{ source: 'shop', stage: 'won', score: 0, phone: '+49 30 5550199', event: 'evt-2' },
		],
		requests: [
			{
				method: 'POST',
				path: '/v0/person_logs',
				body: {
					source: 'crm',
					type: 'contact-updated',
					payload: { stage: 'lead', score: 4 },
					email: 'noor@example.com',
					idempotencyKey: 'evt-1',
				},
			},
			{
				method: 'POST',
				path: '/v0/person_logs',
				body: {
					source: 'shop',
					type: 'contact-updated',
					payload: { stage: 'won', score: 0 },
					phoneNumber: '+49 30 5550199',
					idempotencyKey: 'evt-2',
				},
			},
		],
		outputs: [
			{
				record: {
					source: 'crm',
					type: 'contact-updated',
					createdPerson: true,
					idempotencyKey: 'evt-1',
				},
			},
			{
				record: {
					source: 'shop',
					type: 'contact-updated',
					createdPerson: true,
					idempotencyKey: 'evt-2',
				},
			},
		],
	},
	{
		endpoint: 'createPerson',
		parameters: {
			resource: 'person',
			operation: 'create',
			name: '={{ $json.name }}',
			additionalFields: {
				email: '={{ $json.email }}',
				domain: '={{ $json.domain }}',
				phoneNumber: '={{ $json.phone }}',
				linkedinProfileUrl: '={{ $json.linkedin }}',
			},
		},
		items: [
			{ name: 'Zoë Åkesson', email: 'zoe@example.com', domain: 'example.com' },
			{ name: 'Bo Li', phone: '+46 8 5550100', linkedin: 'https://www.linkedin.com/in/bo-li' },
		],
		requests: [
			{
				method: 'POST',
				path: '/v0/persons',
				body: { name: 'Zoë Åkesson', email: 'zoe@example.com', domain: 'example.com' },
			},
			{
				method: 'POST',
				path: '/v0/persons',
				body: {
					name: 'Bo Li',
					phoneNumber: '+46 8 5550100',
					linkedinProfileUrl: 'https://www.linkedin.com/in/bo-li',
				},
			},
		],
		outputs: [
			{ record: { name: 'Zoë Åkesson', email: 'zoe@example.com', phoneNumber: null } },
			{ record: { name: 'Bo Li', email: null, phoneNumber: '+46 8 5550100' } },
		],
	},
	{
		endpoint: 'listPersons',
		parameters: {
			resource: 'person',
			operation: 'getAll',
			limit: '={{ $json.limit }}',
			options: { pageSize: 3 },
		},
		items: [{ limit: 2 }, { limit: 4 }],
		requests: [
			{ method: 'GET', path: '/v0/persons', query: { limit: '2' } },
			{ method: 'GET', path: '/v0/persons', query: { limit: '3' } },
			{ method: 'GET', path: '/v0/persons', query: { limit: '3', cursor: expect.any(String) } },
		],
		outputs: [{ read: '/v0/persons?limit=2' }, { read: '/v0/persons?limit=4' }],
	},
	{
		endpoint: 'searchPersons',
		parameters: {
			resource: 'person',
			operation: 'search',
			query: '={{ $json.words }}',
			returnAll: true,
		},
		items: store.persons
			.all()
			.slice(0, 2)
			.map(({ name }) => ({ words: name })) as [{ words: string }, { words: string }],
		requests: store.persons
			.all()
			.slice(0, 2)
			.map(({ name }) => ({
				method: 'GET',
				path: '/v0/persons/search',
				query: { query: name, limit: '1000' },
			})),
		outputs: [
			{
				read: `/v0/persons/search?query=${encodeURIComponent(store.persons.all()[0]?.name ?? '')}`,
			},
			{
				read: `/v0/persons/search?query=${encodeURIComponent(store.persons.all()[1]?.name ?? '')}`,
			},
		],
	},
];
