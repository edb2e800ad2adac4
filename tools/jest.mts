import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { runNode } from './command.mts';
import { root } from './root.mts';

export type TestCounts = {
	passed: number;
	failed: number;
	skipped: number;
	/** What failed and why, to be told once more at the end. */
	failures: string[];
	times: TestTime[];
};

export type TestTime = { file: string; name: string; seconds: number; attempts: number };

type JestResult = {
	numPassedTests: number;
	numFailedTests: number;
	numPendingTests: number;
	numTodoTests: number;
	numRuntimeErrorTestSuites: number;
	testResults: Array<{
		name: string;
		/** Why the file could not run, if no test of it did. */
		message: string;
		assertionResults: Array<{
			status: string;
			fullName: string;
			/** In milliseconds, none for one that did not run. */
			duration?: number | null;
			invocations?: number;
			failureMessages?: string[];
		}>;
	}>;
};

const foreignFrame = /^\s+at .*(node_modules|node:)/;
/** For what a test leaves behind. With Node's own size, the unit tests take 5% more processor time. */
const roomForGarbage = '--max-semi-space-size=64';
/** Of a message: usually the difference, and where it was noticed. */
const mostLines = 40;

/** Runs projects of jest.config.mjs with their output shown. Returns how their tests ended. */
export async function runJest(projects: string[], options: string[] = []): Promise<TestCounts> {
	const resultPath = join(root, '.cache/test', `${projects.join('-')}.json`);
	mkdirSync(join(root, '.cache/test'), { recursive: true });
	rmSync(resultPath, { force: true });
	const jest = 'node_modules/jest/bin/jest.js';
	const output = ['--json', `--outputFile=${resultPath}`];
	const args = ['--selectProjects', ...projects, ...output, ...options];
	const succeeded = await runNode(roomForGarbage, jest, ...args);
	const counts = readCounts(resultPath);
	// Jest can fail without a failed test, for example when nothing matches.
	return { ...counts, failed: !succeeded && counts.failed === 0 ? 1 : counts.failed };
}

function readCounts(path: string): TestCounts {
	try {
		const result = JSON.parse(readFileSync(path, 'utf8')) as JestResult;
		return {
			passed: result.numPassedTests,
			failed: result.numFailedTests + result.numRuntimeErrorTestSuites,
			skipped: result.numPendingTests + result.numTodoTests,
			failures: listFailures(result),
			times: listTimes(result),
		};
	} catch {
		return { passed: 0, failed: 1, skipped: 0, failures: [], times: [] };
	}
}

function listTimes({ testResults }: JestResult): TestTime[] {
	return testResults.flatMap(({ name: path, assertionResults }) =>
		assertionResults.map(({ fullName, duration, invocations }) => ({
			file: relative(root, path),
			name: fullName,
			seconds: (duration ?? 0) / 1000,
			attempts: invocations ?? 1,
		})),
	);
}

function listFailures({ testResults }: JestResult): string[] {
	return testResults.flatMap(({ name, message, assertionResults }) => {
		const path = relative(root, name);
		const failed = assertionResults.filter(({ status }) => status === 'failed');
		if (assertionResults.length === 0 && message) return [describe(path, message)];
		return failed.map(({ fullName, failureMessages = [] }) =>
			describe(`${path}: ${fullName}`, failureMessages.join('\n')),
		);
	});
}

function describe(title: string, message: string): string {
	const lines = stripVTControlCharacters(message)
		.split('\n')
		.filter((line) => line.trim() !== '' && !foreignFrame.test(line));
	const rest = lines.length > mostLines ? ['…'] : [];
	return [title, ...[...lines.slice(0, mostLines), ...rest].map((line) => `    ${line}`)].join(
		'\n',
	);
}
