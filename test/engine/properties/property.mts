import fc from 'fast-check';
import { judge } from './invariants.mts';
import type { Play } from './play.mts';
import type { Scenario } from './scenario.mts';

const { PROPERTY_RUNS, PROPERTY_SEED } = process.env;

// Among all tests the scenarios are always the same, so that nothing fails by chance. More runs are random.
const seed = PROPERTY_SEED ?? (PROPERTY_RUNS === undefined ? 20_261_121 : undefined);

/** How many scenarios a property plays. */
export function numRunsOf(runs: number, share: number): number {
	return PROPERTY_RUNS === undefined ? runs : Math.ceil(Number(PROPERTY_RUNS) * share);
}

export function seedOf(): { seed?: number } {
	return seed === undefined ? {} : { seed: Number(seed) };
}

interface Property {
	scenarios: fc.Arbitrary<Scenario>;
	play: (scenario: Scenario) => Promise<Play>;
	/** How many scenarios are played, where PROPERTY_RUNS says nothing. */
	runs: number;
	/** The part of PROPERTY_RUNS that this property plays. */
	share: number;
}

/**
 * A test that plays random scenarios and finds that all invariants hold. A failing scenario is made as small as it
 * can be, and printed with the seed that brings it again (PROPERTY_SEED).
 */
export function testProperty(name: string, { scenarios, play, runs, share }: Property): void {
	const numRuns = numRunsOf(runs, share);
	test(
		name,
		async () => {
			const property = fc.asyncProperty(scenarios, async (scenario) => judge(await play(scenario)));
			await fc.assert(property, { numRuns, ...seedOf() });
		},
		// Far more than the runs take, because making a failing scenario smaller takes many.
		120_000 + numRuns * 1_000,
	);
}
