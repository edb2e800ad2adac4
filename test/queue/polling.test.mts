import { isOver, itemsOf, type Execution, type JsonObject } from '../../tools/n8n/execution.mts';
import { credentialType } from '../e2e/trigger/stage.mts';
import { waitFor } from '../waitFor.mts';
import { endsWithinMs, patienceMs, QueueStage, startsWithinMs } from './queueStage.mts';

jest.setTimeout(4 * patienceMs);

let stage: QueueStage;
beforeAll(async () => {
	stage = await QueueStage.open();
}, startsWithinMs);
afterAll(async () => await stage.close(), endsWithinMs);

const name = 'On new person';

/** The persons that each execution started with. */
async function listEmitted(workflowId: string, executions: number): Promise<string[][]> {
	const look = async () => {
		const all = await stage.client.listExecutions(workflowId);
		return all.length >= executions && all.every(isOver) && all.reverse();
	};
	const list = await waitFor(`${executions} executions`, look, patienceMs);
	const emitted: Execution[] = [];
	for (const { id } of list) emitted.push(await stage.client.waitForExecution(id));
	expect(emitted.map(({ status }) => status)).toEqual(list.map(() => 'success'));
	expect(emitted.map(({ id }) => stage.cluster.findWorker(id))).not.toContain(undefined);
	return emitted.map((each) =>
		itemsOf(each, name).map(({ json }) => String((json as JsonObject).personId)),
	);
}

test('the polling trigger outputs everyone once, although the main process is killed while it reads', async () => {
	const { client, cluster, credential, sandbox } = stage;
	const { store } = sandbox;
	sandbox.guesses.maximumLimit = 1_000;
	const workflow = await client.createWorkflow({
		name: 'Polling',
		nodes: [
			{
				name,
				type: 'n8n-nodes-page-audience.pageAudiencePollingTrigger',
				typeVersion: 1,
				position: [0, 0],
				parameters: { event: 'newPerson', pollTimes: { item: [{ mode: 'everyMinute' }] } },
				credentials: { [credentialType]: credential },
			},
		],
		connections: {},
	});
	const readings = () => stage.requestsOf('listPersons');
	await client.publish(workflow.id);
	await waitFor(
		'the first reading',
		() => readings().some(({ status }) => status === 200),
		patienceMs,
	);

	const idsFrom = (index: number) =>
		store.persons
			.all()
			.slice(index)
			.map(({ personId }) => personId);
	const known = store.persons.size;
	store.addPersons(20);
	expect(await listEmitted(workflow.id, 1)).toEqual([idsFrom(known)]);

	const emitted = store.persons.size;
	store.addPersons(20);
	sandbox.latencyMs = 5_000;
	const before = readings().length;
	await waitFor('a poll', () => readings().length > before, patienceMs);
	await cluster.main.kill();
	sandbox.latencyMs = 0;
	store.addPersons(5);
	await cluster.main.start();
	const [, ...after] = await listEmitted(workflow.id, 2);
	expect(after.flat()).toEqual(idsFrom(emitted));
});
