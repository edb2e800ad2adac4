import { randomBytes } from 'node:crypto';
import type { WebhookSubscription } from '../../sandbox/index.mts';
import type { JsonObject } from '../../tools/n8n/execution.mts';
import type { LiveTrigger, Options } from '../e2e/trigger/liveTrigger.mts';
import { deliver, untilTaken } from '../e2e/trigger/stage.mts';
import { waitFor } from '../waitFor.mts';
import { endsWithinMs, patienceMs, QueueStage, startsWithinMs } from './queueStage.mts';

jest.setTimeout(2 * patienceMs);

let stage: QueueStage;
let both: string[];
beforeAll(async () => {
	stage = await QueueStage.open({ webhooks: 2 });
	both = stage.cluster.balancer.webhooks;
}, startsWithinMs);
afterAll(async () => await stage.close(), endsWithinMs);
afterEach(async () => {
	stage.cluster.balancer.webhooks = both;
	await stage.triggers.clear();
});

const free = {
	url: 'https://example.com/old?secret=s3',
	events: ['form.enriched' as const],
	active: false,
};
type Scene = { subscription: WebhookSubscription; trigger: LiveTrigger };

async function publish(options: Options = {}): Promise<Scene> {
	const subscription = stage.triggers.subscription(free);
	const trigger = await stage.triggers.trigger(subscription, options);
	await trigger.publish();
	return { subscription, trigger };
}

const mostAtOnce = 25;

/** Sends so many events, many of them at once, and returns the statuses. */
async function emit({ subscription }: Scene, count: number): Promise<Array<number | undefined>> {
	const statuses: Array<number | undefined> = [];
	let next = 0;
	async function sendNext(): Promise<void> {
		while (next < count) {
			const n = next++;
			statuses[n] = await stage.triggers.emitUntilTaken(subscription, 'form.submitted', { n });
		}
	}
	await Promise.all(Array.from({ length: mostAtOnce }, sendNext));
	return statuses;
}

const send = async (url: string, body: JsonObject): Promise<number> =>
	await untilTaken(async () => await deliver(url, body));

/** Deliveries that n8n refused since the list of deliveries was emptied. */
const countRefused = (): number =>
	stage.sandbox.deliveries.filter(({ status }) => status === 503).length;

/** How many requests each webhook process got since the balancer began to count. */
const listCounts = (): number[] => both.map((url) => stage.cluster.balancer.counts.get(url) ?? 0);

/** The numbers of the events that started the workflow. */
async function listStarted({ trigger }: Scene, count: number): Promise<number[]> {
	const runs = await trigger.runs(count, patienceMs);
	expect(runs.filter(({ status }) => status !== 'success')).toEqual([]);
	return runs.map(({ items }) => (items[0].data as { n: number }).n).sort((a, b) => a - b);
}

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

test.each([1, 2])(
	'300 deliveries at %d webhook process(es) start the workflow once each, on the workers',
	async (processes) => {
		const { balancer } = stage.cluster;
		balancer.webhooks = both.slice(0, processes);
		const scene = await publish();
		expect(scene.subscription.url).toContain(stage.cluster.webhookUrl);
		balancer.counts.clear();
		stage.sandbox.deliveries.length = 0;
		const statuses = await emit(scene, 300);
		const refused = countRefused();
		expect(statuses).toEqual(upTo(300).map(() => 200));
		expect(await listStarted(scene, 300)).toEqual(upTo(300));
		const counts = listCounts();
		expect(counts[1] > 0).toBe(processes === 2);
		expect(counts[0] + counts[1]).toBe(300 + refused);
		const executions = await scene.trigger.listExecutions();
		const workers = executions.map(({ id }) => stage.cluster.findWorker(id));
		expect(new Set(workers)).toEqual(new Set([1, 2]));
		await scene.trigger.unpublish();
		expect(scene.subscription).toMatchObject(free);
	},
);

test('each webhook process rejects forged deliveries with 401, and starts nothing', async () => {
	const scene = await publish();
	const { productionUrl } = scene.trigger;
	const other = await publish();
	const wrong = `${productionUrl}?token=${randomBytes(32).toString('hex')}`;
	const foreign = productionUrl + new URL(other.subscription.url).search;
	// Each twice, so that each process gets each.
	const forged = [productionUrl, wrong, foreign].flatMap((url) => [url, url]);
	const statuses: number[] = [];
	for (const url of forged) statuses.push(await send(url, { event: 'form.submitted' }));
	expect(statuses).toEqual(forged.map(() => 401));
	expect(await scene.trigger.listExecutions()).toEqual([]);
	expect(await emit(scene, 4)).toEqual([200, 200, 200, 200]);
	expect(await listStarted(scene, 4)).toEqual(upTo(4));
});

