import { isDeepStrictEqual } from 'node:util';
import { countWanted, type Evidence } from '../evidence.mts';

/** A list brings exactly the service's records in its order, no more than are wanted, or it fails. */
export function readsAreExact(evidence: Evidence): string[] {
	const { scenario, write, records, failures, flaws, stop } = evidence;
	if (write || stop) return [];
	return scenario.items.flatMap((_, item) => {
		if (failures[item] || flaws[item]) return [];
		const expected = evidence.listFor(item).slice(0, countWanted(evidence, item));
		const came = records[item];
		if (isDeepStrictEqual(came, expected)) return [];
		const at = expected.findIndex((record, index) => !isDeepStrictEqual(record, came[index]));
		return [
			`item ${item}: ${came.length} of ${expected.length} records, the first other one at ${at}`,
		];
	});
}
