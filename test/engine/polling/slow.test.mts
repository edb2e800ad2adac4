import { type INodeParameters, sleep } from 'n8n-workflow';
import { runOnFakeClock, startOfTime } from '../properties/clock.mts';
import { Wire } from '../properties/wire.mts';
import { type Engine, PolledWorkflow } from './polledWorkflow.mts';
import { PolledService } from './service.mts';

const minuteMs = 60_000;

interface SlowScene {
	service: PolledService;
	workflow: PolledWorkflow;
	/** Adds a record that is as old as it is in the service. */
	add: (id: string) => void;
	/** A minute passes, and n8n polls. */
	poll: () => Promise<void>;
	respondAfter: (ms: number) => void;
}

/** A service with 80 records, ten to a page, whose responses take their time on a fake clock. */
async function play(
	parameters: INodeParameters,
	engine: Engine,
	work: (scene: SlowScene) => Promise<void>,
): Promise<void> {
	const service = new PolledService();
	const add = (id: string, at = Date.now()) =>
		service.facts.push({
			id,
			startedAt: at,
			appearsAt: at,
			contents: [{ from: -Infinity, content: 'a' }],
		});
	for (let number = 0; number < 80; number++)
		add(`record ${number}`, startOfTime - (80 - number) * minuteMs);
	const wire = new Wire();
	wire.answerBy(async (request) => await service.answer(request));
	const workflow = new PolledWorkflow({
		engine,
		credential: { baseUrl: 'https://api.example', apiKey: 'the-api-key' },
		parameters: { pageId: 'page_1', ...parameters },
	});
	const poll = async () => {
		await sleep(minuteMs);
		await workflow.tick();
	};
	const respondAfter = (ms: number) => {
		service.onRequest = async () => {
			await sleep(ms);
			return undefined;
		};
	};
	try {
		await runOnFakeClock(async () => await work({ service, workflow, add, poll, respondAfter }), {
			mostMs: 24 * 60 * minuteMs,
		});
	} finally {
		wire.close();
	}
}

const idsOf = ({ items }: PolledWorkflow) =>
	items.map(({ personId, audienceSessionId }) => personId ?? audienceSessionId);

describe('a list that takes longer than a poll may', () => {
	it.each(['memory', 'scheduler', 'durable'] as const)(
		'gets its snapshot in several polls, and what comes meanwhile is not lost (%s)',
		async (engine) => {
			await play({ event: 'newPerson' }, engine, async (scene) => {
				scene.respondAfter(8_000);
				await scene.workflow.activate();
				scene.add('meanwhile');
				const before = scene.service.requests;
				await scene.poll();
				expect(scene.service.requests).toBeGreaterThan(before);
				for (let polls = 0; polls < 4; polls++) await scene.poll();
				expect(scene.workflow.failures).toEqual([]);
				expect(idsOf(scene.workflow)).toEqual(['meanwhile']);
			});
		},
	);

	it.each(['memory', 'scheduler', 'durable'] as const)(
		'starts the workflow for a part in each poll, once for each record (%s)',
		async (engine) => {
			const parameters = { event: 'newPerson', options: { startFrom: 'all' } };
			await play(parameters, engine, async (scene) => {
				scene.respondAfter(8_000);
				await scene.workflow.activate();
				expect(scene.workflow.items.length).toBeLessThan(80);
				for (let polls = 0; polls < 6; polls++) await scene.poll();
				expect(scene.workflow.executions.length).toBeGreaterThan(1);
				expect(idsOf(scene.workflow).sort()).toEqual(
					scene.service.facts.map(({ id }) => id).sort(),
				);
			});
		},
	);

	it('begins anew where the service does not go on, and tells once that it never ends', async () => {
		await play({ event: 'newPerson' }, 'scheduler', async (scene) => {
			scene.respondAfter(8_000);
			await scene.workflow.activate();
			for (let polls = 0; polls < 4; polls++) {
				scene.service.forgetListings();
				await scene.poll();
			}
			expect(scene.workflow.failures.map(({ message }) => message)).toEqual([
				'The list takes longer to read than a poll may take',
			]);
			scene.respondAfter(0);
			scene.service.forgetListings();
			scene.add('meanwhile');
			await scene.poll();
			scene.add('at last');
			await scene.poll();
			expect(idsOf(scene.workflow)).toEqual(['meanwhile', 'at last']);
		});
	});
});

test.each([
	['scheduler', 36_000],
	['memory', 5 * minuteMs],
] as const)('a poll ends while a request hangs (%s: after %i ms)', async (engine, budgetMs) => {
	await play({ event: 'newSession' }, engine, async (scene) => {
		await scene.workflow.activate();
		scene.respondAfter(20 * minuteMs);
		for (let polls = 0; polls < 3; polls++) {
			const begun = Date.now();
			await scene.poll();
			expect(Date.now() - begun).toBeLessThanOrEqual(minuteMs + budgetMs);
		}
		expect(scene.workflow.failures.map(({ message }) => message)).toEqual([
			'The service did not respond within the time of a poll',
		]);
		scene.respondAfter(0);
		scene.add('first');
		scene.add('second');
		await scene.poll();
		expect(idsOf(scene.workflow)).toEqual(['first', 'second']);
	});
});

test('publishing takes half a minute at most on any engine', async () => {
	await play({ event: 'newPerson' }, 'memory', async (scene) => {
		scene.respondAfter(8_000);
		await scene.workflow.activate();
		expect(Date.now() - startOfTime).toBeLessThanOrEqual(30_000);
	});
});

test('the next poll goes on with the interactions that there was no time for', async () => {
	const parameters = {
		event: 'newSession',
		options: { includeInteractions: true, concurrency: 1, startFrom: 'all' },
	};
	await play(parameters, 'scheduler', async (scene) => {
		scene.respondAfter(3_000);
		await scene.workflow.activate();
		for (let polls = 0; polls < 10; polls++) await scene.poll();
		expect(scene.workflow.failures).toEqual([]);
		expect(scene.workflow.executions.length).toBeGreaterThan(2);
		expect(idsOf(scene.workflow).sort()).toEqual(scene.service.facts.map(({ id }) => id).sort());
		expect(scene.workflow.items.every(({ interactionsFound }) => interactionsFound)).toBe(true);
	});
});

test('one poll runs at a time, and each record starts the workflow once', async () => {
	await play({ event: 'newSession' }, 'memory', async (scene) => {
		await scene.workflow.activate();
		scene.respondAfter(1_000);
		scene.add('first');
		scene.add('second');
		const before = scene.service.requests;
		await sleep(minuteMs);
		const { workflow } = scene;
		await Promise.all([workflow.tick(), workflow.tick(), workflow.tick()]);
		expect(workflow.executions).toHaveLength(1);
		expect(idsOf(workflow)).toEqual(['first', 'second']);
		// All of them are within the look-back.
		expect(scene.service.requests - before).toBe(9);
	});
});
