import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { generated, withinMs } from '../../generated.mts';
import { gather } from './evidence.mts';
import { judge } from './invariants.mts';
import { play } from './play.mts';
import { listScenario, type Scenario, writeScenario } from './scenario.mts';

async function playAndJudge(scenario: Scenario): Promise<void> {
	for (const played of await play(scenario)) judge(played);
}

/** Plays the same scenario with and without Options > Report. */
async function compareReport(scenario: Scenario): Promise<void> {
	const [played] = await play(scenario);
	const [reported] = await play({ ...scenario, isReported: true });
	const { records, failures } = gather(played);
	const requests = ({ events }: typeof played) => events.map(({ request }) => request.path);
	expect(requests(reported)).toEqual(requests(played));
	expect(reported.result.error?.message).toBe(played.result.error?.message);
	expect(reported.result.errors).toEqual(played.result.errors);
	expect(reported.result.hints).toEqual(played.result.hints);
	if (played.result.error) return expect(reported.result.output).toEqual([]);
	const [{ json }, ...more] = reported.result.output;
	expect(more).toEqual([]);
	const failed = failures.flatMap((failure) => failure ?? []);
	const waits = played.result.hints.flatMap((hint) => /^Waited (\d+)/.exec(hint)?.[1] ?? []);
	expect(json).toMatchObject({
		total: scenario.items.length,
		written: records.flat().length,
		failed: failed.length,
		waitedSeconds: Number(waits[0] ?? 0),
		moreFailures: 0,
	});
	// The message of an error item names its item, too.
	const named = (json.failures as IDataObject[]).map(({ item, message, maybeDone }) => [
		scenario.items.length === 1 ? message : `${String(message)} [item ${String(item)}]`,
		maybeDone,
	]);
	expect(named).toEqual(failed.map(({ message, maybeDone = false }) => [message, maybeDone]));
}

/** A run that n8n does not run again for a failed item: it never does so for one with a report. */
const reportScenario = writeScenario.map((scenario) => ({
	...scenario,
	retries: [],
	tries: scenario.onError === 'stopWorkflow' ? scenario.tries : 1,
}));

const properties: Record<
	string,
	[scenarios: fc.Arbitrary<Scenario>, judge: typeof playAndJudge, runs: number, share: number]
> = {
	'a write is done once, is told truly, and comes out once': [
		writeScenario,
		playAndJudge,
		250,
		0.7,
	],
	'a list is read exactly, or fails': [listScenario, playAndJudge, 120, 0.3],
	'a run with a report does the same, and counts what comes out without one': [
		reportScenario,
		compareReport,
		40,
		0.1,
	],
};

test.each(Object.entries(properties))(
	'%s',
	async (_, [scenarios, judgeIt, runs, share]) => {
		await fc.assert(fc.asyncProperty(scenarios, judgeIt), generated(runs, share));
	},
	withinMs(generated(250, 1)),
);
