import type { WebhookSubscription } from '../../../sandbox/index.mts';
import type { LiveTrigger, Options } from './liveTrigger.mts';
import { deliver, type Stage } from './stage.mts';

type State = Pick<WebhookSubscription, 'url' | 'events' | 'active'>;

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

		test('publishing borrows the subscription with a token in the URL, and n8n keeps how it was', async () => {
			const { subscription, trigger } = await publishOn(free);
			const { origin, pathname, searchParams } = new URL(subscription.url);
			expect(origin + pathname).toBe(trigger.productionUrl);
			expect([...searchParams.keys()]).toEqual(['token']);
			expect(searchParams.get('token')).toMatch(/^[\w-]{43}$/);
			expect(subscription).toMatchObject({ events: ['form.submitted'], active: true });
			expect(stage.changesOf(subscription)).toHaveLength(1);
			const { subscriptionId } = subscription;
			expect(await trigger.readKept()).toEqual([{ subscriptionId, ...free }]);
		});

		test('an event starts the workflow once, with its payload', async () => {
			const { subscription, trigger } = await publishOn(free);
			const sent = await stage.emit(subscription, 'form.submitted', { email: 'a@example.com' });
			expect(sent).toMatchObject({ status: 200 });
			expect(await trigger.runs(1)).toEqual([
				{ mode: 'webhook', status: 'success', items: [sent?.payload] },
			]);
		});

		test('unpublishing puts url, events and active back as they were, and the URL is closed', async () => {
			const { subscription, trigger } = await publishOn(used, { takeOver: true });
			const { url } = subscription;
			await trigger.unpublish();
			expect(subscription).toMatchObject(used);
			expect(await trigger.readKept()).toEqual([]);
			expect(await deliver(url, { event: 'form.submitted' })).toBe(404);
			expect(await trigger.listExecutions()).toEqual([]);
		});

		test('unpublishing with Pause stops the deliveries; published with Restore later, it still gives back', async () => {
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

		test('unpublishing with Leave asks nothing of the service', async () => {
			const { subscription, trigger } = await publishOn(free, { onDeactivate: 'leave' });
			const { url } = subscription;
			const asked = stage.requestsOf(subscription).length;
			await trigger.unpublish();
			expect(stage.requestsOf(subscription)).toHaveLength(asked);
			expect(subscription).toMatchObject({ url, active: true });
		});

		test('unpublishing leaves a subscription alone that delivers elsewhere by now', async () => {
			const { subscription, trigger } = await publishOn(free);
			subscription.url = 'https://example.com/next';
			await trigger.unpublish();
			expect(stage.changesOf(subscription)).toHaveLength(1);
			expect(subscription).toMatchObject({ url: 'https://example.com/next', active: true });
		});

		test('Take Over: a second workflow takes the subscription, and each gives back only what is its own', async () => {
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

		test('publishing a changed trigger gives back and borrows again; what comes in between goes where it went before', async () => {
			const state: State = {
				...used,
				url: `${stage.elsewhereUrl}/hook`,
				events: ['form.submitted'],
			};
			const { subscription, trigger } = await publishOn(state, { takeOver: true });
			const before = stage.requestsOf(subscription).length;
			await trigger.change({ events: ['form.submitted', 'form.enriched'] });
			stage.service.onChange = async ({ url }) => {
				if (url === state.url) await stage.emit(subscription, 'form.submitted', { in: 'between' });
			};
			await trigger.publish();
			stage.service.onChange = undefined;
			// n8n calls delete, whose one PATCH gives back, then checkExists and create.
			const asked = stage.requestsOf(subscription).slice(before);
			expect(asked.map(({ method }) => method)).toEqual(['GET', 'PATCH', 'GET', 'GET', 'PATCH']);
			expect(stage.elsewhere).toHaveLength(1);
			expect(subscription).toMatchObject({ events: ['form.submitted', 'form.enriched'] });
			await stage.emit(subscription, 'form.enriched');
			expect(await trigger.runs(1)).toHaveLength(1);
			await trigger.unpublish();
			expect(subscription).toMatchObject(state);
		});

		test('publishing a workflow again in which only other nodes changed leaves the trigger as it was', async () => {
			const { subscription, trigger } = await publishOn(used, { takeOver: true });
			const { url } = subscription;
			const before = stage.requestsOf(subscription).length;
			await trigger.changeElsewhere();
			await trigger.publish();
			const asked = stage.requestsOf(subscription).slice(before);
			// The older engine takes every trigger down and up again.
			expect(asked.map(({ method }) => method)).toEqual(
				stage.engine === 'newer' ? [] : ['GET', 'PATCH', 'GET', 'GET', 'PATCH'],
			);
			expect(subscription).toMatchObject({ url, active: true });
			await stage.emit(subscription, 'form.submitted');
			expect(await trigger.runs(1)).toHaveLength(1);
			await trigger.unpublish();
			expect(subscription).toMatchObject(used);
		});

		test('publishing with another subscription gives the first one back', async () => {
			const { subscription, trigger } = await publishOn(free);
			const next = stage.subscription(free);
			await trigger.change({ subscription: next });
			await trigger.publish();
			expect(subscription).toMatchObject(free);
			expect(next.url).toContain(trigger.productionUrl);
			await trigger.unpublish();
			expect(next).toMatchObject(free);
		});

		test('renaming the trigger keeps what has to be given back', async () => {
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

		test('deleting the published workflow gives back', async () => {
			const { subscription, trigger } = await publishOn(free);
			await trigger.delete();
			expect(subscription).toMatchObject(free);
		});

		test('an unpublishing that the service refuses is made good by the next one', async () => {
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

		test('a service that pings the new URL before it answers the PATCH gets its 200, and nothing is lost', async () => {
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

		test('for a subscription in use elsewhere says where it delivers and what to switch on, and changed nothing', async () => {
			expect(messages[0]).toMatch(/delivers to https:\/\/example\.com\/old\b.*Options > Take Over/);
			expect(messages[0]).not.toContain('s3');
			const { subscription, trigger } = elsewhere;
			const asked = stage.requestsOf(subscription).map(({ method }) => method);
			// Each try asks twice, and what n8n undoes after it asks once; the older engine undoes twice.
			const tries = stage.engine === 'newer' ? 5 : 1;
			expect(asked.length).toBeGreaterThanOrEqual(3 * tries);
			expect(new Set(asked)).toEqual(new Set(['GET']));
			if (stage.engine === 'newer') await trigger.unpublish();
			expect(stage.changesOf(subscription)).toEqual([]);
			expect(subscription).toMatchObject(used);
		});

		test("for another workflow's subscription says so, and the first workflow loses nothing", async () => {
			expect(messages[1]).toMatch(/another webhook of this n8n.*Options > Take Over/);
			const { subscription, trigger, first, url } = second;
			if (stage.engine === 'newer') await trigger.unpublish();
			expect(stage.changesOf(subscription)).toHaveLength(1);
			expect(subscription).toMatchObject({ url, active: true });
			expect(await stage.emit(subscription, 'form.submitted')).toMatchObject({ status: 200 });
			expect(await first.runs(1)).toHaveLength(1);
			expect(await trigger.listExecutions()).toEqual([]);
		});

		test('because the service breaks down says so, and what was changed is put back', async () => {
			expect(messages[2]).toContain('500');
			expect(broken.subscription).toMatchObject(free);
			expect(await broken.trigger.readKept()).toEqual([]);
			expect(stage.changesOf(broken.subscription).length).toBeGreaterThanOrEqual(3);
		});
	});

	type Attempt = Awaited<ReturnType<typeof attempt>>;
	async function attempt(subscription: WebhookSubscription) {
		return { subscription, trigger: await stage.trigger(subscription) };
	}

	/** The change is made and not confirmed, at its repetition too; putting it back is. */
	function failEachTry({ subscriptionId }: WebhookSubscription): void {
		for (let tries = 0; tries < 5; tries++) {
			stage.sandbox.faults.add({
				kind: 'status',
				status: 500,
				afterWork: true,
				method: 'PATCH',
				path: new RegExp(subscriptionId),
				skip: tries * 3,
				times: 2,
			});
		}
	}
}

function reasonOf(outcome: PromiseSettledResult<void>): string {
	return outcome.status === 'rejected' ? String((outcome.reason as Error).message) : 'published';
}
