import type { INodeParameters } from 'n8n-workflow';
import { runNode } from './engine.mts';
import { type OfflineRun, runOffline } from './offline.mts';
import type { Reply } from './fakeNetwork.mts';
import { requestLimits } from '../groups.mts';

const create = { resource: 'person', operation: 'create', name: '={{ $json.name }}' };
const items = Array.from({ length: 250 }, (_, i) => ({ name: `n${i}` }));

let controller: AbortController;
beforeEach(() => (controller = new AbortController()));

/** A run that is cancelled: it outputs nothing. */
async function run(given: Pick<OfflineRun, 'parameters' | 'answer'> & Partial<OfflineRun>) {
	const onError = 'continueErrorOutput';
	const { exchanges, ...result } = await runOffline({
		...{ items, onError, signal: controller.signal },
		...given,
	});
	expect(result).toMatchObject({ status: 'canceled', output: [], errors: [] });
	return exchanges;
}

test.each<[what: string, limits: INodeParameters, reply: Reply | undefined]>([
	['requests are in flight', {}, undefined],
	['the rate limit holds it back', {}, { status: 429, headers: { 'retry-after': '50' } }],
	['items wait', { requestsPerSecond: 0.01 }, { status: 201, body: { personId: 'p' } }],
])('a cancelled execution ends at once while %s', async (_, limits, reply) => {
	let isLate = false;
	const exchanges = await run({
		parameters: { ...create, options: requestLimits({ concurrency: 5, ...limits }) },
		answer: async () => {
			setTimeout(() => controller.abort(), 100);
			setTimeout(() => (isLate = true), 1_000);
			return await (reply ?? new Promise<never>(() => {}));
		},
	});
	expect(isLate).toBe(false);
	expect(exchanges.length).toBeLessThanOrEqual(5);
});

test('a list that is cancelled between pages returns nothing', async () => {
	const exchanges = await run({
		parameters: { resource: 'person', operation: 'getAll', returnAll: true },
		items: [{}, {}],
		answer: (_, sent) => {
			if (sent === 6) controller.abort();
			const body = { items: [{ personId: `p${sent}` }], hasMore: true, nextCursor: `c${sent}` };
			return { status: 200, body };
		},
	});
	expect(exchanges.length).toBeLessThanOrEqual(8);
});

test('a run that is cancelled while it reads parameters reads no more, and sends nothing', async () => {
	let last = 0;
	const exchanges = await run({
		parameters: { ...create, name: '={{ $json.name + "" }}' },
		// An invalid item would stop a run that goes on.
		items: items.map((item, i) => (i === 3 ? { name: '' } : item)),
		onError: 'stopWorkflow',
		handOver: (context) => {
			const read = context.getNodeParameter.bind(context) as (...names: unknown[]) => unknown;
			const getNodeParameter = (name: string, item: number, ...more: unknown[]) => {
				last = Math.max(last, item);
				if (item === 150) controller.abort();
				return read(name, item, ...more);
			};
			Object.assign(context, { getNodeParameter });
		},
		answer: () => ({ status: 500 }),
	});
	expect([last, exchanges]).toEqual([150, []]);
});

test('n8n gets a turn for every 50 of thousands of items that a node reads', async () => {
	// Each look at the clock is a millisecond later, so that no machine is too fast or too slow for this.
	let now = performance.now();
	const clock = jest.spyOn(performance, 'now').mockImplementation(() => now++);
	let turns = 0;
	const other = setInterval(() => turns++);
	// The run only reads: all are invalid.
	const many = Array.from({ length: 5_000 }, () => ({ name: '' }));
	const credential = { baseUrl: 'https://api.example', apiKey: 'key' };
	await runNode({ parameters: create, items: many, credential });
	clearInterval(other);
	clock.mockRestore();
	expect(turns).toBeGreaterThan(many.length / 50);
});
