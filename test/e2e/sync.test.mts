import { itemsOf, type Execution, type JsonObject } from '../../tools/n8n/execution.mts';
import { OwnStage } from './ownStage.mts';
import { waitFor } from '../waitFor.mts';
import { describeWorkflow, tested, trigger } from './workbench.mts';

// One n8n for both, because each start of it costs more than most tests.
let stage: OwnStage;
beforeAll(async () => void (stage = await OwnStage.open()), 240_000);
beforeEach(() => stage.sandbox.reset());
afterAll(async () => await stage.close(), 60_000);

describe('people and accounts', () => {
	const createOrGet = {
		resource: 'person',
		operation: 'createOrGet',
		email: '={{ $json.email }}',
		name: '={{ $json.name }}',
	};

	const run = async (parameters: JsonObject, items: JsonObject[]): Promise<Execution> =>
		await stage.run(await stage.create(parameters), items);

	const outcomesOf = (execution: Execution) =>
		itemsOf(execution, tested).map(({ json }) => json.outcome);

	test('creates or gets people, and creates or updates accounts', async () => {
		const { sandbox } = stage;
		const known = sandbox.store.persons.all().find(({ email }) => email);
		const people = await run(createOrGet, [
			{ email: known?.email?.toUpperCase() ?? '', name: 'Known' },
			{ email: 'new@sync.example', name: 'New' },
		]);
		expect(outcomesOf(people)).toEqual(['found', 'created']);
		expect(people.nodes[tested][0].hints[0].message).toBe('1 created, 1 found');
		const [account] = sandbox.store.accounts.all();
		const upsert = {
			resource: 'account',
			operation: 'upsert',
			domain: '={{ $json.domain }}',
			name: '={{ $json.name }}',
		};
		const accounts = await run(upsert, [
			{ domain: `https://www.${account.domain}/`, name: 'Renamed' },
			{ domain: 'new.example', name: 'New' },
		]);
		expect(outcomesOf(accounts)).toEqual(['updated', 'created']);
		const dry = await run({ ...upsert, options: { dryRun: true } }, [
			{ domain: account.domain, name: 'Renamed' },
			{ domain: 'newer.example', name: 'Newer' },
		]);
		expect(outcomesOf(dry)).toEqual(['unchanged', 'wouldCreate']);
	});

	test('n8n killed in the middle of nine runs leaves nobody twice', async () => {
		const runs: Array<{ workflow: string; items: JsonObject[] }> = [];
		for (const name of ['one', 'two', 'three']) {
			const items = Array.from({ length: 60 }, (_, n) => ({
				// Every third person is in the input twice.
				email: `person.${n % 3 === 2 ? n - 1 : n}@${name}.kill.example`,
				name: `Person ${n}`,
			}));
			runs.push({ workflow: await stage.create(createOrGet), items });
		}
		const { sandbox } = stage;
		// Slow enough to kill n8n between two requests.
		sandbox.latencyMs = 300;
		sandbox.guesses.searchLagMs = 60_000;
		// Each run reads the list with four requests. The later ones create, at most ten people at once.
		for (const requests of [18, 10, 3]) {
			const before = sandbox.requests.length;
			for (const { workflow, items } of runs) await stage.start(workflow, items);
			await waitFor('some requests', () => sandbox.requests.length >= before + requests);
			await stage.kill();
		}
		sandbox.latencyMs = 0;
		for (const { workflow, items } of runs) {
			const last = await stage.run(workflow, items);
			expect(last.status).toBe('success');
			expect(itemsOf(last, tested)).toHaveLength(items.length);
		}
		const created = sandbox.store.persons
			.all()
			.filter(({ email }) => email?.endsWith('.kill.example'));
		expect(created.map(({ email }) => email).sort()).toEqual(
			[...new Set(runs.flatMap(({ items }) => items.map(({ email }) => email)))].sort(),
		);
	}, 900_000);
});

