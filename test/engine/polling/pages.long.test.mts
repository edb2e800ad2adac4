import { sleep } from 'n8n-workflow';
import type { Engine } from './polledWorkflow.mts';
import { openScene } from './scene.mts';
import { idsOf, minuteMs, play } from './slowService.mts';

const scene = openScene();
const engines: Engine[] = ['memory', 'scheduler', 'durable'];

const more = (...pages: unknown[]) => ({
	morePages: { page: pages.map((pageId) => ({ pageId })) } as never,
});
const pagesOf = () => scene.sandbox.store.pages.all().map(({ pageId }) => pageId);
const isGone = (pageId: string) =>
	scene.sandbox.faults.add({
		kind: 'status',
		status: 404,
		path: new RegExp(`/pages/${pageId}/`),
		times: 1_000,
	});

describe.each(engines)('several pages (%s)', (engine) => {
	it.each(['formSubmission', 'newSession', 'changedSession'])(
		'start one execution, the oldest session first, each with its page (%s)',
		async (event) => {
			const [first, second, third] = pagesOf();
			const options = more(second, { __rl: true, mode: 'id', value: third }, second, first);
			const workflow = scene.poll({ event, options }, engine);
			await workflow.activate();
			expect(workflow.executions).toEqual([]);
			const sessions = [
				{ pageId: third, hoursAgo: 1 },
				{ pageId: first, hoursAgo: 3 },
				{ pageId: second, hoursAgo: 2 },
				{ pageId: third, hoursAgo: 4 },
			].map((each) => scene.addSession({ ...each, isSubmitted: true }));
			const before = scene.sandbox.requests.length;
			await workflow.tick();
			// A page that is named twice is read once.
			expect(scene.sandbox.requests).toHaveLength(before + 3);
			await workflow.tick();
			expect(workflow.executions).toHaveLength(1);
			expect(workflow.items).toMatchObject(
				[3, 1, 2, 0].map((n) => ({
					audienceSessionId: sessions[n].audienceSessionId,
					pageId: sessions[n].pageId,
				})),
			);
		},
	);

	it('leave each other as they are when one is added, removed or comes first', async () => {
		const [first, second, third] = pagesOf();
		const workflow = scene.poll({ event: 'newSession' }, engine);
		const publish = async (pageId: string, ...others: string[]) => {
			workflow.parameters = { ...workflow.parameters, pageId, options: more(...others) };
			workflow.deactivate();
			await workflow.activate();
			await workflow.tick();
		};
		await publish(first);
		const add = (pageId: string) => scene.addSession({ pageId }).audienceSessionId;
		const found = [add(first)];
		add(second);
		await publish(first, second);
		found.push(add(first), add(second));
		add(third);
		await publish(third, second, first);
		found.push(add(second), add(first), add(third));
		await workflow.tick();
		await publish(first, third);
		add(second);
		found.push(add(third), add(first));
		// It was forgotten: what exists by now is noted again.
		await publish(second, first, third);
		found.push(add(second), add(first), add(third));
		await workflow.kill();
		await workflow.tick();
		expect(workflow.failures).toEqual([]);
		const ids = workflow.items.map(({ audienceSessionId }) => audienceSessionId);
		expect(ids.sort()).toEqual(found.sort());
	});

	it('that fail leave the others alone, and are told when nothing is found', async () => {
		const [first, second, third] = pagesOf();
		const workflow = scene.poll({ event: 'newSession', options: more(second, third) }, engine);
		await workflow.activate();
		await workflow.tick();
		const found: string[] = [];
		const poll = async (...pages: string[]) => {
			found.push(...pages.map((pageId) => scene.addSession({ pageId }).audienceSessionId));
			await workflow.tick();
		};
		isGone(second);
		await poll(third, first);
		expect(workflow.failures).toEqual([]);
		expect(workflow.log).toEqual([
			expect.stringContaining(
				`GET /v0/pages/${second}/audience_sessions was not found (404). The next poll retries.`,
			),
		]);
		await poll();
		await poll();
		await poll(third);
		expect(workflow.failures.map(({ message }) => message)).toEqual([
			`GET /v0/pages/${second}/audience_sessions was not found (404)`,
		]);
		await workflow.kill();
		for (let polls = 0; polls < 2; polls++) await poll(first, second);
		scene.sandbox.faults.clear();
		await poll();
		await poll(second);
		const ids = workflow.items.map(({ audienceSessionId }) => audienceSessionId);
		expect(ids.sort()).toEqual(found.sort());
	});

	it('are published over several polls, and miss nothing that comes in between', async () => {
		const pages = Array.from({ length: 10 }, (_, number) => `page_${number + 2}`);
		await play({ event: 'newSession', options: more(...pages) }, engine, async (each) => {
			for (const page of pages)
				for (let number = 0; number < 5; number++)
					each.add(`${page} ${number}`, each.service.now - number * minuteMs - 1, page);
			each.service.largestLimit = 1_000;
			each.respondAfter(4_000);
			await each.workflow.activate();
			// There was no time for the last ones.
			expect(each.service.firstListed.size).toBeLessThan(pages.length);
			for (const page of pages) each.add(`new on ${page}`, each.service.now - 1, page);
			each.add('new');
			for (let polls = 0; polls < 4; polls++) await each.poll();
			expect(each.workflow.failures).toEqual([]);
			const found = ['new', ...pages.map((page) => `new on ${page}`)];
			expect(idsOf(each.workflow).sort()).toEqual(found.sort());
		});
	});

	it('of which one hangs are read from the second poll on', async () => {
		const options = { ...more('page_2', 'page_3'), concurrency: 1 };
		await play({ event: 'newSession', options }, engine, async (each) => {
			await each.workflow.activate();
			each.service.onRequest = async ({ path }) => {
				if (path.includes('page_1')) await sleep(20 * minuteMs);
				return undefined;
			};
			for (let polls = 1; polls <= 4; polls++) {
				each.add(`second ${polls}`, undefined, 'page_2');
				each.add(`third ${polls}`, undefined, 'page_3');
				await each.poll();
				// The first one begins with the page that hangs.
				expect(each.workflow.items).toHaveLength(polls === 1 ? 0 : 2 * polls);
			}
			each.add('first');
			each.respondAfter(0);
			await each.poll();
			expect(idsOf(each.workflow).at(-1)).toBe('first');
			expect(each.workflow.log).toContainEqual(
				expect.stringContaining('Page "page_1": The service did not respond within the time'),
			);
		});
	});

	it('get their interactions although those of one page take all of its time', async () => {
		const options = {
			...more('page_2'),
			includeInteractions: true,
			concurrency: 1,
			startFrom: 'all',
		};
		await play({ event: 'newSession', options }, engine, async (each) => {
			for (let number = 0; number < 5; number++) each.add(`second ${number}`, undefined, 'page_2');
			each.respondAfter(3_000);
			await each.workflow.activate();
			for (let polls = 0; polls < 30; polls++) await each.poll();
			expect(each.workflow.failures).toEqual([]);
			expect(idsOf(each.workflow).sort()).toEqual(each.service.facts.map(({ id }) => id).sort());
			expect(each.workflow.items.every(({ interactionsFound }) => interactionsFound)).toBe(true);
		});
	});
});

