import type { Guesses } from '../../../sandbox/index.mts';
import { moveToTokyo } from '../../inTokyo.mts';
import { openScene } from './scene.mts';

/** Two sessions to a page, so that every list has many. */
const scene = openScene({ guesses: { defaultLimit: 2, maximumLimit: 2 } });

const orders: Array<Guesses['sessionOrder']> = ['oldestFirst', 'newestFirst', 'shuffled'];
const edges: Array<Guesses['sessionDateEdges']> = ['included', 'excluded', 'endExcluded'];

afterEach(() => jest.restoreAllMocks());

it('reads a time without a zone in UTC, wherever n8n runs', async () => {
	moveToTokyo();
	const workflow = scene.poll({ event: 'newSession', options: { lookBackHours: 5 } });
	await workflow.activate();
	const [late, early] = [4, 2].map((hoursAgo) => {
		const { sessionStartedAt, ...session } = scene.addSession({ hoursAgo });
		return { ...session, sessionStartedAt: sessionStartedAt.replace('Z', '') };
	});
	const body = { items: [early, late], hasMore: false, nextCursor: null, totalCount: 2 };
	scene.sandbox.faults.add({ kind: 'answer', status: 200, body, times: 2 });
	await workflow.tick();
	await workflow.tick();
	expect(workflow.items.map(({ audienceSessionId }) => audienceSessionId)).toEqual([
		late.audienceSessionId,
		early.audienceSessionId,
	]);
});

/** What the API leaves open about lists of sessions, in each combination. */
describe.each(orders)('with sessions %s', (sessionOrder) => {
	it.each(edges)(
		'and edges %s, each session starts the workflow once',
		async (sessionDateEdges) => {
			Object.assign(scene.sandbox.guesses, { sessionOrder, sessionDateEdges });
			const at = new Date(Date.now() - 6 * 3_600_000).toISOString();
			const old = [5, 30].map((hoursAgo) => scene.addSession({ hoursAgo }));
			const edge = scene.addSession({ sessionStartedAt: at });
			const workflow = scene.poll({
				event: 'newSession',
				options: { startFrom: 'date', startDate: at },
			});
			await workflow.activate();
			const added = [scene.addSession(), scene.addSession({ hoursAgo: 2 }), scene.addSession()];
			await workflow.tick();
			scene.sandbox.faults.add({ kind: 'status', status: 403, skip: 1 });
			const last = scene.addSession({ hoursAgo: 3 });
			await workflow.tick();
			await workflow.tick();
			await workflow.tick();
			const ids = workflow.items.map(({ audienceSessionId }) => audienceSessionId);
			const expected = [old[0], edge, ...added, last];
			expect(ids.sort()).toEqual(expected.map(({ audienceSessionId }) => audienceSessionId).sort());
			expect(workflow.failures).toHaveLength(1);
		},
	);
});
