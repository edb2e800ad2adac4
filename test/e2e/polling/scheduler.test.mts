import { OwnN8n } from '../../n8n/instances.mts';
import { type N8nSetup, setUpN8n } from '../../n8n/n8nSetup.mts';
import { PollingTrigger } from '../../n8n/triggers.mts';

const scheduler = { N8N_SCHEDULER_ENABLED: 'true', N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true' };
const durable = { ...scheduler, N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true' };

/** n8n's scheduler polls once a minute and not at a start, so both ways of storing the state are tried at once. */
const setups = [scheduler, durable].map((env) =>
	setUpN8n({ n8n: new OwnN8n(env), guesses: { sessionOrder: 'shuffled' } }),
);

test('with the scheduler, with and without durable cursors, each session starts the workflow once', async () => {
	await Promise.all(setups.map(pollEachOnce));
}, 600_000);

async function pollEachOnce(setup: N8nSetup): Promise<void> {
	const trigger = await PollingTrigger.create(setup);
	await trigger.publish();
	// Before the second poll: only the stock taken at publishing tells these from what was there.
	const first = [trigger.addSession(1), trigger.addSession()];
	await trigger.untilPolled();
	expect((await trigger.sessions(2)).sort()).toEqual([...first].sort());
	let second = '';
	await setup.restart('kill', () => (second = trigger.addSession(3)));
	await trigger.untilPolled();
	expect((await trigger.sessions(3)).slice(2)).toEqual([second]);
	await trigger.untilPolled();
	expect(await trigger.sessions(3)).toHaveLength(3);
}
