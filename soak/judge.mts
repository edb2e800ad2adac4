/** Something that was measured again and again, and must not rise. */
export type Series = {
	name: string;
	unit: string;
	values: number[];
	/** How much larger the last third may be than the middle one: by this part of it, and by so many units. */
	ratio: number;
	slack: number;
	/** With fewer values, a third of them says nothing. */
	fewest: number;
};
export type Verdict = Series & {
	middle: number;
	last: number;
	verdict: 'flat' | 'RISES' | 'too few';
};

/** Compares the median of the last third with that of the middle third: the first one is n8n getting warm. */
export function judge(series: Series): Verdict {
	const { values, ratio, slack, fewest } = series;
	const third = Math.floor(values.length / 3);
	const middle = median(values.slice(-2 * third, -third));
	const last = median(values.slice(-third));
	const rises = last > middle * (1 + ratio) + slack;
	const verdict = values.length < fewest ? 'too few' : rises ? 'RISES' : 'flat';
	return { ...series, middle, last, verdict };
}

export function median(values: number[]): number {
	const sorted = values.toSorted((a, b) => a - b);
	return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}
