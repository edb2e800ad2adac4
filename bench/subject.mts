import type { Holds } from './loopWatch.mts';
import type { Lab } from './lab.mts';

export type Sample = {
	/** In the subject's unit. */
	value: number;
	/** The most requests at once, as counted by the service. */
	peakInFlight?: number;
	/** CPU of the n8n process over the whole execution, not only the measured node. */
	cpuMs?: number;
	/** Anything else that deserves a column. */
	note?: string;
	/** For deliveries: the time until the last response, before the executions have finished. */
	answeredMs?: number;
	/** Memory that the work added to the process at its peak. */
	addedBytes?: number;
	holds?: Holds;
};

export type Side = { name: string; run(): Promise<Sample> };

/** `side` may need at most `atMost` times what `against` needs. */
export type Goal = { side: string; against: string; atMost: number };

/** What became of a goal. */
export type Ratio = Goal & { subject: string; ratio: number };

/** What one number of items cost. */
export type SizePoint = {
	work: string;
	items: number;
	seconds: number;
	megabytes: number;
	holds: Holds;
};

/** What the results of a subject say, for people and for the pictures. */
export type Report = { text: string; ratios: Ratio[]; sizes?: SizePoint[] };

/** One thing to measure, done by several sides. */
export type Subject = {
	title: string;
	unit: 'ms' | 'MB';
	sides: Side[];
	goals: Goal[];
	/** Rounds in each run, for a side that is fast and a ratio that is small. 1 by default. */
	roundsPerRun?: number;
	/** Replaces the number of runs, for what takes too long to be repeated. */
	runs?: number;
	/** Replaces the usual report. */
	report?(results: Result[]): Report;
	/** Stops what was started for this subject only. */
	close?(): Promise<void>;
	/** Runs each side once before measuring: n8n loads nodes, and Node compiles, at first use. */
	warmUp?(): Promise<void>;
};

export type SubjectMaker = (lab: Lab) => Promise<Subject>;

export type Result = { side: string; samples: Sample[]; median: Sample };

/**
 * Runs all sides in turn, so that whatever else the machine does affects all of them. Every second round is in
 * reverse, so that no side always follows the same one.
 */
export async function measure(
	{ sides, warmUp, roundsPerRun = 1, runs }: Subject,
	wantedRuns: number,
	showSample: (line: string) => void,
): Promise<Result[]> {
	await warmUp?.();
	const samples = new Map(sides.map(({ name }): [string, Sample[]] => [name, []]));
	for (let run = 1; run <= (runs ?? wantedRuns) * roundsPerRun; run++) {
		for (const side of run % 2 ? sides : sides.toReversed()) {
			const sample = await side.run().catch((error: unknown) => {
				throw new Error(`${side.name}, run ${run}`, { cause: error });
			});
			samples.get(side.name)?.push(sample);
			showSample(`${side.name}: ${Math.round(sample.value)}`);
		}
	}
	return [...samples].map(([side, all]) => ({ side, samples: all, median: medianOf(all) }));
}

/** The sample in the middle, or the smaller of the two in the middle. */
function medianOf(samples: Sample[]): Sample {
	const sorted = [...samples].sort((a, b) => a.value - b.value);
	const middle = sorted[Math.floor((sorted.length - 1) / 2)];
	if (!middle) throw new Error('Nothing was measured');
	return middle;
}

/** The number in the middle, or the mean of the two in the middle. */
export function medianNumber(values: number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const half = (sorted.length - 1) / 2;
	return ((sorted[Math.floor(half)] ?? NaN) + (sorted[Math.ceil(half)] ?? NaN)) / 2;
}
