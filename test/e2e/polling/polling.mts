import type { OwnN8n } from '../trigger/ownN8n.mts';
import type { PollingStage } from './pollingStage.mts';

/** What holds with either way in which n8n activates workflows. */
export function testPolling(n8n: OwnN8n, onStage: () => PollingStage): void {
	let stage: PollingStage;
	beforeEach(() => {
		stage = onStage();
		stage.sandbox.faults.clear();
	});

	test('takes stock when it is published, and goes on from there after a crash and a pause', async () => {
		const workflow = await stage.create({ event: 'newSession', pageId: stage.pageId });
		stage.addSession(1);
		await workflow.publish();
		expect(await workflow.readState()).toMatchObject({ lists: expect.any(Object) });
		const first = [stage.addSession(2), stage.addSession()];
		await n8n.kill();
		await stage.reconnect(await n8n.start());
		expect(await workflow.runs(1)).toEqual([{ status: 'success', ids: first }]);
		await workflow.unpublish();
		const second = stage.addSession(3);
		await workflow.publish();
		expect(await workflow.runs(2)).toEqual([
			{ status: 'success', ids: first },
			{ status: 'success', ids: [second] },
		]);
		// n8n starts from what it stored.
		await n8n.kill();
		const { polls } = stage;
		await stage.reconnect(await n8n.start());
		if (stage.polls === polls) await stage.untilPolled();
		expect(await workflow.runs(2)).toHaveLength(2);
		await workflow.unpublish();
	}, 400_000);

	test('survives a start while the service is down', async () => {
		const workflow = await stage.create({ event: 'newSession', pageId: stage.pageId });
		await workflow.publish();
		const missed = [stage.addSession(1), stage.addSession()];
		stage.sandbox.faults.add({ kind: 'status', status: 403, times: 1_000 });
		await n8n.kill();
		const { polls } = stage;
		await stage.reconnect(await n8n.start());
		if (stage.polls === polls) await stage.untilPolled();
		stage.sandbox.faults.clear();
		await stage.untilPolled();
		expect(await workflow.runs(1)).toEqual([{ status: 'success', ids: missed }]);
		await workflow.unpublish();
	}, 400_000);

	test('refuses to be published while the service is down, with the reason', async () => {
		const workflow = await stage.create({ event: 'newPerson' });
		stage.sandbox.faults.add({ kind: 'status', status: 403, times: 1_000 });
		await expect(workflow.publish()).rejects.toThrow('The API key has no access to this (403)');
	}, 120_000);

	test('reads another page, and says which of the chosen fields changed', async () => {
		const workflow = await stage.create({
			event: 'changedSession',
			pageId: stage.pageId,
			options: {
				morePages: { page: [{ pageId: stage.secondPageId }] },
				onlyFields: ['timeSpentSeconds'],
			},
		});
		await workflow.publish();
		const [older, newer] = [stage.addSession(2, stage.secondPageId), stage.addSession(1)];
		const first = await workflow.records(2);
		expect(first).toHaveLength(2);
		expect(first.find(({ audienceSessionId: id }) => id === older)).toMatchObject({
			pageId: stage.secondPageId,
			changedFields: null,
		});
		expect(first.find(({ audienceSessionId: id }) => id === newer)).toMatchObject({
			pageId: stage.pageId,
			changedFields: null,
		});
		const find = (id: string, pageId: string) => {
			const session = stage.sandbox.store.sessions
				.of(pageId)
				.find(({ audienceSessionId }) => audienceSessionId === id);
			if (!session) throw new Error(`There is no ${id}`);
			return session;
		};
		find(newer, stage.pageId).utmSource = 'not chosen';
		find(older, stage.secondPageId).timeSpentSeconds += 1;
		expect((await workflow.records(3)).slice(2)).toMatchObject([
			{ audienceSessionId: older, changedFields: ['timeSpentSeconds'] },
		]);
		await workflow.unpublish();
	}, 400_000);

	test('fetches real records as a test', async () => {
		const workflow = await stage.create({ event: 'formSubmission', pageId: stage.pageId });
		const records = await workflow.fetchTestEvent();
		expect(records.length).toBeGreaterThan(1);
		expect(await workflow.readState()).toBeUndefined();
	}, 120_000);
}
