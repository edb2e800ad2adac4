import type { LiveTrigger } from './liveTrigger.mts';
import type { OwnN8n } from './ownN8n.mts';
import { deliver, type Stage } from './stage.mts';
import { waitFor } from '../../waitFor.mts';

/** What holds when n8n is started again, after an update and after a crash. */
export function testRestarts(n8n: OwnN8n, onStage: () => Stage): void {
	type Scene = { subscription: ReturnType<Stage['subscription']>; trigger: LiveTrigger };
	const free = {
		url: 'https://example.com/old?secret=s3',
		events: ['form.enriched' as const],
		active: false,
	};
	/** Somebody else's. */
	const inUse = () => ({
		url: `${stage.elsewhereUrl}/hook?key=k1`,
		events: ['form.enriched' as const, 'form.submitted' as const],
		active: true,
	});
	let stage: Stage;
	beforeEach(() => {
		stage = onStage();
	});

	async function make(state: object, options = {}): Promise<Scene> {
		const subscription = stage.subscription(state);
		return { subscription, trigger: await stage.trigger(subscription, options) };
	}

	/** One event starts exactly one execution in production. */
	async function expectRun({ subscription, trigger }: Scene): Promise<void> {
		const { length } = await trigger.listExecutions();
		const sent = await stage.emit(subscription, 'form.submitted', { length });
		expect(sent).toMatchObject({ status: 200 });
		const runs = await trigger.runs(length + 1);
		expect(runs.slice(length)).toEqual([
			{ mode: 'webhook', status: 'success', items: [sent?.payload] },
		]);
	}

	/** The older engine publishes each trigger again when it starts. */
	async function untilLookedAt({ subscription }: Scene, before: number): Promise<void> {
		if (stage.engine === 'newer') return;
		await waitFor('n8n to publish', () => stage.requestsOf(subscription).length >= before + 3);
	}

	test('n8n stopped and started again changes nothing, and deliveries continue', async () => {
		const scene = await make(free);
		const testing = await make(inUse(), { takeOver: true });
		await scene.trigger.publish();
		await testing.trigger.listen();
		const { url } = scene.subscription;
		await expectRun(scene);
		const before = stage.requestsOf(scene.subscription).length;
		await n8n.stop();
		// n8n ends no test run when it stops: the earlier state is still in its URL.
		expect(testing.subscription.url).toContain('back=');
		await stage.reconnect(await n8n.start());
		await untilLookedAt(scene, before);
		await expectRun(scene);
		const asked = stage.requestsOf(scene.subscription).slice(before);
		expect(asked.map(({ method }) => method)).toEqual(
			stage.engine === 'newer' ? [] : ['GET', 'PATCH', 'GET'],
		);
		expect(scene.subscription).toMatchObject({ url, active: true });
		await testing.trigger.publish();
		await testing.trigger.unpublish();
		expect(testing.subscription).toMatchObject(inUse());
		await scene.trigger.unpublish();
		expect(scene.subscription).toMatchObject(free);
		await stage.clear();
	}, 240_000);

	test('the log names rejections once a minute and what was left unchanged, and holds no secret', async () => {
		const { subscription, trigger } = await make(free);
		await trigger.publish();
		const token = String(new URL(subscription.url).searchParams.get('token'));
		for (let times = 0; times < 5; times++)
			expect(await deliver(`${trigger.productionUrl}?token=${'f'.repeat(64)}`, {})).toBe(401);
		const { url } = subscription;
		subscription.url = 'https://example.com/next?secret=theirs-4711';
		await trigger.unpublish();
		expect(await deliver(url, {})).toBe(404);
		const lines = n8n.log.split('\n').filter((line) => line.includes('Page Audience Trigger: '));
		expect(lines.filter((line) => line.includes('401'))).toHaveLength(1);
		const left = `${subscription.subscriptionId}: left unchanged, because it now delivers to https://example.com/next`;
		expect(lines.filter((line) => line.includes(left))).toHaveLength(1);
		const secrets = [token, 'theirs-4711', 'f'.repeat(64)];
		expect(secrets.filter((secret) => n8n.log.includes(secret))).toEqual([]);
		await stage.clear();
	});

	describe('n8n killed in the middle of things', () => {
		let live: Scene;
		let beside: Scene & { url: string };
		let alone: Scene;
		let aloneAgain: Scene;
		let besideThenUnpublished: Scene;
		let before: number;

		beforeAll(async () => {
			stage = onStage();
			live = await make(free);
			const published = await make(free);
			besideThenUnpublished = await make(inUse(), { takeOver: true });
			alone = await make(inUse(), { takeOver: true });
			aloneAgain = await make(inUse(), { takeOver: true });
			for (const { trigger } of [live, published, besideThenUnpublished]) await trigger.publish();
			beside = { ...published, url: published.subscription.url };
			for (const { trigger } of [beside, besideThenUnpublished, alone, aloneAgain])
				await trigger.listen();
			expect(beside.subscription.url).toContain('test=');
			expect(alone.subscription.url).toContain('back=');
			before = stage.sandbox.requests.length;
			await n8n.kill();
			await stage.reconnect(await n8n.start());
		}, 240_000);
		afterAll(async () => await stage.clear());

		test('continues with what was published, and loses no delivery', async () => {
			await expectRun(live);
			if (stage.engine === 'newer') expect(stage.sandbox.requests).toHaveLength(before);
		});

		test('during a test run beside production, production continues', async () => {
			await expectRun(beside);
		});

		test('during a test run beside production, the next one removes what it added, or the start does', async () => {
			const { subscription, trigger, url } = beside;
			if (stage.engine === 'newer') {
				// n8n starts and publishes unchanged triggers without calling them, so that nothing has cleaned up yet.
				expect(subscription.url).toContain('test=');
				await waitFor('the failed copy in the log', () => /got status 404/.test(n8n.log));
				await trigger.listen();
				await trigger.stopListening();
			}
			await waitFor('the clean URL', () => subscription.url === url);
			await expectRun(beside);
			await trigger.unpublish();
			expect(subscription).toMatchObject(free);
		});

		test('during a test run beside production, unpublishing restores what was there before both', async () => {
			const { subscription, trigger } = besideThenUnpublished;
			await trigger.unpublish();
			expect(subscription).toMatchObject(inUse());
		});

		test('during a test run alone, publishing finds the earlier state, and unpublishing restores it', async () => {
			const { subscription, trigger } = alone;
			expect(subscription.url).toContain(trigger.testUrl);
			// Its own URL is no reason for Take Over.
			await trigger.change({ options: {} });
			await trigger.publish();
			await expectRun(alone);
			await trigger.unpublish();
			expect(subscription).toMatchObject(inUse());
		});

		test('during a test run alone, the next test run restores the earlier state', async () => {
			const { subscription, trigger } = aloneAgain;
			await trigger.change({ options: {} });
			await trigger.listen();
			await stage.emit(subscription, 'form.submitted');
			expect(await trigger.runs(1)).toMatchObject([{ mode: 'manual', status: 'success' }]);
			await waitFor('the end of the test', () => subscription.url === inUse().url);
			expect(subscription).toMatchObject(inUse());
		});
	});
}
