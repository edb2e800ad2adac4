import fc from 'fast-check';
import { generated, withinMs } from '../../generated.mts';
import { judge } from './invariants.mts';
import type { Play } from './play.mts';
import type { Scenario } from './scenario.mts';

interface Property {
	scenarios: fc.Arbitrary<Scenario>;
	play: (scenario: Scenario) => Promise<Play[]>;
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
	const settings = generated(runs, share);
	test(
		name,
		async () => {
			const property = fc.asyncProperty(scenarios, async (scenario) => {
				for (const played of await play(scenario)) judge(played);
			});
			await fc.assert(property, settings);
		},
		withinMs(settings),
	);
}
