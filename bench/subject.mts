import type { Lab } from './lab.mts';

export type Sample = {
	/** In the subject's unit. */
	value: number;
	/** The most requests under way at once, as the service saw it. */
	peakInFlight?: number;
	/** CPU of the n8n process over the whole execution, with what is around the measured node. */
	cpuMs?: number;
	/** Anything else worth a column. */
	note?: string;
	/** Of deliveries: until all were answered, before all that they started was over. */
	answeredMs?: number;
};

export type Side = { name: string; run(): Promise<Sample> };

/** `side` may need at most so many times what `against` needs. */
export type Goal = { side: string; against: string; atMost: number };

/** One thing to measure, done by several sides. */
export type Subject = {
	title: string;
	unit: 'ms' | 'MB';
	sides: Side[];
	goals: Goal[];
	/** So many rounds instead of each run: where one is short, and a small ratio counts. 1 by default. */
	roundsPerRun?: number;
	/** In place of the usual report. */
	describe?(results: Result[]): string;
	/** Ends what was started for this subject alone. */
	close?(): Promise<void>;
	/** Each side once before anything counts: n8n loads nodes, and Node compiles, at first use. */
	warmUp?(): Promise<void>;
};

export type SubjectMaker = (lab: Lab) => Promise<Subject>;

export type Result = { side: string; samples: Sample[]; median: Sample };

/**
 * All sides in turn, so many times, so that what else the machine does meets all of them; every second time in
 * reverse, so that none always comes after the same one.
 */
export async function measure(
	{ sides, warmUp, roundsPerRun = 1 }: Subject,
	runs: number,
	note: (text: string) => void,
): Promise<Result[]> {
	await warmUp?.();
	const samples = new Map(sides.map(({ name }): [string, Sample[]] => [name, []]));
	for (let run = 1; run <= runs * roundsPerRun; run++) {
		for (const side of run % 2 ? sides : sides.toReversed()) {
			const sample = await side.run().catch((error: unknown) => {
				throw new Error(`${side.name}, run ${run}`, { cause: error });
			});
			samples.get(side.name)?.push(sample);
			note(`${side.name}: ${Math.round(sample.value)}`);
		}
	}
	return [...samples].map(([side, all]) => ({ side, samples: all, median: medianOf(all) }));
}

/** The sample in the middle; of an even number the smaller of the two. */
export function medianOf(samples: Sample[]): Sample {
	const sorted = [...samples].sort((a, b) => a.value - b.value);
	const middle = sorted[Math.floor((sorted.length - 1) / 2)];
	if (!middle) throw new Error('Nothing was measured');
	return middle;
}

/** Of an even number the mean of the two in the middle. */
export function medianNumber(values: number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const half = (sorted.length - 1) / 2;
	return ((sorted[Math.floor(half)] ?? NaN) + (sorted[Math.ceil(half)] ?? NaN)) / 2;
}
