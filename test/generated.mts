const { PROPERTY_RUNS, PROPERTY_SEED } = process.env;

/**
 * How a generated test plays, for `fc.assert`. Among all tests the cases are always the same, so that nothing fails by
 * chance. PROPERTY_RUNS plays as many random ones, and PROPERTY_SEED a failing one again.
 * @param usual how many without PROPERTY_RUNS
 * @param share the part of PROPERTY_RUNS that this test plays
 */
export function generated(usual: number, share = 1): { numRuns: number; seed?: number } {
	const numRuns = PROPERTY_RUNS === undefined ? usual : Math.ceil(Number(PROPERTY_RUNS) * share);
	const seed = PROPERTY_SEED ?? (PROPERTY_RUNS === undefined ? 20_261_121 : undefined);
	return { numRuns, ...(seed !== undefined && { seed: Number(seed) }) };
}

/** Far more than so many runs take, because making a failing case smaller takes many. */
export const withinMs = ({ numRuns }: { numRuns: number }): number => 120_000 + numRuns * 1_000;
