import type { INodeParameters } from 'n8n-workflow';
import { runNode } from './engine.mts';
import { runOffline } from './offline.mts';
import type { Reply } from './fakeNetwork.mts';
import { requestLimits } from '../groups.mts';

const create = { resource: 'person', operation: 'create', name: '={{ $json.name }}' };
const items = Array.from({ length: 250 }, (_, i) => ({ name: `n${i}` }));
const canceled = { status: 'canceled', output: [], errors: [] };

let controller: AbortController;
beforeEach(() => (controller = new AbortController()));

test.each<[what: string, limits: INodeParameters, reply: Reply | undefined]>([
	['requests are in flight', {}, undefined],
	['the rate limit holds it back', {}, { status: 429, headers: { 'retry-after': '50' } }],
	['items wait', { requestsPerSecond: 0.01 }, { status: 201, body: { personId: 'p' } }],
])('a cancelled execution ends at once while %s', async (_, limits, reply) => {
	let isLate = false;
	const { exchanges, ...result } = await runOffline({
		parameters: { ...create, options: requestLimits({ concurrency: 5, ...limits }) },
		items,
		onError: 'continueErrorOutput',
		signal: controller.signal,
		answer: async () => {
			setTimeout(() => controller.abort(), 100);
			setTimeout(() => (isLate = true), 1_000);
			return await (reply ?? new Promise<never>(() => {}));
		},
	});
	expect(result).toMatchObject(canceled);
	expect(isLate).toBe(false);
	expect(exchanges.length).toBeLessThanOrEqual(5);
});

test('a list that is cancelled between pages returns nothing', async () => {
	const { exchanges, ...result } = await runOffline({
		parameters: { resource: 'person', operation: 'getAll', returnAll: true },
		items: [{}, {}],
		onError: 'continueRegularOutput',
		signal: controller.signal,
		answer: (_, sent) => {
			if (sent === 6) controller.abort();
			const body = { items: [{ personId: `p${sent}` }], hasMore: true, nextCursor: `c${sent}` };
			return { status: 200, body };
		},
	});
	expect(result).toMatchObject(canceled);
	expect(exchanges.length).toBeLessThanOrEqual(8);
});

test('a run that is cancelled while it reads parameters reads no more, and sends nothing', async () => {
	let last = 0;
	const { exchanges, ...result } = await runOffline({
		parameters: { ...create, name: '={{ $json.name + "" }}' },
		// An invalid item would stop a run that goes on.
		items: items.map((item, i) => (i === 3 ? { name: '' } : item)),
		signal: controller.signal,
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
	expect(last).toBe(150);
	expect(result).toMatchObject(canceled);
	expect(exchanges).toEqual([]);
});

test('other work of n8n runs while the node reads thousands of items', async () => {
	// On any machine, each look at the clock is a millisecond later.
	let now = 0;
	const clock = jest.spyOn(performance, 'now').mockImplementation(() => ++now);
	let turns = 0;
	let isOver = false;
	const work = () => {
		turns++;
		if (!isOver) setImmediate(work);
	};
	work();
	await runNode({
		parameters: create,
		// The run only reads: all are invalid.
		items: Array.from({ length: 2_000 }, () => ({ name: '' })),
		credential: { baseUrl: 'https://api.example', apiKey: 'key' },
	});
	isOver = true;
	clock.mockRestore();
	expect(turns).toBeGreaterThan(50);
});
