import { findDeviations, listRows } from '../../tools/start/outcome.mts';
import { provideWorkflow, readExample, runOnce } from '../../tools/start/starter.mts';
import { openWorkbench, type Workbench } from './workbench.mts';

let bench: Workbench;
beforeAll(async () => {
	bench = await openWorkbench();
});
afterAll(() => bench.close());

test('the starter workflow writes each contact of the CRM once', async () => {
	const workflow = await provideWorkflow(bench.client, bench.credential);
	const execution = await runOnce(bench.client, workflow);
	expect(findDeviations(execution, bench.sandbox.requests)).toEqual([]);
	expect(listRows(execution)).toHaveLength(12);
	expect(listRows(execution).every(({ log }) => log?.createdPerson === true)).toBe(true);
});

test('a second run sends the same idempotency keys', async () => {
	const [first] = splitKeys();
	const workflow = await provideWorkflow(bench.client, bench.credential);
	await runOnce(bench.client, workflow);
	const [again, second] = splitKeys();
	expect(again).toEqual(first);
	expect(second).toEqual(first);
});

test('no example holds a credential', () => {
	expect(readExample().nodes.filter(({ credentials }) => credentials)).toEqual([]);
});

/** The sorted keys of each run of twelve. */
function splitKeys(): unknown[][] {
	const keys = bench.sandbox.requests.map(
		({ body }) => (body as { idempotencyKey: string }).idempotencyKey,
	);
	return [keys.slice(0, 12).sort(), keys.slice(12).sort()];
}
