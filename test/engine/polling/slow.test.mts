import { sleep } from 'n8n-workflow';
import { startOfTime } from '../clock.mts';
import type { Reply } from '../wire.mts';
import { idsOf, minuteMs, play } from './slowService.mts';

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
});

/** What services respond to a position that they have forgotten. */
const expired: Array<[what: string, reply: Reply]> = [
	...[400, 401, 403, 404, 409, 410, 422, 500, 503].map((status): [string, Reply] => [
		`with ${status}`,
		{ status, body: 'no' },
	]),
	['with a lost connection', { lost: 'ECONNRESET', message: 'lost' }],
	['with an empty page', { status: 200, body: { items: [], hasMore: false, nextCursor: null } }],
	['with something else than a list', { status: 200, body: 'Sign in' }],
];

describe.each(['newPerson', 'accountActivity'])('a forgotten position of a list (%s)', (event) => {
	it.each(expired)('%s has the next poll start it again', async (_, reply) => {
		await play({ event, accountId: `account_${'a'.repeat(26)}` }, 'scheduler', async (scene) => {
			scene.respondAfter(8_000);
			await scene.workflow.activate();
			scene.respondAfter(0);
			scene.service.expired = reply;
			scene.service.forgetListings();
			scene.add('meanwhile');
			await scene.poll();
			scene.add('later');
			await scene.poll();
			await scene.poll();
			expect(scene.workflow.failures).toEqual([]);
			expect(idsOf(scene.workflow)).toEqual(['meanwhile', 'later']);
		});
	});
});

test('a position whose page never comes starts the list again in the next poll', async () => {
	await play({ event: 'newPerson' }, 'durable', async (scene) => {
		scene.respondAfter(8_000);
		await scene.workflow.activate();
		scene.service.onRequest = async () => {
			await sleep(20 * minuteMs);
			return undefined;
		};
		await scene.poll();
		scene.respondAfter(0);
		scene.service.forgetListings();
		scene.add('meanwhile');
		await scene.poll();
		await scene.poll();
		expect(idsOf(scene.workflow)).toEqual(['meanwhile']);
	});
});

test('a list continues in the next poll, even after the service has forgotten where it was', async () => {
	await play({ event: 'newPerson' }, 'scheduler', async (scene) => {
		scene.respondAfter(8_000);
		await scene.workflow.activate();
		scene.service.forgetListings();
		scene.add('meanwhile');
		for (let polls = 0; polls < 8; polls++) await scene.poll();
		expect(scene.workflow.failures).toEqual([]);
		expect(idsOf(scene.workflow)).toEqual(['meanwhile']);
	});
});

test('what changes before a list starts again starts the workflow when it changes back', async () => {
	await play({ event: 'changedPerson' }, 'scheduler', async (scene) => {
		const [{ contents }, other] = scene.service.facts;
		const change = (content: string) => contents.push({ from: scene.service.now, content });
		scene.respondAfter(8_000);
		await scene.workflow.activate();
		scene.respondAfter(0);
		scene.service.forgetListings();
		change('b');
		for (let polls = 0; polls < 2; polls++) await scene.poll();
		expect(scene.workflow.items).toEqual([]);
		change('a');
		other.contents.push({ from: scene.service.now, content: 'b' });
		await scene.poll();
		expect(scene.workflow.failures).toEqual([]);
		expect(scene.workflow.items.map(({ personId, name }) => [personId, name])).toEqual([
			['record 0', 'a'],
			['record 1', 'b'],
		]);
	});
});

