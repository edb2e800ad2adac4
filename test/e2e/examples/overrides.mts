import type { Sandbox } from '../../../sandbox/index.mts';
import {
	itemsOf,
	listFailures,
	type Execution,
	type JsonObject,
} from '../../../tools/n8n/execution.mts';
import type { Workbench } from '../workbench.mts';
import { ImportedExample } from './importing.mts';

/** `open` gives the bench that all examples share. */
export const describeOverrides = (open: () => Workbench): void =>
	describe('the overrides', () => {
		const example = ImportedExample.use(open, 'overrides');
		beforeEach(() => {
			example.sandbox.requests.length = 0;
		});

		const listWritten = () =>
			example.sandbox.requests
				.filter(({ method }) => method === 'PATCH')
				.map(({ path, body }) => ({ path, body }));

		test('a rejected row is reported, and the others are written', async () => {
			example.sandbox.faults.add({ kind: 'status', status: 422, method: 'PATCH', times: 1 });
			const execution = await example.run();
			expect(execution.status).toBe('success');
			expect(countOverrides(execution)).toEqual({ written: 2, same: 2, notFound: 1, failed: 1 });
			expect(itemsOf(execution, 'To fix')[0]?.json).toEqual({
				audience: expect.stringMatching(/^audience_/) as string,
				outcome: expect.stringMatching(/^Not written: .*422/) as string,
			});
		});

		test('writes only rows that differ, and only cells with a value', async () => {
			example.sandbox.reset();
			const execution = await example.run();
			expect(findOverrideDeviations(execution, example.sandbox)).toEqual([]);
			expect(countOverrides(execution)).toEqual({ written: 3, same: 2, notFound: 1, failed: 0 });
			const written = listWritten().sort((a, b) => a.path.localeCompare(b.path));
			expect(written.map(({ body }) => body)).toEqual([
				// An empty cell is not sent.
				{ actionUrlOverride: 'https://pages.northwind.example/offer/warehouses' },
				{
					customName: 'Autumn campaign',
					actionUrlOverride: 'https://pages.northwind.example/offer/autumn',
				},
				{
					customName: 'Spring offer for carriers',
					actionUrlOverride: 'https://pages.northwind.example/offer/carriers',
				},
			]);
			expect(itemsOf(execution, 'Written')[0]?.json).toEqual({
				audience: expect.stringMatching(/^audience_/) as string,
				outcome:
					'Now "Spring offer for carriers", with the action https://pages.northwind.example/offer/carriers',
			});
			expect(itemsOf(execution, 'Not on this page')[0]?.json).toMatchObject({
				audience: 'audience_notthereanymore0000000000',
			});
		});

		test('a second run writes nothing', async () => {
			const execution = await example.run();
			expect(countOverrides(execution)).toEqual({ written: 0, same: 5, notFound: 1, failed: 0 });
			expect(listWritten()).toEqual([]);
		});
	});

/** The nodes of the example that the check reads. */
const overrideNodes = {
	rows: 'One item per row',
	same: 'As it should be',
	notFound: 'Not on this page',
	written: 'Written',
	failed: 'To fix',
};

/** How many rows had each outcome. */
function countOverrides(execution: Execution) {
	const count = (node: string) => itemsOf(execution, node).length;
	const { written, same, notFound, failed } = overrideNodes;
	return {
		written: count(written),
		same: count(same),
		notFound: count(notFound),
		failed: count(failed),
	};
}

/** Compares the rows with the sandbox's audiences. Returns the deviations. */
function findOverrideDeviations(execution: Execution, { store }: Sandbox): string[] {
	const found: string[] = [];
	found.push(...listFailures(execution));
	const rows = itemsOf(execution, overrideNodes.rows).map(({ json }) => json);
	if (rows.length === 0) found.push('the sheet has no rows');
	const { written, same, notFound, failed } = countOverrides(execution);
	if (written + same + notFound + failed !== rows.length) {
		found.push(`${rows.length} rows had ${written + same + notFound + failed} outcomes`);
	}
	if (failed > 0) found.push(`${failed} rows failed`);
	for (const row of rows) found.push(...compareRow(row, store));
	return found;
}

function compareRow(row: JsonObject, store: Sandbox['store']): string[] {
	const id = String(row['Audience ID']);
	const audience = store.audiences.get(id);
	const pairs = [
		['Custom name', audience?.customName],
		['Action URL', audience?.actionUrlOverride],
	] as const;
	return pairs
		.filter(([cell, now]) => audience && row[cell] && row[cell] !== now)
		.map(([cell, now]) => `${id}: ${cell} is ${JSON.stringify(now)}`);
}
