import { formatTable } from '../tools/table.mts';
import { describeRatio } from './report.mts';
import { medianNumber, type Goal, type Report, type Result, type Sample } from './subject.mts';

type Setting = {
	title: string;
	count: number;
	atOnce: number;
	goal: Goal;
	/** Another side to compare with, without a goal. */
	beside: string;
};

const cpuName = 'n8n CPU';
const measures: Array<[name: string, of: (sample: Sample) => number]> = [
	['answered', ({ answeredMs = NaN }) => answeredMs],
	['finished', ({ value }) => value],
	[cpuName, ({ cpuMs = NaN }) => cpuMs],
];

/** The medians of each side, and of the ratios within each round, whose sides meet a similar load. */
export function reportOnDeliveries(
	results: Result[],
	{ title, count, atOnce, goal, beside }: Setting,
): Report {
	const rounds = results[0]?.samples.length ?? 0;
	const head = [
		`${rounds} rounds of ${count} deliveries, ${atOnce} at once`,
		...['answered', 'finished'].flatMap((name) => [`${name} ms`, 'per second', 'ms each']),
		`${cpuName} ms each`,
	];
	const rows = results.map(({ side, samples }) => {
		const [answered = NaN, finished = NaN, cpu = NaN] = measures.map(([, of]) =>
			medianNumber(samples.map(of)),
		);
		const times = [answered, finished].flatMap((ms) => [
			String(Math.round(ms)),
			((1000 * count) / ms).toFixed(1),
			(ms / count).toFixed(1),
		]);
		return [side, ...times, (cpu / count).toFixed(1)];
	});
	const compared = compare(results, goal.side, goal.against);
	const ratios = compared
		.filter(({ name }) => name !== cpuName)
		.map(({ name, ratio }) => ({ ...goal, side: `${goal.side}, ${name}`, ratio, subject: title }));
	const others = compare(results, goal.side, beside);
	const lines = [...compared, ...others].map(({ text }) => text);
	const text = [formatTable(head, rows), ...lines, ...ratios.map(describeRatio)].join('\n');
	return { text, ratios };
}

function compare(results: Result[], side: string, against: string) {
	const samplesOf = (wanted: string): Sample[] =>
		results.find((result) => result.side === wanted)?.samples ?? [];
	const others = samplesOf(against);
	return measures.map(([name, of]) => {
		const ratios = samplesOf(side).map((sample, round) => {
			const other = others[round];
			return other ? of(sample) / of(other) : NaN;
		});
		const ratio = medianNumber(ratios);
		const range = [Math.min(...ratios), Math.max(...ratios)].map((each) => each.toFixed(2));
		const text = `${side} / ${against}, ${name}: ${ratio.toFixed(2)} (${range.join(' to ')})`;
		return { name, ratio, text };
	});
}
