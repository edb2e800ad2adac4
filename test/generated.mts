const { QUICK_TESTS, PROPERTY_RUNS, PROPERTY_SEED } = process.env;

/**
 * How a generated test runs, for `fc.assert`. The cases are always the same, so that nothing fails by chance. `npm test`
 * runs a tenth of them. PROPERTY_RUNS runs as many random ones, and PROPERTY_SEED a failing one
 * again.
 * @param usual how many without PROPERTY_RUNS
 * @param share the part of PROPERTY_RUNS that this test runs
 */
export function generated(usual: number, share = 1): { numRuns: number; seed?: number } {
	const numRuns = Math.ceil(
		PROPERTY_RUNS ? Number(PROPERTY_RUNS) * share : QUICK_TESTS ? usual / 10 : usual,
	);
	const seed = PROPERTY_SEED ?? (PROPERTY_RUNS === undefined ? 20_261_121 : undefined);
	return { numRuns, ...(seed !== undefined && { seed: Number(seed) }) };
}

/** Far more than so many runs take, because making a failing case smaller takes many. */
export const withinMs = ({ numRuns }: { numRuns: number }): number => 120_000 + numRuns * 1_000;
