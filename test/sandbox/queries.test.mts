import { openSandbox } from '../openSandbox.mts';
import { getExample } from './bodies.mts';
import { call } from './calling.mts';

const sandbox = openSandbox();

const queries: [operationId: string, query: Record<string, string | number>, breach: string][] = [
	['listPersons', { limit: 'ten' }, 'query/limit must be number'],
	['listPersons', { limit: '' }, 'query/limit must be number'],
	['listPersons', { limit: 0 }, 'query/limit must be a whole number from 1 to 100'],
	['searchPages', { limit: 101 }, 'query/limit must be a whole number from 1 to 100'],
	['listAudiences', { limit: 1.5 }, 'query/limit must be a whole number from 1 to 100'],
	['listPersons', { cursor: 'x' }, "query/cursor 'x' is not a valid cursor"],
	['listAccountActivity', { offset: 'x' }, 'query/offset must be number'],
	['listAccountActivity', { offset: -1 }, 'query/offset must be a whole number, 0 or more'],
	['listAccountActivity', { cursor: 'x' }, 'query/cursor Unknown query parameter'],
	['searchPages', { cursor: 'x' }, 'query/cursor Unknown query parameter'],
	[
		'listAudienceSessions',
		{ startDate: '2024-02-01' },
		'query/startDate must match format "date-time"',
	],
	['listAudienceSessions', { endDate: '2024-02-01T00:00:00' }, 'query/endDate must match format'],
	['getPageAnalyticsSummary', { startDate: 'today' }, 'query/startDate must match format'],
];

test.each(queries)('%s rejects %j', async (operationId, query, breach) => {
	const { path } = getExample(sandbox, operationId);
	const answer = await call(sandbox, 'GET', path, { query });
	expect(answer.status).toBe(400);
	expect(answer.data.message).toContain(breach);
});

test('rejects a repeated query parameter, and accepts an empty text', async () => {
	const twice = await call(sandbox, 'GET', '/v0/persons?limit=1&limit=2');
	expect([twice.status, twice.data.message]).toEqual([400, 'query/limit must be number']);
	expect((await call(sandbox, 'GET', '/v0/persons/search?query=')).status).toBe(200);
});

test('rejects a path that cannot be decoded', async () => {
	expect((await call(sandbox, 'GET', '/v0/pages/%E0%A4%A/audiences')).status).toBe(400);
});
