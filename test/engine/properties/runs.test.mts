import fc from 'fast-check';
import { generated, withinMs } from '../../generated.mts';
import { judge } from './invariants.mts';
import { runScenario } from './runScenario.mts';
import { listScenario, type Scenario, writeScenario } from './scenario.mts';

test.each<[what: string, scenarios: fc.Arbitrary<Scenario>, runs: number, share: number]>([
	['a write is done once, is told truly, and comes out once', writeScenario, 250, 0.7],
	['a list is read exactly, or fails', listScenario, 120, 0.3],
])(
	'%s',
	async (_, scenarios, runs, share) => {
		const property = fc.asyncProperty(scenarios, async (scenario) => {
			for (const trace of await runScenario(scenario)) judge(trace);
		});
		await fc.assert(property, generated(runs, share));
	},
	withinMs(generated(250, 1)),
);
