import type { Sandbox } from '../../sandbox/index.mts';
import { itemsOf, listFailures, type Execution, type JsonObject } from '../n8n/execution.mts';

/** The nodes of the example that the check reads. */
const overrideNodes = {
	rows: 'One item per row',
	same: 'As it should be',
	notFound: 'Not on this page',
	written: 'Written',
	failed: 'To fix',
};

/** How many rows had each outcome. */
export function countOverrides(execution: Execution) {
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
export function findOverrideDeviations(execution: Execution, { store }: Sandbox): string[] {
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
