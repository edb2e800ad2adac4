import { PollingStage } from './polling/pollingStage.mts';
import { deliver, Stage } from './trigger/stage.mts';

// The life of each trigger, once and whole. The folders `trigger` and `polling` ask for each part of it.

test('the webhook trigger connects its subscription, starts the workflow, and restores the subscription', async () => {
	const stage = await Stage.open();
	try {
		const free = {
			url: 'https://example.com/old',
			events: ['form.enriched' as const],
			active: false,
		};
		const subscription = stage.subscription(free);
		const trigger = await stage.trigger(subscription);
		await trigger.publish();
		const { url } = subscription;
		expect(url).toContain(trigger.productionUrl);
		expect(subscription).toMatchObject({ events: ['form.submitted'], active: true });

		expect(await deliver(trigger.productionUrl, { event: 'form.submitted' })).toBe(401);
		for (const email of ['a@example.com', 'b@example.com'])
			expect(await stage.emit(subscription, 'form.submitted', { email })).toMatchObject({
				status: 200,
			});
		const runs = await trigger.runs(2);
		expect(runs.map(({ status, items }) => [status, items.length])).toEqual([
			['success', 1],
			['success', 1],
		]);
		expect(JSON.stringify(runs[0])).toContain('a@example.com');
		expect(JSON.stringify(runs[1])).toContain('b@example.com');

		await trigger.unpublish();
		expect(subscription).toMatchObject(free);
		expect(await deliver(url, { event: 'form.submitted' })).toBe(404);
	} finally {
		await stage.close();
	}
});

test('the polling trigger outputs each new session once, from when it is published', async () => {
	const stage = await PollingStage.open();
	try {
		const workflow = await stage.create({ event: 'newSession', pageId: stage.pageId });
		await workflow.publish();
		const added = [stage.addSession(2), stage.addSession()];
		const records = await workflow.records(2);
		expect(records.map(({ audienceSessionId }) => audienceSessionId).sort()).toEqual(added.sort());
		const { polls } = stage;
		await stage.untilPolled();
		expect(stage.polls).toBeGreaterThan(polls);
		expect(await workflow.records(2)).toHaveLength(2);
		await workflow.unpublish();
	} finally {
		await stage.close();
	}
});
