import type { INodeParameters } from 'n8n-workflow';
import { originOf } from './engine.mts';
import { type OfflineRun, runOffline } from './offline.mts';
import type { WireRequest } from './wire.mts';

const echo = ({ body }: WireRequest) => ({
	status: 201,
	body: { personId: 'p', ...(body as object) },
});

/** Creates so many persons, and says when each request was sent, in milliseconds since the first. */
async function create(
	count: number,
	options: INodeParameters,
	answer: OfflineRun['answer'] = echo,
) {
	const { exchanges, ...result } = await runOffline({
		parameters: { resource: 'person', operation: 'create', name: '={{ $json.name }}', options },
		items: Array.from({ length: count }, (_, i) => ({ name: `n${i}` })),
		answer,
	});
	expect(result.output.map(originOf)).toEqual(Array.from({ length: count }, (_, i) => i));
	const at = exchanges.map(({ startedAtMs }) => startedAtMs - exchanges[0].startedAtMs);
	return { ...result, at };
}

test.each<[options: INodeParameters, expected: number]>([
	[{ concurrency: 1 }, 1],
	[{ concurrency: 3 }, 3],
	[{ concurrency: 25 }, 25],
	[{}, 10],
	[{ maxRetries: '', concurrency: '', requestsPerSecond: '', timeout: '' }, 10],
])('with %j, %d requests are in flight', async (options, expected) => {
	const { at } = await create(50, options, async (request) => {
		await new Promise((resolve) => setTimeout(resolve, 100));
		return echo(request);
	});
	expect(at.filter((time) => time === 0)).toHaveLength(expected);
	expect(at.at(-1)).toBe(100 * (Math.ceil(50 / expected) - 1));
});

test('Requests per Second applies to the run', async () => {
	expect((await create(3, { requestsPerSecond: 2 })).at).toEqual([0, 500, 1000]);
});

test.each([
	['1', 'Waited 1 second for the rate limit'],
	['7', 'Waited 7 seconds for the rate limit'],
])('a Retry-After of %s is told: %s', async (retryAfter, told) => {
	const { hints } = await create(2, { concurrency: 1 }, (request, sent) =>
		sent === 0 ? { status: 429, headers: { 'retry-after': retryAfter } } : echo(request),
	);
	expect(hints).toEqual([told]);
});
