const { QUICK_TESTS, PROPERTY_RUNS, PROPERTY_SEED } = process.env;

/**
 * How a generated test runs, for `fc.assert`. The cases are always the same, so that nothing fails by chance. `npm test`
 * runs a tenth of them. PROPERTY_RUNS runs as many random ones.
 *
 * When one fails, fast-check makes it as small as it can, and prints it behind "Counterexample", with the seed. What the
 * test says about it stands below "Cause".
 *
 * 1. Run it again: the same command, and after random cases with PROPERTY_SEED and the same PROPERTY_RUNS.
 * 2. Judge it as a user would who reads test/promises.md. Either the nodes are wrong, or the model of the service does
 *    what no service does, or a rule is stricter than the promise. A rule that is loosened without such a reason finds
 *    nothing any more.
 * 3. Where the nodes are wrong, write the case down as a test of a few lines beside its neighbors (`writesOnce`,
 *    `publishing`, `events`, …): it fails first, and stays when other numbers are drawn.
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
