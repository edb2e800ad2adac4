import { join } from 'node:path';
import { runProgram } from '../command.mts';
import { root } from '../root.mts';
import type { Job, JobReport } from './jobs.mts';
import { runOnAllCores, takeShare } from './process.mts';

export type Recorded = Extract<JobReport, { kind: 'recorded' }>;

/** In one process of jest. */
const mostFiles = 12;

/**
 * Runs tests without any change, and notes which of the changes each test passes.
 * @param paths parts of the paths of the tests to run; none for all
 */
export async function record(
	folder: string,
	mutants: string[],
	paths: string[],
): Promise<Recorded[]> {
	const listed = await runProgram(
		process.execPath,
		join(root, 'node_modules/jest/bin/jest.js'),
		'--config',
		join(folder, 'tools/mutation/jest.config.mjs'),
		'--listTests',
	);
	const files = listed
		.split('\n')
		.filter((path) => path.endsWith('.test.mts'))
		.map((path) => path.slice(path.indexOf('/test/') + 1))
		.filter((file) => paths.length === 0 || paths.some((path) => file.includes(path)));
	const left = files.map((file): Job => ({ kind: 'record', file, mutants }));
	const records: Recorded[] = [];
	await runOnAllCores(folder, {
		take: () => takeShare(left, mostFiles),
		onReport: (report) => {
			if (report.kind !== 'recorded') return;
			records.push(report);
			console.log(`recorded ${records.length} of ${files.length} test files`);
		},
		onEnd: (job) => {
			if (job.kind === 'record') console.log(`Does not end: ${job.file}`);
			return [];
		},
	});
	return records;
}
