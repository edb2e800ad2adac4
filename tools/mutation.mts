import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { runProgram } from './command.mts';
import { atEnd, runToEnd } from './lifetime.mts';
import { type Change, copyWithChanges } from './mutation/copy.mts';
import type { Job, JobReport } from './mutation/jobs.mts';
import { runJobs } from './mutation/process.mts';
import { root } from './root.mts';
import { CommandError } from './setup/commandError.mjs';
import { makeTemporaryFolder, removeFolder } from './temporary.mts';

const usage = `npm run mutation                            makes 500 random changes in nodes/, and lists those that no test notices
npm run mutation -- --count 50 --seed 7     other numbers
npm run mutation -- nodes/api/retry.ts      makes all changes of some files`;

/** In one process of jest, which grows with each file that it runs. */
const recordedAtOnce = 12;
const judgedAtOnce = 10;
/** Passes through a change, in proportion to those without it, that are an endless loop. */
const hitFactor = 100;
const reportPath = join(root, '.cache/mutation/report.md');

type Recorded = Extract<JobReport, { kind: 'recorded' }>;

await runToEnd(async () => {
	const { files, count, seed } = readOptions();
	const folder = makeTemporaryFolder();
	atEnd(() => removeFolder(folder));
	const all = await copyWithChanges(folder);
	const chosen = choose(
		files.length > 0 ? all.filter(({ file }) => files.includes(file)) : all,
		count,
		seed,
	);
	console.log(`${chosen.length} of ${all.length} changes, seed ${seed}`);

	const records = await record(folder, chosen);
	const broken = records.filter(({ failed }) => failed !== undefined);
	for (const { file, failed } of broken)
		console.log(`Fails without any change: ${file}: ${failed}`);
	const usable = records.filter(({ failed }) => failed === undefined);
	const noticedBy = await judge(folder, chosen, usable);

	const survivors = chosen.filter(({ id }) => !noticedBy.has(id));
	writeReport(seed, chosen.length, survivors);
	return broken.length > 0 ? 1 : 0;
});

/** Runs all tests without any change. */
async function record(folder: string, changes: Change[]): Promise<Recorded[]> {
	const listed = await runProgram(
		process.execPath,
		join(root, 'node_modules/jest/bin/jest.js'),
		'--config',
		join(folder, 'tools/mutation/jest.config.mjs'),
		'--listTests',
	);
	const tests = listed
		.split('\n')
		.filter((path) => path.endsWith('.test.mts'))
		.map((path) => path.slice(path.indexOf('/test/') + 1));
	const mutants = changes.map(({ id }) => id);
	const records: Recorded[] = [];
	const jobs = tests.map((file): Job => ({ kind: 'record', file, mutants }));
	await runAll(
		folder,
		jobs,
		recordedAtOnce,
		() => 600_000,
		(report) => {
			if (report?.kind === 'recorded') records.push(report);
			console.log(`recorded ${records.length} of ${tests.length} test files`);
		},
	);
	return records;
}

async function judge(
	folder: string,
	changes: Change[],
	records: Recorded[],
): Promise<Map<string, string>> {
	const noticed = new Map<string, string>();
	const jobs = changes.flatMap((change): Job[] => makeJob(change.id, records));
	const ms = new Map(records.map((record) => [record.file, record.ms]));
	let judged = 0;
	await runAll(
		folder,
		jobs,
		judgedAtOnce,
		(file) => 60_000 + 5 * (ms.get(file) ?? 0),
		(report, job) => {
			if (job.kind !== 'judge') return;
			const by =
				report === undefined
					? 'an endless loop'
					: report.kind === 'judged'
						? report.noticedBy
						: undefined;
			if (by !== undefined) noticed.set(job.mutant, by);
			const change = changes.find(({ id }) => id === job.mutant);
			const place = `${change?.file}:${change?.line}`;
			console.log(`judged ${++judged} of ${jobs.length}: ${by ?? `not noticed: ${place}`}`);
		},
	);
	return noticed;
}

/** None for a change that no test reaches. The fastest files come first. */
function makeJob(mutant: string, records: Recorded[]): Job[] {
	const reaching = records
		.map(({ file, ms, coverage }) => {
			const hits = Object.entries(coverage).flatMap(([test, counts]) =>
				counts[mutant] ? [{ test, count: counts[mutant] }] : [],
			);
			const isStatic = hits.some(({ test }) => test === '');
			return { file, ms, hits, tests: isStatic ? undefined : hits.map(({ test }) => test) };
		})
		.filter(({ hits }) => hits.length > 0)
		.sort((a, b) => a.ms - b.ms);
	if (reaching.length === 0) return [];
	const most = Math.max(
		...reaching.map(({ hits }) => hits.reduce((sum, { count }) => sum + count, 0)),
	);
	return [
		{
			kind: 'judge',
			mutant,
			hitLimit: most * hitFactor,
			files: reaching.map(({ file, tests }) => ({ file, tests })),
		},
	];
}

/** On all cores. A job whose process ended before it is done is reported as undefined. */
async function runAll(
	folder: string,
	jobs: Job[],
	atOnce: number,
	patienceMs: (file: string) => number,
	onReport: (report: JobReport | undefined, job: Job) => void,
): Promise<void> {
	const left = [...jobs];
	const work = async () => {
		while (left.length > 0) {
			let batch = left.splice(0, atOnce);
			while (batch.length > 0) {
				let next = 0;
				const current = batch;
				const done = await runJobs(folder, current, patienceMs, (report) =>
					onReport(report, current[next++]),
				);
				if (done < current.length) onReport(undefined, current[done]);
				batch = current.slice(done + 1);
			}
		}
	};
	await Promise.all(Array.from({ length: availableParallelism() }, work));
}

function choose(changes: Change[], count: number, seed: number): Change[] {
	const drawn = changes.map((change) => ({ change, at: draw(`${seed}:${change.id}`) }));
	return drawn
		.sort((a, b) => a.at - b.at)
		.slice(0, count)
		.map(({ change }) => change);
}

/** From 0 up to 1, the same for the same text. */
function draw(text: string): number {
	return createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32;
}

function writeReport(seed: number, total: number, survivors: Change[]): void {
	const share = (((total - survivors.length) / total) * 100).toFixed(1);
	const summary = `${total - survivors.length} of ${total} changes were noticed (${share} %), seed ${seed}`;
	const entries = survivors.map(
		({ file, line, original, replacement }) =>
			`- ${file}:${line}\n\n\`\`\`diff\n${prefix('- ', original)}\n${prefix('+ ', replacement)}\n\`\`\`\n`,
	);
	mkdirSync(dirname(reportPath), { recursive: true });
	writeFileSync(reportPath, `${summary}\n\n${entries.join('\n')}`);
	console.log(`\n${entries.join('\n')}\n${summary}\n${reportPath}`);
}

function prefix(mark: string, text: string): string {
	return text.replace(/^/gm, mark);
}

function readOptions(): { files: string[]; count: number; seed: number } {
	try {
		const { values, positionals: files } = parseArgs({
			options: { count: { type: 'string' }, seed: { type: 'string' } },
			allowPositionals: true,
		});
		const count = Number(values.count ?? (files.length > 0 ? Infinity : 500));
		const seed = Number(values.seed ?? Date.now() % 1_000_000);
		if (!(count > 0) || !Number.isInteger(seed)) throw new Error('Count and seed are numbers.');
		return { files, count, seed };
	} catch (error) {
		throw new CommandError(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
	}
}