test('unpublishing restores the subscription, and both webhook processes respond 404', async () => {
	const scene = await publish();
	const { url } = scene.subscription;
	await scene.trigger.unpublish();
	expect(scene.subscription).toMatchObject(free);
	const body = { event: 'form.submitted' };
	expect([await send(url, body), await send(url, body)]).toEqual([404, 404]);
	expect(await scene.trigger.listExecutions()).toEqual([]);
});

test('a test run on the main process leaves production on the webhook processes', async () => {
	const scene = await publish();
	const { subscription, trigger } = scene;
	const { url } = subscription;
	const { balancer } = stage.cluster;
	await trigger.listen();
	balancer.counts.clear();
	stage.sandbox.deliveries.length = 0;
	expect(await emit(scene, 20)).toEqual(upTo(20).map(() => 200));
	await waitFor('the end of the test', () => subscription.url === url, patienceMs);
	const runs = await trigger.runs(21, patienceMs);
	const numbersOf = (mode: string) =>
		runs
			.filter((run) => run.mode === mode)
			.map(({ items }) => (items[0].data as { n: number }).n)
			.sort((a, b) => a - b);
	expect(numbersOf('webhook')).toEqual(upTo(20));
	expect(numbersOf('manual').length).toBeGreaterThan(0);
	const received = 20 + countRefused();
	expect(listCounts().sort((a, b) => a - b)).toEqual([
		Math.floor(received / 2),
		Math.ceil(received / 2),
	]);
	// The copies.
	expect(balancer.counts.get(stage.cluster.url)).toBeGreaterThan(0);
	await trigger.unpublish();
	expect(subscription).toMatchObject(free);
});

test('deliveries while no worker runs are executed once each when the workers are back', async () => {
	const scene = await publish();
	const { workers } = stage.cluster;
	await Promise.all(workers.map(async (worker) => await worker.kill()));
	expect(await emit(scene, 20)).toEqual(upTo(20).map(() => 200));
	await Promise.all(workers.map(async (worker) => await worker.start()));
	expect(await listStarted(scene, 20)).toEqual(upTo(20));
});

test('a webhook process that is killed and started again continues', async () => {
	const scene = await publish();
	const [first, second] = stage.cluster.webhooks;
	await second.kill();
	stage.cluster.balancer.webhooks = [first.url];
	expect(await emit(scene, 5)).toEqual(upTo(5).map(() => 200));
	await second.start();
	stage.cluster.balancer.webhooks = [second.url];
	expect(await send(scene.trigger.productionUrl, { event: 'form.submitted' })).toBe(401);
	expect(await emit(scene, 5)).toEqual(upTo(5).map(() => 200));
	expect(await listStarted(scene, 10)).toEqual(upTo(5).flatMap((n) => [n, n]));
});

describe('Options > Duplicates: Drop', () => {
	const body = (n: number) => ({ event: 'form.submitted', n });

	test('with two webhook processes, lets each of them start the workflow once', async () => {
		const { subscription, trigger } = await publish({ duplicates: 'drop' });
		for (const n of [1, 1, 1, 1, 2, 2]) {
			expect(await send(subscription.url, body(n))).toBe(200);
		}
		const runs = await trigger.runs(4, patienceMs);
		expect(runs.map(({ items }) => items[0].n).sort()).toEqual([1, 1, 2, 2]);
	});

	test('with a load balancer that chooses the process by the path, drops them all', async () => {
		const scenes = [await publish({ duplicates: 'drop' }), await publish({ duplicates: 'drop' })];
		stage.cluster.balancer.byPath = true;
		try {
			for (const { subscription, trigger } of scenes) {
				for (const n of [1, 1, 1, 2, 2]) expect(await send(subscription.url, body(n))).toBe(200);
				const runs = await trigger.runs(2, patienceMs);
				expect(runs.map(({ items }) => items[0].n).sort()).toEqual([1, 2]);
			}
		} finally {
			stage.cluster.balancer.byPath = false;
		}
	});
});
