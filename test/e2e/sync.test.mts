import { itemsOf, type Execution, type JsonObject } from '../../tools/n8n/execution.mts';
import { OwnStage } from './ownStage.mts';
import { waitFor } from '../waitFor.mts';
import { tested } from './workbench.mts';

let stage: OwnStage;
beforeAll(async () => void (stage = await OwnStage.open()), 240_000);
beforeEach(() => stage.sandbox.reset());
afterAll(async () => await stage.close(), 60_000);

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
