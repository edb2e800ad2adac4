import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runNode } from './command.mts';
import { root } from './root.mts';

export type TestCounts = { passed: number; failed: number; skipped: number };

type JestResult = {
	numPassedTests: number;
	numFailedTests: number;
	numPendingTests: number;
	numTodoTests: number;
	numRuntimeErrorTestSuites: number;
};

/** Runs one project of jest.config.mjs with its output shown. Returns how its tests ended. */
export async function runJest(project: string, options: string[] = []): Promise<TestCounts> {
	const resultPath = join(root, '.cache/test', `${project}.json`);
	mkdirSync(join(root, '.cache/test'), { recursive: true });
	rmSync(resultPath, { force: true });
	const jest = join(root, 'node_modules/jest/bin/jest.js');
	const output = ['--json', `--outputFile=${resultPath}`];
	const succeeded = await runNode(jest, '--selectProjects', project, ...output, ...options);
	const { passed, failed, skipped } = readCounts(resultPath);
	// Jest can fail without a failed test, for example when nothing matches.
	return { passed, failed: !succeeded && failed === 0 ? 1 : failed, skipped };
}

function readCounts(path: string): TestCounts {
	try {
		const result = JSON.parse(readFileSync(path, 'utf8')) as JestResult;
		return {
			passed: result.numPassedTests,
			failed: result.numFailedTests + result.numRuntimeErrorTestSuites,
			skipped: result.numPendingTests + result.numTodoTests,
		};
	} catch {
		return { passed: 0, failed: 1, skipped: 0 };
	}
}
