import { createInterface } from 'node:readline';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { atEnd } from '../lifetime.mts';
import { nodeCommand, signalGroup, startChild } from '../setup/child.mjs';
import { CommandError } from '../setup/commandError.mjs';
import type { Job, JobReport } from './jobs.mts';

let processes = 0;

/** How long jest may take to start, or to go from one file to the next. */
const startMs = 120_000;

/** What to do, for all cores. */
export interface Work {
	/** The next jobs for one process of jest, which grows with each file that it runs; none when all is done. */
	take: () => Job[];
	onReport: (report: JobReport, job: Job) => void;
	/**
	 * The process ended before the job was done, or hung in an endless loop.
	 * @param mutant the change that was switched on
	 * @returns what is left to do of it
	 */
	onEnd: (job: Job, mutant: string | undefined) => Job[];
}

/** The next jobs for one process: fewer at the end, so that no core waits for another. */
export function takeShare<T>(left: T[], most: number): T[] {
	const share = Math.ceil(left.length / (2 * availableParallelism()));
	return left.splice(0, Math.min(most, share));
}

/** Does the work on all cores. */
export async function runOnAllCores(
	folder: string,
	{ take, onReport, onEnd }: Work,
): Promise<void> {
	const work = async () => {
		for (let batch = take(); batch.length > 0; batch = take()) {
			while (batch.length > 0) {
				const { done, mutant } = await runJobs(folder, batch, onReport);
				const hung = batch.at(done);
				if (!hung) break;
				batch = [...onEnd(hung, mutant), ...batch.slice(done + 1)];
			}
		}
	};
	await Promise.all(Array.from({ length: availableParallelism() }, work));
}

/**
 * Runs jobs in one process of jest.
 * @returns how many are done, and the change that was switched on last
 */
async function runJobs(
	folder: string,
	jobs: Job[],
	onReport: Work['onReport'],
): Promise<{ done: number; mutant?: string }> {
	const path = join(folder, `jobs-${++processes}.json`);
	writeFileSync(path, JSON.stringify(jobs));
	const files = new Set(
		jobs.flatMap((job) => (job.kind === 'loaded' ? job.files.map(({ file }) => file) : [job.file])),
	);
	const jest = nodeCommand(process.execPath, 'node_modules/jest/bin/jest.js');
	const options = [
		'--config',
		'tools/mutation/jest.config.mjs',
		'--runInBand',
		'--forceExit',
		'--runTestsByPath',
	];
	const child = startChild([...jest, ...options, ...files], {
		cwd: folder,
		env: { ...process.env, MUTATION_JOBS: path },
		output: 'pipe',
	});
	const kill = () => signalGroup(child, 'SIGKILL');
	const cancel = atEnd(kill);
	let done = 0;
	let hasStarted = false;
	let mutant: string | undefined;
	let timer = setTimeout(kill, startMs);
	let errors = '';
	child.stderr?.on('data', (data: Buffer) => (errors = (errors + data.toString()).slice(-2_000)));
	const closed = once(child, 'close');
	for await (const line of createInterface({ input: child.stdout! })) {
		if (!line.startsWith('{"kind":')) continue;
		hasStarted = true;
		const report = JSON.parse(line) as JobReport;
		clearTimeout(timer);
		timer = setTimeout(kill, report.kind === 'started' ? report.patienceMs : startMs);
		onReport(report, jobs[done]);
		if (report.kind === 'started') mutant = report.mutant;
		if (report.kind === 'done') [done, mutant] = [done + 1, undefined];
	}
	await closed;
	clearTimeout(timer);
	cancel();
	// Jest itself could not start.
	if (!hasStarted) throw new CommandError(errors);
	return { done, mutant };
}
