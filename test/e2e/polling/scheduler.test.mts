import { OwnN8n } from '../trigger/ownN8n.mts';
import { PollingStage } from './pollingStage.mts';

const scheduler = { N8N_SCHEDULER_ENABLED: 'true', N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true' };

/** n8n's scheduler polls once a minute and not at a start, so both ways of storing the state are tried at once. */
const worlds = [
	new OwnN8n(scheduler),
	new OwnN8n({ ...scheduler, N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true' }),
].map((n8n) => ({ n8n, stage: undefined as PollingStage | undefined }));

beforeAll(async () => {
	for (const world of worlds)
		world.stage = await PollingStage.open(await world.n8n.start(), 'newer');
}, 360_000);
afterAll(async () => {
	for (const { n8n, stage } of worlds) {
		await stage?.close();
		await n8n.remove();
	}
}, 120_000);

test('with the scheduler, with and without durable cursors, each session starts the workflow once', async () => {
	await Promise.all(worlds.map(async (world) => await play(world)));
}, 600_000);

async function play({ n8n, stage }: (typeof worlds)[number]): Promise<void> {
	if (!stage) throw new Error('n8n starts before the test');
	const workflow = await stage.create({ event: 'newSession', pageId: stage.pageId });
	await workflow.publish();
	// Before the second poll: only the stock taken at publishing tells these from what was there.
	const first = [stage.addSession(1), stage.addSession()];
	await stage.untilPolled();
	const firstRun = { status: 'success', ids: first };
	expect(await workflow.runs(1)).toEqual([firstRun]);
	await n8n.kill();
	const second = stage.addSession(3);
	await stage.reconnect(await n8n.start());
	await stage.untilPolled();
	expect(await workflow.runs(2)).toEqual([firstRun, { status: 'success', ids: [second] }]);
	await workflow.unpublish();
}
