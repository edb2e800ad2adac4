import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import TestRunner from 'jest-runner';

type Test = { path: string };
type Result = { perfStats: { runtime: number }; numFailingTests: number; testExecError?: unknown };
type Watcher = { setState(state: { interrupted: boolean }): Promise<void> };

/** What the first run, which has no change, learns of a test file; in Stryker's copy of the repository. */
interface TestFile {
	ms: number;
	/** How often the file reached each change. */
	reached: Record<string, number>;
}

const learnedPath = 'testFiles.json';

/**
 * Stryker runs all tests in one process, and again for each change. This runs them in several processes, and for a change
 * the files alone that reach it, the fastest first, until one fails.
 */
export default class MutationTestRunner extends TestRunner {
	async runTests(tests: Test[], watcher: Watcher): Promise<void> {
		Object.assign(this, {
			_globalConfig: {
				...this._globalConfig,
				maxWorkers: availableParallelism(),
				workerIdleMemoryLimit: 1_500_000_000,
			},
		});
		const mutant = process.env.__STRYKER_ACTIVE_MUTANT__;
		await (mutant
			? this.runUntilFailure(choose(tests, mutant), watcher)
			: this.learn(tests, watcher));
	}

	private async learn(tests: Test[], watcher: Watcher): Promise<void> {
		const learned: Record<string, TestFile> = {};
		this.on('test-file-success', ([{ path }, { perfStats }]: [Test, Result]) => {
			learned[path] = { ms: perfStats.runtime, reached: readJson(`${path}.json`) };
		});
		await super.runTests(tests, watcher, { serial: false });
		writeFileSync(learnedPath, JSON.stringify(learned));
	}

	private async runUntilFailure(tests: Test[], watcher: Watcher): Promise<void> {
		const stop = async () => await watcher.setState({ interrupted: true });
		this.on('test-file-failure', stop);
		this.on('test-file-success', async ([, result]: [Test, Result]) => {
			if (result.numFailingTests > 0 || result.testExecError) await stop();
		});
		await super.runTests(tests, watcher, { serial: false });
	}
}

function choose(tests: Test[], mutant: string): Test[] {
	const learned = readJson<Record<string, TestFile>>(learnedPath);
	return tests
		.filter(({ path }) => mutant in learned[path].reached)
		.sort((one, other) => learned[one.path].ms - learned[other.path].ms);
}

function readJson<T>(path: string): T {
	return JSON.parse(readFileSync(path, 'utf8')) as T;
}
