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
	const read = () => sandbox.requests.filter(({ operationId }) => operationId === 'listPersons');
	const listEmitted = async (executions: number): Promise<unknown[]> => {
		const runs = await trigger.runs(executions, patienceMs);
		expect(runs.filter(({ status }) => status !== 'success')).toEqual([]);
		return runs.flatMap(({ items }) => items.map(({ personId }) => personId));
	};
	await trigger.publish();
	await waitFor('a reading', () => read().some(({ status }) => status === 200), patienceMs);
	const known = store.persons.size;
	const newIds = () =>
		store.persons
			.all()
			.slice(known)
			.map(({ personId }) => personId);
	store.addPersons(20);
	expect(await listEmitted(1)).toEqual(newIds());
	const [{ id }] = await setup.client.listExecutions(trigger.id);
	expect(setup.findWorker(id)).toBeDefined();

	store.addPersons(20);
	sandbox.latencyMs = 5_000;
	const before = read().length;
	await waitFor('a poll', () => read().length > before, patienceMs);
	await setup.main.kill();
	sandbox.latencyMs = 0;
	store.addPersons(5);
	await setup.main.start();
	const isOver = async () => (await listEmitted(2)).length >= newIds().length;
	await waitFor('everyone', isOver, patienceMs);
	expect(await listEmitted(2)).toEqual(newIds());
});
