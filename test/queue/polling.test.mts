import { setUpQueue, patienceMs } from '../n8n/queue.mts';
import { PollingTrigger } from '../n8n/triggers.mts';
import { waitFor } from '../waitFor.mts';

jest.setTimeout(4 * patienceMs);

const setup = setUpQueue();

test('the polling trigger outputs everyone once, although the main process is killed while it reads', async () => {
	const { sandbox } = setup;
	const { store } = sandbox;
	sandbox.guesses.maximumLimit = 1_000;
	const trigger = await PollingTrigger.create(setup, { event: 'newPerson' });
	const readings = () =>
		sandbox.requests.filter(({ operationId }) => operationId === 'listPersons');
	await trigger.publish();
	const isRead = () => readings().some(({ status }) => status === 200);
	await waitFor('the first reading', isRead, patienceMs);

	const listEmitted = async (executions: number): Promise<unknown[]> => {
		const runs = await trigger.runs(executions, patienceMs);
		expect(runs.filter(({ status }) => status !== 'success')).toEqual([]);
		return runs.flatMap(({ items }) => items.map(({ personId }) => personId));
	};
	const idsFrom = (index: number) =>
		store.persons
			.all()
			.slice(index)
			.map(({ personId }) => personId);
	const known = store.persons.size;
	store.addPersons(20);
	expect(await listEmitted(1)).toEqual(idsFrom(known));
	const [{ id }] = await setup.client.listExecutions(trigger.id);
	expect(setup.findWorker(id)).toBeDefined();

	store.addPersons(20);
	sandbox.latencyMs = 5_000;
	const before = readings().length;
	await waitFor('a poll', () => readings().length > before, patienceMs);
	await setup.main.kill();
	sandbox.latencyMs = 0;
	store.addPersons(5);
	await setup.main.start();
	await waitFor(
		'everyone',
		async () => (await listEmitted(2)).length >= idsFrom(known).length,
		patienceMs,
	);
	expect(await listEmitted(2)).toEqual(idsFrom(known));
});
