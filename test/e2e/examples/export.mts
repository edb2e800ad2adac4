import type { Sandbox } from '../../../sandbox/index.mts';
import {
	itemsOf,
	listFailures,
	type Execution,
	type JsonObject,
} from '../../../tools/n8n/execution.mts';
import { moveToRecentWeeks } from '../../../tools/start/recent.mts';
import type { Workbench } from '../workbench.mts';
import { changeNode, ImportedExample } from './importing.mts';

const tableName = 'Audience sessions';

/** `open` gives the bench that all examples share. */
export const describeExport = (open: () => Workbench): void =>
	describe('the weekly export', () => {
		const example = ImportedExample.use(open, 'export');
		beforeAll(() => moveToRecentWeeks(example.sandbox.store));

		/** All rows of the data table. */
		async function readTable(): Promise<JsonObject[]> {
			const { session } = example.client;
			const { id } = await session.request<{ id: string }>('GET', '/rest/projects/personal');
			const tables = `/rest/projects/${id}/data-tables`;
			const { data } = await session.request<{ data: Array<{ id: string; name: string }> }>(
				'GET',
				tables,
			);
			const [table, ...others] = data.filter(({ name }) => name === tableName);
			expect(others).toEqual([]);
			const rows = await session.request<{ data: JsonObject[]; count: number }>(
				'GET',
				`${tables}/${table.id}/rows?take=250`,
			);
			expect(rows.data).toHaveLength(rows.count);
			return rows.data;
		}

		const listIds = (rows: JsonObject[]) =>
			rows.map(({ audienceSessionId }) => audienceSessionId).sort();

		test("each session of nine days is one row with the visitor's interactions", async () => {
			const execution = await example.run();
			expect(findExportDeviations(execution, example.sandbox)).toEqual([]);
			const rows = await readTable();
			expect(listIds(rows)).toEqual(listIds(listExportedRows(execution)));
			expect(rows.length).toBeGreaterThan(30);
			// A visitor who left at once is a row without interactions.
			expect(rows.filter(({ interactions }) => interactions === 0).length).toBeGreaterThan(0);
			expect(rows).toContainEqual(
				expect.objectContaining({
					formSubmissionId: expect.stringMatching(/./) as string,
					formSubmissionEmail: expect.stringContaining('@') as string,
				}),
			);
		});

		test('a second run adds new rows, updates changed ones and creates no duplicates', async () => {
			const before = await readTable();
			const { store } = example.sandbox;
			const [{ pageId }] = store.pages.all();
			const sessionStartedAt = new Date().toISOString();
			const [added] = store.addSessions(pageId, 1, { sessionStartedAt });
			const changed = store.sessions.of(pageId).at(-2);
			if (!changed) throw new Error('The page has no sessions');
			changed.timeSpentSeconds = 12_345;

			const execution = await example.run();
			expect(findExportDeviations(execution, example.sandbox)).toEqual([]);
			const after = await readTable();
			expect(listIds(after)).toEqual([...listIds(before), added.audienceSessionId].sort());
			expect(
				after.find(({ audienceSessionId }) => audienceSessionId === changed.audienceSessionId),
			).toMatchObject({ timeSpentSeconds: 12_345 });
		});

		test('sessions without a single interaction are exported too', async () => {
			const { store } = example.sandbox;
			const { pageId } = store.pages.all()[5];
			expect(store.sessions.of(pageId)).toEqual([]);
			const sessionStartedAt = new Date().toISOString();
			store.addSessions(pageId, 2, { isBounce: true, sessionStartedAt });
			await changeNode(example.bench, example.workflow, exportNodes.sessions, {
				pageId: { __rl: true, mode: 'id', value: pageId },
			});
			const execution = await example.run();
			expect(findExportDeviations(execution, example.sandbox)).toEqual([]);
			expect(listExportedRows(execution)).toHaveLength(2);
			expect(itemsOf(execution, 'Interactions')).toEqual([]);
		});
	});

/** The nodes of the example that the check reads. */
const exportNodes = { sessions: 'Sessions of nine days', rows: 'Add or update row' };

const listExportedRows = (execution: Execution): JsonObject[] =>
	itemsOf(execution, exportNodes.rows).map(({ json }) => json);

/** Compares the rows with the sandbox's sessions of the last requested period. Returns the deviations. */
function findExportDeviations(execution: Execution, sandbox: Sandbox): string[] {
	const rows = listExportedRows(execution);
	const asked = sandbox.requests.findLast(
		({ operationId }) => operationId === 'listAudienceSessions',
	);
	const found: string[] = [];
	found.push(...listFailures(execution));
	const startMs = Date.parse(String(asked?.query.startDate));
	const sessions = [...sandbox.store.sessions].filter(
		({ pageId, sessionStartedAt }) =>
			asked?.path.includes(pageId) && Date.parse(sessionStartedAt) >= startMs,
	);
	if (sessions.length === 0) found.push('there was no session to export');
	if (rows.length !== sessions.length) {
		found.push(`${sessions.length} sessions led to ${rows.length} rows`);
	}
	for (const { audienceSessionId, sessionStartedAt, timeSpentSeconds } of sessions) {
		const matching = rows.filter((row) => row.audienceSessionId === audienceSessionId);
		if (matching.length !== 1) {
			found.push(`${audienceSessionId} has ${matching.length} rows`);
			continue;
		}
		const interactions = sandbox.store.interactions.of(audienceSessionId);
		const expected: JsonObject = {
			sessionStartedAt,
			timeSpentSeconds,
			interactions: interactions.length,
			whatHappened: interactions
				.map(({ interaction: { label, responseText } }) =>
					[label, responseText].filter(Boolean).join(': '),
				)
				.join('\n'),
		};
		for (const [column, value] of Object.entries(expected)) {
			if (matching[0]?.[column] !== value) {
				found.push(`${audienceSessionId}: ${column} is ${JSON.stringify(matching[0]?.[column])}`);
			}
		}
	}
	return found;
}
