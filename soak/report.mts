import { formatTable } from '../tools/table.mts';
import { judge, type Series, type Verdict } from './judge.mts';
import type { PollSample } from './polling.mts';
import type { Outcome } from './strands/strand.mts';
import type { Sample } from './watch.mts';

export type Measured = {
	samples: Sample[];
	outcomes: Record<string, Outcome>;
	polls: PollSample[];
};

const mostShown = 20;

/** The samples of the n8n that ran longest without a start. */
function longestRun(samples: Sample[]): Sample[] {
	const epochs = Map.groupBy(samples, ({ epoch }) => epoch);
	const runs = [...epochs.values()].toSorted((a, b) => b.length - a.length);
	return runs[0] ?? [];
}

/** Sizes differ little from one measurement to the next, times much. */
const fewestSizes = 12;
const fewestTimes = 40;

/** What must not rise. */
function listSeries({ samples, outcomes, polls }: Measured): Series[] {
	const run = longestRun(samples);
	const of = (field: keyof Sample) => run.map((sample) => sample[field]);
	const sizes: Array<Omit<Series, 'fewest'>> = [
		{ name: 'Heap of n8n', unit: 'MB', values: of('heapMb'), ratio: 0.05, slack: 10 },
		// A connection is one too.
		{ name: 'Handles of n8n', unit: '', values: of('handles'), ratio: 0.2, slack: 40 },
		{ name: 'Static data', unit: 'KB', values: of('staticDataKb'), ratio: 0.2, slack: 4 },
		{
			name: 'Processed entries',
			unit: 'KB per API key',
			values: of('processedKb'),
			ratio: 0.25,
			slack: 10,
		},
		{
			name: 'State of the polling trigger',
			unit: 'KB',
			values: polls.map(({ stateBytes }) => stateBytes / 1e3),
			ratio: 0.2,
			slack: 4,
		},
		{
			name: 'Heap of the polling process',
			unit: 'MB',
			values: polls.map(({ heapBytes }) => heapBytes / 1e6),
			ratio: 0.05,
			slack: 5,
		},
		{
			name: 'Handles of the polling process',
			unit: '',
			values: polls.map(({ handles }) => handles),
			ratio: 0,
			slack: 4,
		},
	];
	const times = Object.entries(outcomes).map(([name, outcome]) => ({
		name: `Time: ${name}`,
		unit: 'ms each',
		values: outcome.times,
		ratio: 0.5,
		slack: 20,
	}));
	const timesOfPolls = {
		name: 'Time: polls',
		unit: 'ms of CPU each',
		values: polls.flatMap((sample) => sample.times),
		ratio: 0.5,
		slack: 10,
	};
	return [
		...sizes.map((series) => ({ ...series, fewest: fewestSizes })),
		...[...times, timesOfPolls].map((series) => ({ ...series, fewest: fewestTimes })),
	].filter(({ values }) => values.length > 0);
}

export type Report = {
	work: string[][];
	verdicts: Verdict[];
	violations: string[];
};

export function makeReport(measured: Measured): Report {
	const verdicts = listSeries(measured).map(judge);
	const work = Object.entries(measured.outcomes).flatMap(([strand, { counts }]) =>
		Object.entries(counts).map(([what, count]) => [strand, what, String(count)]),
	);
	const violations = Object.entries(measured.outcomes).flatMap(([strand, outcome]) =>
		outcome.violations.map((violation) => `${strand}: ${violation}`),
	);
	for (const { name, middle, last, unit, verdict } of verdicts)
		if (verdict === 'RISES')
			violations.push(`${name} rises from ${round(middle)} to ${round(last)} ${unit}`);
	return { work, verdicts, violations };
}

const head = ['', 'middle third', 'last third', 'unit', 'values', ''];

export const rowsOf = (verdicts: Verdict[]): string[][] =>
	verdicts.map(({ name, middle, last, unit, values, verdict }) => [
		name,
		round(middle),
		round(last),
		unit,
		String(values.length),
		verdict,
	]);

export function writeReport({ work, verdicts, violations }: Report): string {
	const shown = violations.slice(0, mostShown);
	const rest = violations.length - shown.length;
	return [
		formatTable(['work', 'what', 'count'], work),
		formatTable(head, rowsOf(verdicts)),
		violations.length === 0
			? `Nothing lost, nothing twice. ${verdicts.some(({ verdict }) => verdict === 'too few') ? 'No line rises, of those with enough values.' : 'No line rises.'}`
			: [...shown, ...(rest > 0 ? [`… and ${rest} more`] : [])].join('\n'),
	].join('\n\n');
}

const round = (value: number): string => String(Number(value.toPrecision(3)));
