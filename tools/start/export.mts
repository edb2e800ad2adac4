import type { Sandbox } from '../../sandbox/index.mts';
import { itemsOf, listFailures, type Execution, type JsonObject } from '../n8n/execution.mts';

/** The nodes of the example that the check reads. */
export const exportNodes = { sessions: 'Sessions of nine days', rows: 'Add or update row' };

export const listExportedRows = (execution: Execution): JsonObject[] =>
	itemsOf(execution, exportNodes.rows).map(({ json }) => json);

/** Compares the rows with the sandbox's sessions of the last requested period. Returns the deviations. */
export function findExportDeviations(execution: Execution, sandbox: Sandbox): string[] {
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
