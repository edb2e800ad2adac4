import { readFileSync } from 'node:fs';
import { arch, availableParallelism, cpus, loadavg, platform, totalmem } from 'node:os';
import { join } from 'node:path';
import { root } from '../tools/root.mts';
import { formatTable } from '../tools/table.mts';
import type { Ratio, Report, Result, Sample, Subject } from './subject.mts';

type PackageJson = {
	version: string;
	dependencies?: Record<string, string>;
	devDependencies?: Record<string, string>;
};

const readPackage = (path: string): PackageJson =>
	JSON.parse(readFileSync(join(root, path), 'utf8')) as PackageJson;

/** The machine and the versions that the numbers belong to. */
export function describeSetting(): string {
	const own = readPackage('package.json');
	const { dependencies = {} } = readPackage('tools/n8n/package.json');
	const gigabytes = Math.round(totalmem() / 1024 ** 3);
	return [
		`${new Date().toISOString().slice(0, 10)}, package ${own.version}, n8n ${dependencies.n8n}`,
		`Node ${process.versions.node}, ${availableParallelism()} cores, ${gigabytes} GB`,
	].join(', ');
}

/** What else may matter for a single run. */
export function describeRun(runs: number): string {
	const model = cpus()[0]?.model.trim() ?? 'unknown processor';
	const axios = readPackage('package.json').devDependencies?.axios;
	return [
		`${model}, ${platform()} ${arch()}, axios ${axios}, load ${(loadavg()[0] ?? 0).toFixed(1)} before the start`,
		`The API responds after 20 ms. Median of ${runs} runs, the sides in turn. Every result was checked for completeness.`,
	].join('\n');
}

export function reportOn(subject: Subject, results: Result[]): Report {
	if (subject.report) return subject.report(results);
	const { title, unit, goals } = subject;
	const round = ({ value }: Sample): string => String(Math.round(value));
	const columns: Array<[title: string, cell: (result: Result) => string]> = [
		[`${title}`, ({ side }) => side],
		[unit, ({ median }) => round(median)],
		['all runs', ({ samples }) => samples.map(round).join(' ')],
		['requests at once', ({ median }) => String(median.peakInFlight ?? '')],
		['n8n CPU ms', ({ median }) => (median.cpuMs ? String(Math.round(median.cpuMs)) : '')],
		['', ({ median }) => median.note ?? ''],
	];
	const used = columns.filter(([, cell]) => results.some((result) => cell(result) !== ''));
	const rows = results.map((result) => used.map(([, cell]) => cell(result)));
	const table = formatTable(
		used.map(([head]) => head),
		rows,
	);
	const valueOf = (name: string): number =>
		results.find((result) => result.side === name)?.median.value ?? NaN;
	const ratios = goals.map((goal) => ({
		...goal,
		subject: title,
		ratio: valueOf(goal.side) / valueOf(goal.against),
	}));
	return { text: [table, ...ratios.map(describeRatio)].join('\n'), ratios };
}

export function describeRatio({ side, against, ratio, atMost }: Ratio): string {
	const verdict = ratio <= atMost ? 'met' : 'MISSED';
	return `${side} / ${against} = ${ratio.toFixed(2)}, goal at most ${Number(atMost.toFixed(2))}: ${verdict}`;
}
