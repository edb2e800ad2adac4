import { setUpQueue, patienceMs } from '../n8n/queue.mts';
import {
	addSubscription,
	deliver,
	unused,
	untilRestored,
	WebhookTrigger,
} from '../n8n/triggers.mts';

jest.setTimeout(2 * patienceMs);

const setup = setUpQueue(2);
afterEach(async () => await setup.clear());

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);
const mostAtOnce = 25;

/** Sends so many events, many of them at once. Each is accepted. */
async function emit(trigger: WebhookTrigger, count: number): Promise<void> {
	const numbers = upTo(count);
	async function sendNext(): Promise<void> {
		for (let n = numbers.shift(); n !== undefined; n = numbers.shift())
			expect(await trigger.emit('form.submitted', { n })).toBe(200);
	}
	await Promise.all(Array.from({ length: mostAtOnce }, sendNext));
}

/** The numbers of the events that started the workflow. */
async function listStarted(trigger: WebhookTrigger, count: number, mode = 'webhook') {
	const runs = await trigger.runs(count, patienceMs);
	expect(runs.filter(({ status }) => status !== 'success')).toEqual([]);
	const started = runs.filter((run) => run.mode === mode);
	return started.map(({ items }) => (items[0].data as { n: number }).n).sort((a, b) => a - b);
}

test('100 deliveries at two webhook processes start the workflow once each, on the workers', async () => {
	const { balancer, webhookUrl } = setup;
	const trigger = await WebhookTrigger.createPublished(setup);
	expect(trigger.subscription.url).toContain(webhookUrl);
	// Twice, so that each process gets one.
	for (const token of ['forged', 'forged'])
		expect(await deliver(`${trigger.productionUrl}?token=${token}`, {})).toBe(401);
	balancer.counts.clear();
	await emit(trigger, 100);
	expect(await listStarted(trigger, 100)).toEqual(upTo(100));
	for (const { url } of setup.webhooks) expect(balancer.counts.get(url)).toBeGreaterThan(0);
	const executions = await setup.client.listExecutions(trigger.id);
	const workers = executions.map(({ id }) => setup.findWorker(id));
	expect(new Set(workers)).toEqual(new Set([1, 2]));
	const { url } = trigger.subscription;
	await trigger.unpublish();
	expect(trigger.subscription).toMatchObject(unused);
	const late = async () => await deliver(url, { event: 'form.submitted' });
	expect([await late(), await late()]).toEqual([404, 404]);
});

test('a test takes its events on the main process, beside production on the webhook processes', async () => {
	const forTests = addSubscription(setup);
	const options = { testSubscriptionId: forTests.subscriptionId };
	const trigger = await WebhookTrigger.createPublished(setup, options);
	await trigger.listen();
	await emit(trigger, 20);
	expect(await deliver(forTests.url, { event: 'form.submitted', data: { n: 20 } })).toBe(200);
	await untilRestored(forTests, unused);
	expect(await listStarted(trigger, 21)).toEqual(upTo(20));
	expect(await listStarted(trigger, 21, 'manual')).toEqual([20]);
	await trigger.unpublish();
	expect(trigger.subscription).toMatchObject(unused);
});

test('Duplicates: Drop drops what reaches one webhook process, not what reaches two', async () => {
	const { balancer, webhooks } = setup;
	const urls = webhooks.map(({ url }) => url);
	for (const [balanced, started] of [
		[urls, [1, 1, 2, 2]],
		// For one path, as with nginx's `hash $uri`.
		[urls.slice(0, 1), [1, 2]],
	] as const) {
		balancer.webhooks = balanced;
		const trigger = await WebhookTrigger.createPublished(setup, { ignoreDuplicates: true });
		for (const n of [1, 1, 1, 1, 2, 2])
			expect(await trigger.emit('form.submitted', { n })).toBe(200);
		expect(await listStarted(trigger, started.length)).toEqual(started);
	}
	balancer.webhooks = urls;
});
