import { differencesOf } from '../../../tools/n8n/release.mts';
import { testedRelease } from '../sharedN8n.mts';
import { waitFor } from '../../waitFor.mts';
import { deliver, Stage } from './stage.mts';
import { pick } from './liveTrigger.mts';

/** Where saving publishes, a test run never has other parameters than production. */
const testWithDraft = differencesOf(testedRelease().version).savingPublishes ? test.skip : test;

let stage: Stage;
beforeAll(async () => {
	stage = await Stage.open();
});
afterAll(async () => await stage.close());
afterEach(async () => await stage.clear());

const free = {
	url: 'https://example.com/old?secret=s3',
	events: ['form.enriched' as const],
	active: false,
};
type Subscription = ReturnType<Stage['subscription']>;

/** Waits for the end of a test, which n8n does not announce. */
async function untilRestored(subscription: Subscription, state: object): Promise<void> {
	const isBack = () =>
		Object.entries(state).every(
			([key, value]) => JSON.stringify(subscription[key as 'url']) === JSON.stringify(value),
		);
	await waitFor('the end of the test', isBack);
}

function queryOf({ url }: Pick<Subscription, 'url'>): Record<string, string> {
	return Object.fromEntries(new URL(url).searchParams);
}

/** A subscription that somebody else uses. */
function used(): Subscription {
	return stage.subscription({
		url: `${stage.elsewhereUrl}/hook?key=k1`,
		events: ['form.enriched', 'form.submitted'],
		active: true,
	});
}

describe('a test run without a published workflow', () => {
	test('shows the event, and restores the subscription after it', async () => {
		const subscription = stage.subscription(free);
		const trigger = await stage.trigger(subscription);
		await trigger.listen();
		expect(subscription.url).toContain(trigger.testUrl);
		expect(Object.keys(queryOf(subscription))).toEqual(['token', 'back']);
		const sent = await stage.emit(subscription, 'form.submitted', { a: 1 });
		expect(sent).toMatchObject({ status: 200 });
		expect(await trigger.runs(1)).toEqual([
			{ mode: 'manual', status: 'success', items: [sent?.payload] },
		]);
		await untilRestored(subscription, free);
	});

	test('restores the subscription when it is cancelled', async () => {
		const subscription = stage.subscription(free);
		const trigger = await stage.trigger(subscription);
		await trigger.listen();
		await trigger.stopListening();
		await untilRestored(subscription, free);
		expect(await trigger.listExecutions()).toEqual([]);
	});

	test('does not end with forged deliveries, nor with kinds that were not chosen', async () => {
		const subscription = stage.subscription(free);
		const trigger = await stage.trigger(subscription);
		await trigger.listen();
		expect(await deliver(trigger.testUrl, { event: 'form.submitted' })).toBe(401);
		expect(await deliver(subscription.url, { event: 'form.enriched' })).toBe(200);
		await stage.emit(subscription, 'form.submitted', { a: 1 });
		expect(await trigger.runs(1)).toMatchObject([{ items: [{ data: { a: 1 } }] }]);
		await untilRestored(subscription, free);
	});

	test('fails for a subscription in use, and changes nothing', async () => {
		const subscription = used();
		const before = { ...subscription };
		const trigger = await stage.trigger(subscription);
		await expect(trigger.listen()).rejects.toThrow(/Take Over/);
		expect(stage.changesOf(subscription)).toEqual([]);
		expect(subscription).toEqual(before);
	});

	test('with Take Over, is the only one that gets events, until it ends', async () => {
		const subscription = used();
		const { url, events } = subscription;
		const trigger = await stage.trigger(subscription, { takeOver: true });
		await trigger.listen();
		await stage.emit(subscription, 'form.submitted', { n: 1 });
		expect(await trigger.runs(1)).toMatchObject([{ mode: 'manual' }]);
		await untilRestored(subscription, { url, events, active: true });
		await stage.emit(subscription, 'form.submitted', { n: 2 });
		await waitFor('the delivery there', () => stage.elsewhere.length === 1);
		expect(stage.elsewhere[0].body.toString()).toContain('"n":2');
		expect(await trigger.listExecutions()).toHaveLength(1);
	});

	test('uses a subscription that still delivers to the unpublished workflow', async () => {
		const subscription = stage.subscription(free);
		const trigger = await stage.trigger(subscription, { onDeactivate: 'leave' });
		await trigger.publish();
		await trigger.unpublish();
		const { url } = subscription;
		expect(url).toContain(trigger.productionUrl);
		await trigger.listen();
		expect(subscription.url).toContain(trigger.testUrl);
		await stage.emit(subscription, 'form.submitted');
		expect(await trigger.runs(1)).toMatchObject([{ mode: 'manual' }]);
		await untilRestored(subscription, { url });
	});

	test('gives way to publishing, and changes nothing at its end', async () => {
		const subscription = stage.subscription(free);
		const trigger = await stage.trigger(subscription);
		await trigger.listen();
		await trigger.publish();
		const { url } = subscription;
		expect(url).toContain(trigger.productionUrl);
		const asked = stage.requestsOf(subscription).length;
		await trigger.stopListening();
		await waitFor('the end of the test', () => stage.requestsOf(subscription).length > asked);
		await stage.emit(subscription, 'form.submitted');
		expect(await trigger.runs(1)).toMatchObject([{ mode: 'webhook' }]);
		expect(subscription).toMatchObject({ url, active: true });
		await trigger.unpublish();
		expect(subscription).toMatchObject(free);
	});

	test('restores the subscription after a service pinged the URL before its response', async () => {
		const subscription = stage.subscription(free);
		const trigger = await stage.trigger(subscription);
		const answers: number[] = [];
		stage.service.onChange = async ({ subscriptionId, url }) => {
			if (subscriptionId !== subscription.subscriptionId || !url.startsWith(trigger.testUrl))
				return;
			answers.push(await deliver(url, { type: 'ping' }));
		};
		await trigger.listen();
		expect(answers).toEqual([200]);
		await trigger.stopListening();
		await untilRestored(subscription, free);
	});
});

