import type { INodeParameters } from 'n8n-workflow';
import { type OfflineRun, runOffline } from './offline.mts';
import type { WireRequest } from './wire.mts';

const echo = ({ body }: WireRequest) => ({
	status: 201,
	body: { personId: 'p', ...(body as object) },
});

/** Creates so many persons, and says when each request was sent, in milliseconds since the first. */
async function create(count: number, options: INodeParameters, more: Partial<OfflineRun> = {}) {
	const { exchanges, ...result } = await runOffline({
		parameters: { resource: 'person', operation: 'create', name: '={{ $json.name }}', options },
		items: Array.from({ length: count }, (_, i) => ({ name: `n${i}` })),
		answer: echo,
		...more,
	});
	const at = exchanges.map(({ startedAtMs }) => startedAtMs - exchanges[0].startedAtMs);
	return { ...result, at };
}

test('options that are added and left blank have their defaults', async () => {
	const blank = { maxRetries: '', concurrency: '', requestsPerSecond: '', timeout: '' };
	const { output, at } = await create(12, blank, {
		answer: async (request, sent) => {
			await new Promise((resolve) => setTimeout(resolve, 100));
			return sent < 3 ? { lost: 'ECONNREFUSED', message: 'lost' } : echo(request);
		},
	});
	expect(output).toHaveLength(12);
	expect(at).toHaveLength(15);
	// Ten at once.
	expect(at.filter((time) => time === 0)).toHaveLength(10);
});

test('Requests per Second applies to the run', async () => {
	expect((await create(3, { requestsPerSecond: 2 })).at).toEqual([0, 500, 1000]);
});

test.each([
	['1', 'Waited 1 second for the rate limit'],
	['7', 'Waited 7 seconds for the rate limit'],
])('a Retry-After of %s is told: %s', async (retryAfter, told) => {
	const { hints, output } = await create(
		2,
		{ concurrency: 1 },
		{
			answer: (request, sent) =>
				sent === 0 ? { status: 429, headers: { 'retry-after': retryAfter } } : echo(request),
		},
	);
	expect(hints).toEqual([told]);
	expect(output.map(({ json }) => json)).toMatchObject([{ name: 'n0' }, { name: 'n1' }]);
});
