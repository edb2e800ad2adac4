import { OwnN8n } from '../../n8n/instances.mts';
import { setUpN8n } from '../../n8n/n8nSetup.mts';
import { PollingTrigger } from '../../n8n/triggers.mts';

const setup = setUpN8n({ n8n: new OwnN8n(), guesses: { sessionOrder: 'shuffled' } });
afterEach(async () => await setup.clear());

test('takes stock when it is published, and goes on from there after a crash and a pause', async () => {
	const trigger = await PollingTrigger.create(setup);
	trigger.addSession(1);
	await trigger.publish();
	expect(await trigger.readStaticData()).toContain('node:Page Audience Polling Trigger');
	const first = [trigger.addSession(2), trigger.addSession()];
	await setup.restart('kill');
	expect((await trigger.sessions(2)).sort()).toEqual([...first].sort());
	await trigger.unpublish();
	const second = trigger.addSession(3);
	await trigger.publish();
	expect((await trigger.sessions(3)).slice(2)).toEqual([second]);
	// n8n starts from what it stored.
	await setup.restart('kill');
	await trigger.untilPolled();
	expect(await trigger.sessions(3)).toHaveLength(3);
}, 400_000);

test('survives a start while the service is down', async () => {
	const trigger = await PollingTrigger.create(setup);
	await trigger.publish();
	const missed = [trigger.addSession(1), trigger.addSession()];
	const { faults } = setup.sandbox;
	faults.add({ kind: 'status', status: 403, times: 1_000 });
	await setup.restart('kill');
	await trigger.untilPolled();
	faults.clear();
	// A poll of a published workflow that fails is an execution that failed.
	const statuses = ['success', 'error'];
	expect((await trigger.sessions(2, statuses)).sort()).toEqual([...missed].sort());
}, 400_000);

test('refuses to be published while the service is down, with the reason', async () => {
	const trigger = await PollingTrigger.create(setup, { event: 'newPerson' });
	setup.sandbox.faults.add({ kind: 'status', status: 403, times: 1_000 });
	await expect(trigger.publish()).rejects.toThrow(
		'The API key or this n8n has no access to this (403)',
	);
});

test('fetches real records as a test', async () => {
	const trigger = await PollingTrigger.create(setup, { event: 'formSubmission' });
	expect((await trigger.fetchTestEvent()).length).toBeGreaterThan(1);
	expect(await trigger.readStaticData()).toBe('{}');
});
