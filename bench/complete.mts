/** A side did not do the whole work, so that its time says nothing. */
export class Incomplete extends Error {}

/** Each expected ID exactly once and nothing else. */
export function requireEach(what: string, expected: string[], got: string[]): void {
	const found = new Set(got);
	const missing = expected.filter((id) => !found.has(id)).length;
	if (missing === 0 && found.size === got.length && got.length === expected.length) return;
	throw new Incomplete(
		`${what}: ${expected.length} expected, ${got.length} there, ${missing} missing, ${got.length - found.size} of them twice`,
	);
}

export function requireEqual(what: string, expected: unknown, got: unknown): void {
	if (expected === got) return;
	throw new Incomplete(`${what}: expected ${String(expected)}, got ${String(got)}`);
}

export function textsOf(records: Array<Record<string, unknown>>, field: string): string[] {
	return records.map((record) => String(record[field]));
}