describe('a nightly sync into logs', () => {
	/** More than the node looks up at once. */
	const count = 1_500;
	const chunkSize = 1_000;

	const parameters = {
		resource: 'personLog',
		operation: 'create',
		source: 'crm',
		payloadMode: 'inputItem',
		write: 'changed',
		recordId: '={{ $json.id }}',
		recordVersion: '={{ $json.modified }}',
	};

	const makeContacts = (size: number): JsonObject[] =>
		Array.from({ length: size }, (_, id) => ({ id, modified: '2026-01-01' }));

	const bodies = () =>
		stage.sandbox.requests.map(
			({ body }) => body as { idempotencyKey: string; payload: JsonObject },
		);

	const countSkipped = (execution: Execution) =>
		itemsOf(execution, tested).filter(({ json }) => json.alreadyWritten).length;

	test('a second night sends what changed, and n8n shows how many', async () => {
		const workflow = await stage.create(parameters);
		const contacts = makeContacts(20);
		expect((await stage.run(workflow, contacts)).status).toBe('success');
		expect(bodies()).toHaveLength(20);
		contacts[3].modified = '2026-01-02';
		const second = await stage.run(workflow, contacts);
		expect(
			bodies()
				.slice(20)
				.map(({ payload }) => payload.id),
		).toEqual([3]);
		expect(countSkipped(second)).toBe(19);
		expect(second.nodes[tested][0].hints[0].message).toBe('1 written, 19 skipped');
	}, 120_000);

	test('two nodes of a workflow, one of them in a loop, each skip what they have written', async () => {
		const { nodes, connections, ...rest } = describeWorkflow(parameters, stage.credential);
		const loop = {
			name: 'Loop',
			type: 'n8n-nodes-base.splitInBatches',
			typeVersion: 3,
			position: [110, 0] as [number, number],
			parameters: { batchSize: 4 },
		};
		// The first output of the loop has the records of all batches, written and skipped.
		const recordId = '={{ $json.idempotencyKey }}';
		const after = {
			...nodes[1],
			name: 'After',
			parameters: { ...parameters, source: 'after', recordId, recordVersion: '1' },
		};
		const to = (node: string) => [{ node, type: 'main' as const, index: 0 }];
		const { id } = await stage.client.createWorkflow({
			...rest,
			nodes: [...nodes, loop, after],
			connections: {
				...connections,
				[trigger]: { main: [to('Loop')] },
				Loop: { main: [to('After'), to(tested)] },
				[tested]: { main: [to('Loop')] },
			},
			settings: { executionOrder: 'v1' },
		});
		const contacts = makeContacts(10);
		expect((await stage.run(id, contacts)).status).toBe('success');
		expect(bodies()).toHaveLength(20);
		contacts[9].modified = '2026-01-02';
		const second = await stage.run(id, contacts);
		expect(second.status).toBe('success');
		expect(second.nodes[tested]).toHaveLength(3);
		expect(bodies().slice(20)).toHaveLength(2);
	}, 120_000);

	test('n8n killed in a night and again in its Retry has written each record once after the next night', async () => {
		// n8n retries a crashed execution from the last node that it has saved.
		const workflow = await stage.create(parameters, { settings: { saveExecutionProgress: true } });
		const contacts = makeContacts(count);
		const { sandbox } = stage;
		// Slow enough to kill n8n in the middle of a chunk.
		sandbox.latencyMs = 200;
		const killAfter = async (requests: number) => {
			await waitFor('the requests', () => sandbox.requests.length >= requests);
			await stage.kill();
		};
		const killed = await stage.start(workflow, contacts);
		await killAfter(chunkSize + 50);
		await stage.waitForCrash(killed);
		const sentBefore = sandbox.requests.length;
		await stage.retry(workflow, killed);
		await killAfter(sentBefore + 50);
		sandbox.latencyMs = 0;

		const last = await stage.run(workflow, contacts);
		expect(last.status).toBe('success');
		expect(itemsOf(last, tested)).toHaveLength(count);
		// The first chunk was remembered before n8n was killed.
		expect(countSkipped(last)).toBeGreaterThanOrEqual(chunkSize);
		expect(bodies().length).toBeLessThanOrEqual(count + 2 * (count - chunkSize));
		expect(new Set(bodies().map(({ idempotencyKey }) => idempotencyKey)).size).toBe(count);
		expect([...sandbox.store.personLogs]).toHaveLength(count);
		const sent = bodies().length;
		await stage.run(workflow, contacts);
		expect(bodies()).toHaveLength(sent);
	}, 600_000);
});