describe('publishing', () => {
	it('with a page that does not exist is refused each time, and keeps nothing', async () => {
		const [first, second] = pagesOf();
		const workflow = scene.poll({
			event: 'newSession',
			options: { ...more('page_gone', second), startFrom: 'all' },
		});
		for (let tried = 0; tried < 5; tried++)
			await expect(workflow.activate()).rejects.toThrow(
				'GET /v0/pages/page_gone/audience_sessions was not found (404)',
			);
		expect(workflow.staticData).toEqual({});
		workflow.parameters = {
			...workflow.parameters,
			options: { ...more(second), startFrom: 'all' },
		};
		await workflow.activate();
		const { sessions } = scene.sandbox.store;
		expect(workflow.items).toHaveLength(sessions.of(first).length + sessions.of(second).length);
	});

	it('names each page that cannot be read', async () => {
		const workflow = scene.poll({
			event: 'newSession',
			options: more('page_gone', 'page_closed'),
		});
		scene.sandbox.faults.add({ kind: 'status', status: 403, path: /page_closed/, times: 10 });
		await expect(workflow.activate()).rejects.toThrow(
			'GET /v0/pages/page_gone/audience_sessions was not found (404); Page "page_closed": The API key has no access to this (403)',
		);
	});

	it('with a rejected API key says so once', async () => {
		const workflow = scene.poll({ event: 'newSession', options: more(...pagesOf()) });
		workflow.credential = { ...scene.credential, apiKey: 'wrong' };
		await expect(workflow.activate()).rejects.toThrow(/^The API key was rejected \(401\)$/);
		expect(scene.sandbox.requests).toHaveLength(1);
	});

	it.each([
		[[''], 'Options > More Pages > Page 1 is blank: fill it in or remove it'],
		[['page_2', { __rl: true, mode: 'list', value: '' }], 'Options > More Pages > Page 2 is blank'],
		[
			['={{ ["page_2", "page_3"] }}'],
			'Options > More Pages > Page 1 > Page must be text, but is an array',
		],
		[['https://example.com/page_2'], 'Options > More Pages > Page 1 > Page must be an ID'],
	])('with %j is refused, and nothing is sent', async (pages, message) => {
		const workflow = scene.poll({ event: 'newSession', options: more(...pages) });
		await expect(workflow.activate()).rejects.toThrow(message);
		expect(scene.sandbox.requests).toEqual([]);
	});
});

