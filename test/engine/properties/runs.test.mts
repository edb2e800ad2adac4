import fc from 'fast-check';
import { generated, withinMs } from '../../generated.mts';
import { judge } from './invariants.mts';
import { runScenario } from './runScenario.mts';
import { listScenario, type Scenario, writeScenario } from './scenario.mts';

/*
 * Random runs of the action node: any operation that writes, or reads a list, over any items, settings and faults, and
 * over n8n's Retries of it. They say in rules what a run may do, and so describe the node a second time. Read them in
 * this order:
 *
 * - `scenario.mts`: all that a run depends on, and how it is drawn. `operations.mts` has the operations, and what each
 *   item asks for; `faults.mts` has what a request may meet in place of an answer.
 * - `runScenario.mts`: runs a scenario in n8n's engine, in fake time and without a network, and returns the trace: every
 *   request with what became of it, and what came out.
 * - `fakeService.mts`: the model of the service. It is the sandbox in this process, and notes what it really did, which
 *   the node cannot know.
 * - `analysis.mts`: the trace by items: what was sent for each, what came out, and what is in doubt.
 * - `invariants/`: the rules, one function for each. `writes.mts` says what is written how often and told how,
 *   `traffic.mts` what is sent when, `output.mts` what comes out. `invariants.mts` judges by all of them.
 *
 * `createOrGet.test.mts` has the operations that look before they create. Its runs, which may be killed, are drawn in
 * `lookups.mts`, use the same faults and service, and are judged in the test by counting who exists.
 *
 * What to do when one fails stands in test/generated.mts.
 */

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
