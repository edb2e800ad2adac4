import type { WebhookSubscription } from '../../../sandbox/index.mts';
import type { LiveTrigger, Options } from './liveTrigger.mts';
import { deliver, type Stage } from './stage.mts';

type State = Pick<WebhookSubscription, 'url' | 'events' | 'active'>;

/** What is asked about a subscription whose trigger was changed. */
const changed = ['GET', 'PATCH', 'GET', 'PATCH'];

/** What holds with either way in which n8n activates workflows. */
export function testLifeCycle(onStage: () => Stage): void {
	const free: State = {
		url: 'https://example.com/old?secret=s3',
		events: ['form.enriched'],
		active: false,
	};
	const used: State = { ...free, active: true };
	let stage: Stage;
	beforeEach(() => {
		stage = onStage();
	});

	async function publishOn(state: State, options: Options = {}) {
		const subscription = stage.subscription(state);
		const trigger = await stage.trigger(subscription, options);
		await trigger.publish();
		return { subscription, trigger };
	}

	describe('a workflow', () => {
		afterEach(async () => await stage.clear());

		test('publishing connects the subscription with a token in the URL, and n8n keeps its state', async () => {
			const { subscription, trigger } = await publishOn(free);
			const { origin, pathname, searchParams } = new URL(subscription.url);
			expect(origin + pathname).toBe(trigger.productionUrl);
			expect([...searchParams.keys()]).toEqual(['token']);
			expect(searchParams.get('token')).toMatch(/^[0-9a-f]{64}$/);
			expect(subscription).toMatchObject({ events: ['form.submitted'], active: true });
			expect(stage.changesOf(subscription)).toHaveLength(1);
			const { subscriptionId } = subscription;
			expect(await trigger.readSnapshots()).toMatchObject([{ subscriptionId, ...free }]);
		});

		test('an event starts the workflow once, with its payload', async () => {
			const { subscription, trigger } = await publishOn(free);
			const sent = await stage.emit(subscription, 'form.submitted', { email: 'a@example.com' });
			expect(sent).toMatchObject({ status: 200 });
			expect(await trigger.runs(1)).toEqual([
				{ mode: 'webhook', status: 'success', items: [sent?.payload] },
			]);
		});

		test('unpublishing restores url, events and active, and closes the URL', async () => {
			const { subscription, trigger } = await publishOn(used, { takeOver: true });
			const { url } = subscription;
			await trigger.unpublish();
			expect(subscription).toMatchObject(used);
			expect(await trigger.readSnapshots()).toEqual([]);
			expect(await deliver(url, { event: 'form.submitted' })).toBe(404);
			expect(await trigger.listExecutions()).toEqual([]);
		});

		test('unpublishing with Pause stops the deliveries, and Restore still restores later', async () => {
			const { subscription, trigger } = await publishOn(free, { onDeactivate: 'pause' });
			const { url } = subscription;
			await trigger.unpublish();
			expect(subscription).toMatchObject({ url, active: false });
			await trigger.change({ options: {} });
			await trigger.publish();
			expect(subscription.active).toBe(true);
			await trigger.unpublish();
			expect(subscription).toMatchObject(free);
		});

		test('unpublishing with Leave sends nothing to the service', async () => {
			const { subscription, trigger } = await publishOn(free, { onDeactivate: 'leave' });
			const { url } = subscription;
			const asked = stage.requestsOf(subscription).length;
			await trigger.unpublish();
			expect(stage.requestsOf(subscription)).toHaveLength(asked);
			expect(subscription).toMatchObject({ url, active: true });
		});

		test('unpublishing leaves a subscription unchanged that now delivers elsewhere', async () => {
			const { subscription, trigger } = await publishOn(free);
			subscription.url = 'https://example.com/next';
			await trigger.unpublish();
			expect(stage.changesOf(subscription)).toHaveLength(1);
			expect(subscription).toMatchObject({ url: 'https://example.com/next', active: true });
		});

		test('Take Over lets a second workflow use the subscription, and each restores only its own', async () => {
			const { subscription, trigger } = await publishOn(free);
			const { url } = subscription;
			const second = await stage.trigger(subscription, { takeOver: true });
			await second.publish();
			expect(subscription.url).toContain(second.productionUrl);
			await stage.emit(subscription, 'form.submitted');
			expect(await second.runs(1)).toHaveLength(1);
			expect(await trigger.listExecutions()).toEqual([]);
			await second.unpublish();
			expect(subscription).toMatchObject({ url, active: true });
			await trigger.unpublish();
			expect(subscription).toMatchObject(free);
		});

		test('publishing a changed trigger restores and connects again, and deliveries in between go to the earlier address', async () => {
			const state: State = {
				...used,
				url: `${stage.elsewhereUrl}/hook`,
				events: ['form.submitted'],
			};
			const { subscription, trigger } = await publishOn(state, { takeOver: true });
			const before = stage.requestsOf(subscription).length;
			stage.service.onChange = async ({ url }) => {
				if (url === state.url) await stage.emit(subscription, 'form.submitted', { in: 'between' });
			};
			await trigger.change({ events: ['form.submitted', 'form.enriched'] });
			await trigger.publish();
			stage.service.onChange = undefined;
			// n8n calls delete, whose one PATCH restores, and then create.
			const asked = stage.requestsOf(subscription).slice(before);
			expect(asked.map(({ method }) => method)).toEqual(changed);
			expect(stage.elsewhere).toHaveLength(1);
			expect(subscription).toMatchObject({ events: ['form.submitted', 'form.enriched'] });
			await stage.emit(subscription, 'form.enriched');
			expect(await trigger.runs(1)).toHaveLength(1);
			await trigger.unpublish();
			expect(subscription).toMatchObject(state);
		});

		test('publishing a workflow in which only other nodes changed leaves the trigger unchanged', async () => {
			const { subscription, trigger } = await publishOn(used, { takeOver: true });
			const { url } = subscription;
			const before = stage.requestsOf(subscription).length;
			await trigger.changeElsewhere();
			await trigger.publish();
			const asked = stage.requestsOf(subscription).slice(before);
			// The older engine takes every trigger down and up again.
			expect(asked.map(({ method }) => method)).toEqual(stage.engine === 'newer' ? [] : changed);
			expect(subscription).toMatchObject({ url, active: true });
			await stage.emit(subscription, 'form.submitted');
			expect(await trigger.runs(1)).toHaveLength(1);
			await trigger.unpublish();
			expect(subscription).toMatchObject(used);
		});

		test('publishing with another subscription restores the first one', async () => {
			const { subscription, trigger } = await publishOn(free);
			const next = stage.subscription(free);
			await trigger.change({ subscription: next });
			await trigger.publish();
			expect(subscription).toMatchObject(free);
			expect(next.url).toContain(trigger.productionUrl);
			await trigger.unpublish();
			expect(next).toMatchObject(free);
		});

		test('renaming the trigger keeps what has to be restored', async () => {
			const { subscription, trigger } = await publishOn(used, { takeOver: true });
			const { url } = subscription;
			await trigger.rename('On form');
			await trigger.publish();
			expect(subscription).toMatchObject({ url, active: true });
			await stage.emit(subscription, 'form.submitted');
			expect(await trigger.runs(1)).toHaveLength(1);
			await trigger.unpublish();
			expect(subscription).toMatchObject(used);
		});

		test('deleting the published workflow restores the subscription', async () => {
			const { subscription, trigger } = await publishOn(free);
			await trigger.delete();
			expect(subscription).toMatchObject(free);
		});

		test('the next unpublishing restores what the service refused the first time', async () => {
			const { subscription, trigger } = await publishOn(used, { takeOver: true });
			const path = new RegExp(subscription.subscriptionId);
			stage.sandbox.faults.add({ kind: 'status', status: 403, method: 'PATCH', path, times: 100 });
			// The older engine's REST API passes the refusal on.
			await trigger.unpublish().catch((error: unknown) => expect(String(error)).toContain('403'));
			expect(subscription.url).toContain(trigger.productionUrl);
			stage.sandbox.faults.clear();
			await trigger.publish();
			await stage.emit(subscription, 'form.submitted');
			expect(await trigger.runs(1)).toHaveLength(1);
			await trigger.unpublish();
			expect(subscription).toMatchObject(used);
		});

		test('a service that pings the new URL before it responds to the PATCH gets 200', async () => {
			const subscription = stage.subscription(free);
			const trigger = await stage.trigger(subscription);
			const answers: number[] = [];
			stage.service.onChange = async ({ subscriptionId, url }) => {
				if (
					subscriptionId !== subscription.subscriptionId ||
					!url.startsWith(trigger.productionUrl)
				)
					return;
				answers.push(await deliver(url, { type: 'ping' }));
			};
			await trigger.publish();
			expect(answers).toEqual([200]);
			expect(await trigger.runs(1)).toMatchObject([{ items: [{ type: 'ping' }] }]);
			await trigger.unpublish();
			expect(subscription).toMatchObject(free);
		});
	});

	// All at once, because n8n's tries take their time.
	describe('a publishing that fails', () => {
		const messages: string[] = [];
		let elsewhere: Attempt;
		let second: Attempt & { first: LiveTrigger; url: string };
		let broken: Attempt;
		beforeAll(async () => {
			stage = onStage();
			const taken = await publishOn(free);
			const { url } = taken.subscription;
			elsewhere = await attempt(stage.subscription(used));
			second = { ...(await attempt(taken.subscription)), first: taken.trigger, url };
			broken = await attempt(stage.subscription(free));
			failEachTry(broken.subscription);
			const publishing = [elsewhere, second, broken].map(({ trigger }) => trigger.publish());
			messages.push(...(await Promise.allSettled(publishing)).map(reasonOf));
		}, 120_000);
		afterAll(async () => await stage.clear());

		test('for a subscription in use names the receiver and Take Over, and changes nothing', async () => {
			expect(messages[0]).toMatch(/in use by https:\/\/example\.com\/old\b.*Take Over/);
			expect(messages[0]).not.toContain('secret');
			const { subscription, trigger } = elsewhere;
			const asked = stage.requestsOf(subscription).map(({ method }) => method);
			const tries = stage.engine === 'newer' ? 5 : 1;
			expect(asked.length).toBeGreaterThanOrEqual(tries);
			expect(new Set(asked)).toEqual(new Set(['GET']));
			if (stage.engine === 'newer') await trigger.unpublish();
			expect(stage.changesOf(subscription)).toEqual([]);
			expect(subscription).toMatchObject(used);
		});

		test("for another workflow's subscription names it, and the first workflow loses nothing", async () => {
			expect(messages[1]).toMatch(/another webhook of this n8n.*Take Over/);
			const { subscription, trigger, first, url } = second;
			if (stage.engine === 'newer') await trigger.unpublish();
			expect(stage.changesOf(subscription)).toHaveLength(1);
			expect(subscription).toMatchObject({ url, active: true });
			expect(await stage.emit(subscription, 'form.submitted')).toMatchObject({ status: 200 });
			expect(await first.runs(1)).toHaveLength(1);
			expect(await trigger.listExecutions()).toEqual([]);
		});

		test('because the service fails says so, and leaves the subscription unchanged', async () => {
			expect(messages[2]).toContain('500');
			expect(broken.subscription).toMatchObject(free);
			expect(await broken.trigger.readSnapshots()).toEqual([]);
			expect(stage.changesOf(broken.subscription).length).toBeGreaterThanOrEqual(2);
		});
	});

	type Attempt = Awaited<ReturnType<typeof attempt>>;
	async function attempt(subscription: WebhookSubscription) {
		return { subscription, trigger: await stage.trigger(subscription) };
	}

	function failEachTry({ subscriptionId }: WebhookSubscription): void {
		stage.sandbox.faults.add({
			kind: 'status',
			status: 500,
			method: 'PATCH',
			path: new RegExp(subscriptionId),
			times: 100,
		});
	}
}

function reasonOf(outcome: PromiseSettledResult<void>): string {
	return outcome.status === 'rejected' ? String((outcome.reason as Error).message) : 'published';
}