describe('pages of a thousand that take too long', () => {
	/** A service that needs a second for ten records. */
	const slow = { largestLimit: 1_000 };

	it.each(['memory', 'scheduler', 'durable'] as const)(
		'are asked for as a hundred (%s)',
		async (engine) => {
			await play({ event: 'newPerson' }, engine, async (scene) => {
				Object.assign(scene.service, slow);
				scene.service.onRequest = async ({ query }) => {
					if (Number(query.limit) > 100) await sleep(20 * minuteMs);
					return undefined;
				};
				await scene.workflow.activate();
				scene.add('meanwhile');
				await scene.poll();
				expect(scene.workflow.failures).toEqual([]);
				expect(idsOf(scene.workflow)).toEqual(['meanwhile']);
			});
		},
	);
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

test('interactions that do not come are told once, and their sessions come with them later', async () => {
	const parameters = { event: 'newSession', options: { includeInteractions: true } };
	await play(parameters, 'scheduler', async ({ service, workflow, add, poll, respondAfter }) => {
		await workflow.activate();
		add('first');
		add('second');
		service.onRequest = async ({ path }) => {
			if (path.endsWith('/interactions')) await sleep(20 * minuteMs);
			return undefined;
		};
		for (let polls = 0; polls < 3; polls++) await poll();
		expect(workflow.failures.map(({ message }) => message)).toEqual([
			'The service did not respond within the time of a poll',
		]);
		respondAfter(0);
		await poll();
		expect(idsOf(workflow)).toEqual(['first', 'second']);
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

describe('Fetch Test Event of a list that takes longer than a minute', () => {
	/** Of 80 sessions, ten to a page, only so many are read in time. */
	const slowMs = 9_000;
	const submitted = (form: string) => [{ from: -Infinity, content: 'a', form }];

	it('returns the newest of the part that was read, and says so in the log', async () => {
		await play({ event: 'newSession' }, 'memory', async ({ workflow, ...scene }) => {
			scene.respondAfter(slowMs);
			const begun = Date.now();
			const items = await workflow.fetchTestEvent();
			expect(Date.now() - begun).toBeLessThanOrEqual(minuteMs);
			const ids = scene.service.facts.map(({ id }) => id);
			const found = items.map(({ audienceSessionId }) => String(audienceSessionId));
			const newest = ids.indexOf(found[0]);
			expect(newest).toBeGreaterThan(10);
			expect(newest).toBeLessThan(ids.length - 1);
			expect(found).toEqual(ids.slice(newest - 9, newest + 1).reverse());
			expect(workflow.log).toEqual([
				'Page Audience Polling Trigger: The list takes longer to read than a test may take. The test event may not be the newest.',
			]);
		});
	});

	it('does not say that there are none', async () => {
		await play({ event: 'formSubmission' }, 'memory', async ({ workflow, ...scene }) => {
			const [last] = scene.service.facts.slice(-1);
			last.contents = submitted('form 1');
			scene.respondAfter(slowMs);
			await expect(workflow.fetchTestEvent()).rejects.toMatchObject({
				message: 'The list takes longer to read than a test may take',
				description:
					'The part that was read has no form submissions. Submit the form of the page, then fetch again. If that finds none, set Options > Look Back (Hours) to a smaller number.',
			});
			scene.respondAfter(0);
			expect(await workflow.fetchTestEvent()).toMatchObject([{ audienceSessionId: last.id }]);
			expect(workflow.log).toEqual([]);
		});
	});

	it('says how to get one where only older ones take too long', async () => {
		await play({ event: 'formSubmission' }, 'memory', async ({ workflow, ...scene }) => {
			await sleep(3 * 24 * 60 * minuteMs);
			scene.respondAfter(slowMs);
			await expect(workflow.fetchTestEvent()).rejects.toMatchObject({
				description: expect.stringContaining('Submit the form of the page, then fetch again.'),
			});
			scene.add('new');
			const [last] = scene.service.facts.slice(-1);
			last.contents = submitted('form 1');
			expect(await workflow.fetchTestEvent()).toMatchObject([{ audienceSessionId: last.id }]);
		});
	});

	it('returns those of the pages that were read, and fails where there are none', async () => {
		const options = { morePages: { page: [{ pageId: 'page_2' }] } } as never;
		await play({ event: 'newSession', options }, 'memory', async ({ workflow, ...scene }) => {
			scene.add('second', undefined, 'page_2');
			let hangs = /page_2/;
			scene.service.onRequest = async ({ path }) => {
				if (hangs.test(path)) await sleep(20 * minuteMs);
				return undefined;
			};
			expect(await workflow.fetchTestEvent()).toHaveLength(10);
			expect(workflow.log).toHaveLength(1);
			hangs = /page_1/;
			await expect(workflow.fetchTestEvent()).rejects.toThrow(
				'The service did not respond within the time of a poll',
			);
		});
	});

	it('reads the interactions while a request for the list hangs', async () => {
		const options = { includeInteractions: true, concurrency: 1 };
		await play({ event: 'newSession', options }, 'memory', async ({ workflow, ...scene }) => {
			scene.service.onRequest = async ({ query }) => {
				if (query.cursor !== undefined) await sleep(20 * minuteMs);
				return undefined;
			};
			const items = await workflow.fetchTestEvent();
			expect(items.map(({ interactionsFound }) => interactionsFound)).toEqual(
				Array.from({ length: 10 }, () => true),
			);
		});
	});

	it('leaves time for the interactions', async () => {
		const options = { includeInteractions: true };
		await play({ event: 'newSession', options }, 'memory', async ({ workflow, ...scene }) => {
			scene.respondAfter(5_000);
			const items = await workflow.fetchTestEvent();
			expect(items).toHaveLength(10);
			expect(items.every(({ interactionsFound }) => interactionsFound)).toBe(true);
		});
	});
	it('does not say that there are none where only the interactions hang', async () => {
		const options = { includeInteractions: true };
		await play({ event: 'newSession', options }, 'memory', async ({ workflow, ...scene }) => {
			scene.service.onRequest = async ({ path }) => {
				if (path.endsWith('/interactions')) await sleep(20 * minuteMs);
				return undefined;
			};
			await expect(workflow.fetchTestEvent()).rejects.toThrow(
				'The service did not respond within the time of a poll',
			);
		});
	});
});
