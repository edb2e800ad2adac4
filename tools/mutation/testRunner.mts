import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import TestRunner from 'jest-runner';

type Test = { path: string };
type Result = {
	testResults: Array<{ status: string; fullName: string }>;
	testExecError?: unknown;
	perfStats: { runtime: number };
};

/** What the first run, which has no change, learns of a test file. */
interface TestFile {
	names: string[];
	ms: number;
}

/** In Stryker's copy of the repository, for all its processes. */
const learnedPath = 'testFiles.json';

/**
 * Stryker runs every test file for each change, though it knows the names of the tests that reach it. This runs only the
 * files that have such tests, the fastest first, until one fails.
 */
export default class MutationTestRunner extends TestRunner {
	async runTests(tests: Test[], watcher: unknown): Promise<void> {
		const isFirst = !process.env.__STRYKER_ACTIVE_MUTANT__;
		const learned = readLearned();
		let hasFailed = false;
		this.on('test-file-failure', () => void (hasFailed = true));
		this.on('test-file-success', ([{ path }, result]: [Test, Result]) => {
			const { testResults, testExecError, perfStats } = result;
			hasFailed ||= Boolean(testExecError) || testResults.some(({ status }) => status === 'failed');
			if (isFirst)
				learned[path] = {
					names: testResults.map(({ fullName }) => fullName),
					ms: perfStats.runtime,
				};
		});
		for (const test of isFirst
			? tests
			: choose(tests, learned, this._globalConfig.testNamePattern)) {
			await super.runTests([test], watcher, { serial: true });
			if (hasFailed && !isFirst) break;
		}
		if (isFirst) writeFileSync(learnedPath, JSON.stringify(learned));
	}
}

function choose(tests: Test[], learned: Record<string, TestFile>, names = ''): Test[] {
	const pattern = new RegExp(names, 'i');
	return tests
		.filter(({ path }) => learned[path].names.some((name) => pattern.test(name)))
		.sort((one, other) => learned[one.path].ms - learned[other.path].ms);
}

function readLearned(): Record<string, TestFile> {
	return existsSync(learnedPath)
		? (JSON.parse(readFileSync(learnedPath, 'utf8')) as Record<string, TestFile>)
		: {};
}
