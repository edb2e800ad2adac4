import { OwnN8n } from '../../n8n/instances.mts';
import { setUpN8n } from '../../n8n/n8nSetup.mts';
import { PollingTrigger } from '../../n8n/triggers.mts';

const setup = setUpN8n({ n8n: new OwnN8n(), guesses: { sessionOrder: 'shuffled' } });

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
