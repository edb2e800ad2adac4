import { minuteMs, morePages, setUpScenes } from './scene.mts';

const open = setUpScenes();

test('sessions of several pages start one execution, the oldest first', async () => {
	// A page that is named twice is read once.
	const byId = { __rl: true, mode: 'id', value: 'page_3' };
	const options = morePages('page_2', byId, 'page_2', 'page_1');
	const scene = open({ event: 'newSession', options });
	const { workflow } = scene;
	scene.service.largestLimit = 1_000;
	await workflow.activate();
	expect(scene.requests).toHaveLength(3);
	const pageIds = ['page_3', 'page_1', 'page_2', 'page_3'];
	for (const [n, page] of pageIds.entries()) scene.add(`${n}`, { at: Date.now() - n, page });
	await scene.poll(2);
	expect(workflow.executions).toHaveLength(1);
	expect(scene.ids).toEqual(['3', '2', '1', '0']);
	expect(workflow.items.map(({ pageId }) => pageId)).toEqual(pageIds.reverse());
});

test('a page that fails leaves the others alone, and is told when nothing is found', async () => {
	const options = morePages('page_2', 'page_3');
	const scene = open({ event: 'newSession', options });
	const { workflow } = scene;
	const gone = 'Page "page_2" was not found (404)';
	await workflow.activate();
	await scene.poll();
	scene.respond({ status: 404, body: 'no' }, /page_2/);
	scene.add('first');
	scene.add('second', { page: 'page_2' });
	scene.add('third', { page: 'page_3' });
	await scene.poll();
	expect(scene.ids).toEqual(['first', 'third']);
	expect(workflow.failures).toEqual([]);
	expect(workflow.log).toEqual([expect.stringContaining(`${gone}. The next poll retries.`)]);
	await scene.poll(3);
	expect(workflow.failures.map(({ message }) => message)).toEqual([gone]);
	scene.recover();
	await scene.poll();
	expect(scene.ids).toEqual(['first', 'third', 'second']);
});

test('pages of which one hangs are read from the second poll on', async () => {
	const options = { ...morePages('page_2', 'page_3'), concurrency: 1 };
	const scene = open({ event: 'newSession', options });
	await scene.workflow.activate();
	scene.respondAfter(20 * minuteMs, /page_1/);
	for (let polls = 1; polls <= 4; polls++) {
		scene.add(`second ${polls}`, { page: 'page_2' });
		scene.add(`third ${polls}`, { page: 'page_3' });
		await scene.poll();
		// The first one begins with the page that hangs.
		expect(scene.ids).toHaveLength(polls === 1 ? 0 : 2 * polls);
	}
	scene.add('first');
	scene.recover();
	await scene.poll();
	expect(scene.ids.at(-1)).toBe('first');
});
