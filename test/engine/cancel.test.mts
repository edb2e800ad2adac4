import { startSandbox, type Sandbox } from '../../sandbox/index.mts';
import { runNode, type Run } from './engine.mts';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});
beforeEach(() => sandbox.reset());
afterAll(async () => await sandbox.close());

/** Cancels as soon as so many requests have arrived. */
function cancelAfter(requests: number): AbortSignal {
	const controller = new AbortController();
	const timer = setInterval(() => {
		if (sandbox.requests.length < requests) return;
		clearInterval(timer);
		controller.abort();
	}, 2);
	return controller.signal;
}

const create = (options: object = {}): Run['parameters'] => ({
	resource: 'person',
	operation: 'create',
	name: '={{ $json.name }}',
	options: { concurrency: 5, ...options },
});

describe.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)(
	'a cancelled execution with %s',
	(onError) => {
		const cases: Array<[what: string, prepare: () => void, options: object]> = [
			['in flight', () => (sandbox.latencyMs = 5000), {}],
			[
				'held back by a rate limit',
				() =>
					sandbox.faults.add({
						kind: 'status',
						status: 429,
						headers: { 'retry-after': '50' },
						times: Infinity,
					}),
				{},
			],
			['waiting for its turn', () => {}, { requestsPerSecond: 0.1 }],
		];
		test.each(cases)('%s ends at once, without error items', async (_, prepare, options) => {
			prepare();
			const items = Array.from({ length: 40 }, (__, i) => ({ name: `n${i}` }));
			const started = performance.now();
			const result = await runNode({
				parameters: create(options),
				items,
				credential: { baseUrl: sandbox.url, apiKey: sandbox.apiKey },
				onError,
				signal: cancelAfter(1),
			});
			expect(performance.now() - started).toBeLessThan(4000);
			expect(result.status).toBe('canceled');
			expect(result.output).toEqual([]);
			expect(result.errors).toEqual([]);
			expect(sandbox.requests.length).toBeLessThanOrEqual(5);
		});
	},
);

test('a list that is cancelled between pages gives nothing out', async () => {
	sandbox.store.addPersons(2000);
	sandbox.latencyMs = 20;
	const result = await runNode({
		parameters: { resource: 'person', operation: 'getAll', returnAll: true },
		items: [{}, {}],
		credential: { baseUrl: sandbox.url, apiKey: sandbox.apiKey },
		onError: 'continueRegularOutput',
		signal: cancelAfter(6),
	});
	expect([result.status, result.output, result.errors]).toEqual(['canceled', [], []]);
	expect(sandbox.requests.length).toBeLessThan(20);
});