describe('n8n that starts while one page fails', () => {
	it.each(engines)('does not end the trigger, and tells it once (%s)', async (engine) => {
		const [first, second] = pagesOf();
		const workflow = scene.poll({ event: 'newSession', options: more(second) }, engine);
		await workflow.activate();
		await workflow.tick();
		isGone(second);
		await workflow.kill();
		for (let polls = 0; polls < 3; polls++) await workflow.tick();
		expect(workflow.failures).toHaveLength(1);
		scene.addSession({ pageId: first });
		await workflow.tick();
		expect(workflow.items).toHaveLength(1);
	});
});

test('other events ignore pages that were chosen before', async () => {
	const workflow = scene.poll({ event: 'newPerson', options: more('', 'page_gone') });
	await workflow.activate();
	await workflow.tick();
	expect(new Set(scene.sandbox.requests.map(({ path }) => path))).toEqual(new Set(['/v0/persons']));
});

describe('Fetch Test Event', () => {
	it('returns the newest of all pages', async () => {
		const [, second, third] = pagesOf();
		const sessions = [
			{ pageId: second, hoursAgo: 2 },
			{ hoursAgo: 3 },
			{ pageId: third, hoursAgo: 1 },
			// Of a page alone, it would be the newest.
			{ pageId: third, hoursAgo: 4 },
		].map((each) => scene.addSession(each));
		const workflow = scene.poll({ event: 'newSession', options: more(second, third) });
		expect(await workflow.fetchTestEvent()).toMatchObject(
			[2, 0, 1, 3].map((n) => ({ audienceSessionId: sessions[n].audienceSessionId })),
		);
	});

	it('says which page is wrong', async () => {
		const workflow = scene.poll({ event: 'newSession', options: more('page_gone') });
		scene.addSession();
		await expect(workflow.fetchTestEvent()).rejects.toThrow(
			'GET /v0/pages/page_gone/audience_sessions was not found (404)',
		);
	});
});
