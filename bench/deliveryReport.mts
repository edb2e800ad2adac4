import { formatTable } from '../tools/table.mts';
import { medianNumber, type Result, type Sample } from './subject.mts';

type Setting = {
	count: number;
	atOnce: number;
	names: { own: string; minimal: string; core: string };
};

const goal = 1.1;
const measures: Array<[name: string, of: (sample: Sample) => number]> = [
	['answered', ({ answeredMs = NaN }) => answeredMs],
	['finished', ({ value }) => value],
	['n8n CPU', ({ cpuMs = NaN }) => cpuMs],
];

/** Medians of each side, and of the ratios within each round: a round's sides meet the same load. */
export function describeDeliveries(results: Result[], { count, atOnce, names }: Setting): string {
	const rounds = results[0]?.samples.length ?? 0;
	const head = [
		`${rounds} rounds of ${count} deliveries, ${atOnce} at once`,
		...['answered', 'finished'].flatMap((name) => [`${name} ms`, 'per second', 'ms each']),
		'n8n CPU ms each',
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
	return [formatTable(head, rows), ...describeRatios(results, names)].join('\n');
}

function describeRatios(results: Result[], { own, minimal, core }: Setting['names']): string[] {
	const samplesOf = (name: string): Sample[] =>
		results.find(({ side }) => side === name)?.samples ?? [];
	const compare = (other: string): Array<[string, number, string]> =>
		measures.map(([name, of]) => {
			const others = samplesOf(other);
			const ratios = samplesOf(own).map((sample, round) => {
				const against = others[round];
				return against ? of(sample) / of(against) : NaN;
			});
			const spread = ratios.map((ratio) => ratio.toFixed(2)).join(' ');
			return [name, medianNumber(ratios), spread];
		});
	const write = (other: string, name: string, ratio: number): string =>
		`${own} / ${other}, ${name}: ${ratio.toFixed(2)}`;
	return [
		...compare(minimal).map(([name, ratio, spread]) => {
			const verdict =
				name === 'n8n CPU' ? '' : `, goal at most ${goal}: ${ratio <= goal ? 'met' : 'MISSED'}`;
			return `${write(minimal, name, ratio)}${verdict} (rounds: ${spread})`;
		}),
		...compare(core).map(([name, ratio]) => write(core, name, ratio)),
	];
}
