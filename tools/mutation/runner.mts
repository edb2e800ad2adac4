import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import TestRunner, { type Test } from 'jest-runner';
import type { Job, JobReport } from './jobs.mts';
import { getState, type MutationState, setState } from './state.mts';

type Watcher = Parameters<TestRunner['runTests']>[1];

/** Runs the jobs of one process, each test file as often as they say, and reports each of them on a line. */
export default class MutationRunner extends TestRunner {
	override async runTests(tests: Test[], watcher: Watcher): Promise<void> {
		const jobs = JSON.parse(readFileSync(process.env.MUTATION_JOBS ?? '', 'utf8')) as Job[];
		const byPath = new Map(
			tests.map((test) => [relative(test.context.config.rootDir, test.path), test]),
		);
		for (const job of jobs) report(await this.#run(job, byPath, watcher));
	}

	async #run(job: Job, byPath: Map<string, Test>, watcher: Watcher): Promise<JobReport> {
		if (job.kind === 'record') {
			report({ kind: 'started', file: job.file });
			setState({ coverage: {} });
			const begin = performance.now();
			const failed = await this.#runFile(byPath.get(job.file), watcher);
			const ms = performance.now() - begin;
			return { kind: 'recorded', file: job.file, ms, failed, coverage: pick(job.mutants) };
		}
		for (const { file, tests } of job.files) {
			report({ kind: 'started', file });
			setState({
				mutant: job.mutant,
				hitLimit: job.hitLimit,
				tests: tests && new Set(tests),
				coverage: {},
			});
			const failed = await this.#runFile(byPath.get(file), watcher);
			if (failed !== undefined)
				return { kind: 'judged', mutant: job.mutant, noticedBy: `${file}: ${failed}` };
		}
		return { kind: 'judged', mutant: job.mutant };
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

/** Of the coverage, what concerns some changes: there are 12,000 in all. */
function pick(mutants: string[]): MutationState['coverage'] {
	const picked = Object.entries(getState().coverage).map(([test, counts]) => {
		const some = mutants.filter((mutant) => counts[mutant]);
		return [test, Object.fromEntries(some.map((mutant) => [mutant, counts[mutant]]))] as const;
	});
	return Object.fromEntries(picked.filter(([, counts]) => Object.keys(counts).length > 0));
}

function report(line: JobReport): void {
	process.stdout.write(`\n${JSON.stringify(line)}\n`);
}
