import { hash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import jest from '../../jest.config.mjs';
import { runToEnd } from '../lifetime.mts';
import { root } from '../root.mts';
import { CommandError } from '../setup/program.mjs';
import { installDependencies } from '../setup/install.mjs';
import { makeTemporaryFolder } from '../temporary.mts';

const usage = `npm run mutation                            makes about 500 random changes in nodes/, and lists those that neither the compiler nor a test notices
npm run mutation -- --seed 7                makes the same ones again
npm run mutation -- nodes/api/verdict.ts    makes all changes of some files or folders
                    --tests unit/api        runs only the tests in a folder or file`;

const own = import.meta.dirname;

/** The random changes lie in so many pieces of the code. */
const pieces = 30;
const linesPerPiece = 25;

await runToEnd(async () => {
	const { files, seed, tests } = readOptions();
	const isSample = files.length === 0;
	if (isSample) console.log(`Seed ${seed}`);
	// With as many random cases as `npm test`.
	process.env.QUICK_TESTS = 'true';
	await installDependencies(root, own);
	const { Stryker } = await import('@stryker-mutator/core');
	await new Stryker({
		mutate: isSample ? drawPieces(seed) : files.map(findSources),
		plugins: [
			join(own, 'node_modules/@stryker-mutator/jest-runner/dist/src/index.js'),
			join(own, 'checker.mts'),
		],
		checkers: ['changedFile'],
		testRunner: 'jest',
		jest: { projectType: 'custom', config: configureJest(tests), enableFindRelatedTests: false },
		coverageAnalysis: 'perTest',
		// Code that runs when a file loads is reached by every test: each change of it would run them all. What also runs in a
		// test is changed in that test alone: a description that seems to survive may be one that descriptions.txt notices.
		ignoreStatic: isSample,
		concurrency: availableParallelism(),
		timeoutMS: 30_000,
		dryRunTimeoutMinutes: 60,
		disableTypeChecks: false,
		tempDirName: makeTemporaryFolder(),
		ignorePatterns: ['/.cache', '/dist'],
		reporters: ['progress-append-only', 'clear-text'],
		clearTextReporter: { logTests: false, reportTests: false },
		allowConsoleColors: process.stdout.isTTY,
	}).runMutationTest();
	return 0;
});

function configureJest(tests: string[]) {
	return {
		...jest.projects[0],
		// Stryker adds those of jest.config.mjs, and then runs each test once for each of them.
		projects: [],
		runner: '<rootDir>/tools/mutation/testRunner.mts',
		testEnvironment: join(own, 'node_modules/jest-environment-node'),
		testMatch: tests.map((path) => `<rootDir>/test/${path}{/**/*,}.test.mts`),
		// They read the source, in which every change stands.
		testPathIgnorePatterns: ['/contract/(?:budget|processMemory)\\.test\\.mts$'],
	};
}

function findSources(path: string): string {
	return /\.ts(?::|$)/.test(path) ? path : join(path, '**/*.ts');
}

/** Stryker takes `file.ts:26-50` for the changes in these lines. */
function drawPieces(seed: number): string[] {
	const all = globSync('nodes/**/*.ts', { cwd: root }).flatMap((file) => {
		const lines = readFileSync(join(root, file), 'utf8').split('\n').length;
		return Array.from({ length: Math.ceil(lines / linesPerPiece) }, (_, i) => {
			return `${file}:${i * linesPerPiece + 1}-${(i + 1) * linesPerPiece}`;
		});
	});
	return all
		.map((piece) => ({ piece, at: hash('sha256', `${seed}:${piece}`) }))
		.sort((one, other) => one.at.localeCompare(other.at))
		.slice(0, pieces)
		.map(({ piece }) => piece);
}

function readOptions() {
	try {
		const { values, positionals: files } = parseArgs({
			options: {
				seed: { type: 'string' },
				tests: { type: 'string', multiple: true },
			},
			allowPositionals: true,
		});
		const seed = Number(values.seed ?? Date.now() % 1_000_000);
		if (!Number.isInteger(seed)) throw new Error('The seed is a number.');
		const tests = values.tests ?? ['unit', 'engine'];
		return { files, seed, tests };
	} catch (error) {
		throw new CommandError(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
	}
}
