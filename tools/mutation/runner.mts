import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import TestRunner, { type Test } from 'jest-runner';
import type { Job, JobReport } from './jobs.mts';
import { getState, type MutationState, setState } from './state.mts';

type Watcher = Parameters<TestRunner['runTests']>[1];

/** Kept, because some tests replace it. */
const now = performance.now.bind(performance);

const recordingMs = 600_000;
const loadingMs = 120_000;

/** Runs the jobs of one process, each test file as often as they say, and reports on lines what became of them. */
export default class MutationRunner extends TestRunner {
	override async runTests(tests: Test[], watcher: Watcher): Promise<void> {
		const jobs = JSON.parse(readFileSync(process.env.MUTATION_JOBS ?? '', 'utf8')) as Job[];
		const byPath = new Map(
			tests.map((test) => [relative(test.context.config.rootDir, test.path), test]),
		);
		const runFile = async (file: string) => await this.#runFile(byPath.get(file), watcher);
		for (const job of jobs) {
			await run(job, runFile);
			report({ kind: 'done' });
		}
	}

	/** @returns the first test that failed */
	async #runFile(test: Test | undefined, watcher: Watcher): Promise<string | undefined> {
		if (!test) return undefined;
		const runner = new TestRunner(this._globalConfig, this._context);
		let failed: string | undefined;
		runner.on('test-file-success', ([, { testResults, testExecError }]) => {
			const first = testResults.find(({ status }) => status === 'failed')?.fullName;
			failed = testExecError ? 'the file' : first;
		});
		runner.on('test-file-failure', () => void (failed = 'the file'));
		await runner.runTests([test], watcher, { serial: true });
		return failed;
	}
}

async function run(
	job: Job,
	runFile: (file: string) => Promise<string | undefined>,
): Promise<void> {
	if (job.kind === 'record') {
		const { file, mutants } = job;
		report({ kind: 'started', patienceMs: recordingMs });
		setState({ report, file });
		const begin = now();
		const failed = await runFile(file);
		const ms = now() - begin;
		return report({ kind: 'recorded', file, ms, failed, tests: pick(mutants) });
	}
	if (job.kind === 'together') {
		report({ kind: 'started', patienceMs: loadingMs });
		setState({ report, file: job.file, together: job.changes });
		return void (await runFile(job.file));
	}
	const { mutants, hitLimit } = job;
	for (const { file, tests, ms } of job.files) {
		report({ kind: 'started', patienceMs: 60_000 + 5 * ms });
		setState({ report, file, mutants, hitLimit, tests: tests && new Set(tests) });
		const by = await runFile(file);
		if (by !== undefined) return report({ kind: 'noticed', mutants, by, file });
	}
}

/** Of what was recorded, what concerns some changes: there are 12,000 in all. */
function pick(mutants: string[]): MutationState['recorded'] {
	const picked = Object.entries(getState().recorded).map(([test, { counts, ms }]) => {
		const some = mutants.filter((mutant) => counts[mutant]);
		const kept = Object.fromEntries(some.map((mutant) => [mutant, counts[mutant]]));
		return [test, { counts: kept, ms }] as const;
	});
	return Object.fromEntries(picked.filter(([, { counts }]) => Object.keys(counts).length > 0));
}

function report(line: JobReport): void {
	// Names of tests have them, and they end a line too.
	const text = JSON.stringify(line).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
	process.stdout.write(`\n${text}\n`);
}