describe('a test run beside the published workflow', () => {
	async function publish(options = {}) {
		const subscription = stage.subscription(free);
		const trigger = await stage.trigger(subscription, options);
		await trigger.publish();
		return { subscription, trigger, url: subscription.url };
	}

	test('runs both with the same event, and leaves production unchanged', async () => {
		const { subscription, trigger, url } = await publish();
		await trigger.listen();
		expect(subscription.url.split('?')[0]).toBe(trigger.productionUrl);
		expect(queryOf(subscription)).toEqual({
			...queryOf({ url }),
			test: 'webhook-test',
		});
		const sent = await stage.emit(subscription, 'form.submitted', { name: 'Zoë' });
		expect(sent).toMatchObject({ status: 200 });
		const runs = await trigger.runs(2);
		expect(runs.map(({ mode }) => mode).sort()).toEqual(['manual', 'webhook']);
		expect(runs.map(({ items }) => items)).toEqual([[sent?.payload], [sent?.payload]]);
		await untilRestored(subscription, { url, events: ['form.submitted'] });
		await stage.emit(subscription, 'form.submitted');
		expect(await trigger.runs(3)).toHaveLength(3);
		await trigger.unpublish();
		expect(subscription).toMatchObject(free);
	});

	test('loses nothing of production, and shows the first delivery', async () => {
		const { subscription, trigger, url } = await publish();
		await trigger.listen();
		const numbers = Array.from({ length: 20 }, (_, index) => index);
		const sent = await Promise.all(
			numbers.map(async (n) => await stage.emit(subscription, 'form.submitted', { n })),
		);
		expect(sent.filter((each) => each?.status !== 200)).toEqual([]);
		await untilRestored(subscription, { url });
		const runs = await trigger.runs(21);
		const production = runs.filter(({ mode }) => mode === 'webhook');
		const numbersOf = production.map(({ items }) => (items[0].data as { n: number }).n);
		expect(numbersOf.sort((a, b) => a - b)).toEqual(numbers);
		expect(runs.length).toBeGreaterThan(20);
	});

	testWithDraft(
		'starts each with the kinds that it chose, and removes its additions when cancelled',
		async () => {
			const { subscription, trigger, url } = await publish();
			await trigger.change({ events: ['form.enriched'] });
			await trigger.listen();
			expect(subscription.events).toEqual(['form.submitted', 'form.enriched']);
			await stage.emit(subscription, 'form.submitted', { for: 'production' });
			expect(await trigger.runs(1)).toMatchObject([{ mode: 'webhook' }]);
			await trigger.stopListening();
			await untilRestored(subscription, { url, events: ['form.submitted'] });
			expect(await trigger.listExecutions()).toHaveLength(1);
		},
	);

	test('with a Test Subscription, leaves production unchanged', async () => {
		const { subscription, trigger, url } = await publish();
		const other = stage.subscription(free);
		await trigger.change({ options: { testSubscriptionId: pick(other) } });
		const before = stage.changesOf(subscription).length;
		await trigger.listen();
		expect(subscription).toMatchObject({ url, events: ['form.submitted'] });
		expect(other.url).toContain(trigger.testUrl);
		expect(await deliver(other.url, { event: 'form.submitted' })).toBe(200);
		expect(await trigger.runs(1)).toMatchObject([{ mode: 'manual' }]);
		await untilRestored(other, free);
		expect(stage.changesOf(subscription)).toHaveLength(before);
	});
});
