import { createInterface } from 'node:readline';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { atEnd } from '../lifetime.mts';
import { nodeCommand, signalGroup, startChild } from '../setup/child.mjs';
import { CommandError } from '../setup/commandError.mjs';
import type { Job, JobReport } from './jobs.mts';

let processes = 0;

/**
 * Runs jobs in one process of jest.
 * @param patienceMs how long a test file may take
 * @returns how many jobs are done: fewer where the process ended, or hung in an endless loop
 */
export async function runJobs(
	folder: string,
	jobs: Job[],
	patienceMs: (file: string) => number,
	onReport: (report: JobReport) => void,
): Promise<number> {
	const path = join(folder, `jobs-${++processes}.json`);
	writeFileSync(path, JSON.stringify(jobs));
	const files = new Set(
		jobs.flatMap((job) => (job.kind === 'record' ? [job.file] : job.files.map(({ file }) => file))),
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
	let timer = setTimeout(kill, startMs);
	let errors = '';
	child.stderr?.on('data', (data: Buffer) => (errors = (errors + data.toString()).slice(-2_000)));
	const closed = once(child, 'close');
	for await (const line of createInterface({ input: child.stdout! })) {
		if (!line.startsWith('{"kind":')) continue;
		hasStarted = true;
		const report = JSON.parse(line) as JobReport;
		clearTimeout(timer);
		timer = setTimeout(kill, report.kind === 'started' ? patienceMs(report.file) : startMs);
		if (report.kind === 'started') continue;
		done++;
		onReport(report);
	}
	await closed;
	clearTimeout(timer);
	cancel();
	// Jest itself could not start.
	if (done === 0 && !hasStarted) throw new CommandError(errors);
	return done;
}

const startMs = 120_000;
