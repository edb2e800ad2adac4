import { listFailures, type Execution } from '../tools/n8n/execution.mts';

/** A side did not finish its work, so its time means nothing. */
export class IncompleteError extends Error {}

/** Requires each expected ID exactly once, and no other. */
export function requireEach(what: string, expected: string[], got: string[]): void {
	const found = new Set(got);
	const missing = expected.filter((id) => !found.has(id)).length;
	if (missing === 0 && found.size === got.length && got.length === expected.length) return;
	throw new IncompleteError(
		`${what}: expected ${expected.length}, found ${got.length}, of which ${got.length - found.size} duplicates; ${missing} missing`,
	);
}

export function requireEqual(what: string, expected: unknown, got: unknown): void {
	if (expected === got) return;
	throw new IncompleteError(`${what}: expected ${String(expected)}, found ${String(got)}`);
}

export function textsOf(records: Array<Record<string, unknown>>, field: string): string[] {
	return records.map((record) => String(record[field]));
}

export function requireSuccess(execution: Pick<Execution, 'status' | 'error'>): void {
	const [failure] = listFailures(execution);
	if (failure) throw new IncompleteError(failure);
}
