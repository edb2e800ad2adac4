import { itemsOf, type JsonObject } from '../../tools/n8n/execution.mts';
import { openWorkbench, tested, type Workbench } from './workbench.mts';

// What n8n itself makes of options, which the engine's tests cannot show: it drops those that it takes for hidden.

let bench: Workbench;
beforeAll(async () => {
	bench = await openWorkbench();
});
beforeEach(() => bench.sandbox.reset());
afterAll(() => bench.close());

async function run(parameters: JsonObject, items: JsonObject[]): Promise<JsonObject[]> {
	const execution = await bench.runNode(parameters, items);
	expect([execution.status, execution.error]).toEqual(['success', undefined]);
	return itemsOf(execution, tested).map(({ json }) => json);
}

test('a report counts what the items wrote, in place of them', async () => {
	const log = {
		resource: 'personLog',
		operation: 'create',
		source: 'crm',
		person: { email: '={{ $json.email }}' },
		options: { report: true },
	};
	const items = ['ada@sample.example', 'noor@sample.example'].map((email) => ({ email }));
	expect(await run(log, items)).toEqual([
		{
			total: 2,
			written: 2,
			skipped: 0,
			failed: 0,
			waitedSeconds: 0,
			failures: [],
			moreFailures: 0,
		},
	]);
	expect(await run({ ...log, options: { report: true, dryRun: true } }, items)).toMatchObject([
		{ dryRun: true, total: 2, wouldWrite: 2 },
	]);
});
