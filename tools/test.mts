import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findChromium, noChromium } from './browser.mts';
import { runBehind, runNode, runPackage } from './command.mts';
import { runToEnd } from './lifetime.mts';
import { findLatestVersion, installN8n } from './n8n/install.mts';
import { provideUserFolder } from './n8n/n8n.mts';
import { packPackage } from './package.mts';
import { root } from './root.mts';
import { canProvideRedis, noRedis } from './services.mts';
import { CommandError } from './setup/program.mjs';

// npm test: what every change needs, in minutes. npm run test:all (--all): everything.
// Either can be followed by the names of steps, or by what Jest shall run: npm test -- engine/order -t 'input order'

type Counts = { passed: number; failed: number; skipped: number };
/** As Jest names them. */
const noTests = {
	...{ numPassedTests: 0, numFailedTests: 0, numRuntimeErrorTestSuites: 0 },
	...{ numPendingTests: 0, numTodoTests: 0 },
};

const jest = 'node_modules/jest/bin/jest.js';
const startLint = once(async () => {
	const lines = [
		'node_modules/@n8n/node-cli/bin/n8n-node.mjs lint',
		'node_modules/eslint/bin/eslint.js --config tools/eslint.mjs --max-warnings 0 --cache --cache-location .cache/eslint --cache-strategy content nodes credentials',
		'tools/lint.mts',
		'node_modules/prettier/bin/prettier.cjs . --cache --cache-location .cache/prettier --check --log-level warn',
	];
	return await Promise.all(lines.map(async (line) => await runBehind(...line.split(' '))));
});
const install = once(installN8n);
const prepareN8n = once(async () => await provideUserFolder(await install()));

/** A step ends with a line why it is skipped where this machine lacks something. */
const steps: Record<string, () => Promise<Counts | string>> = {
	build: async () => count(Boolean(await packPackage())),
	types: checkTypes,
	unit: async () => await runJest('unit'),
	sandbox: async () => await runJest('sandbox'),
	engine: async () => await runJest('engine'),
	lint: async () => {
		const results = await startLint();
		for (const { output } of results) if (output) console.log(output);
		return count(...results.map(({ succeeded }) => succeeded));
	},
	scan: async () => {
		await install();
		return count(await (await import('./n8n/scan.mts')).scanPackage());
	},
	n8n: async () => await runInN8n('e2e/endpoints', 'e2e/triggers'),
	spelling: async () =>
		count(await runPackage('cspell@9.8.0', 'cspell/bin.mjs', 'lint', '--quiet')),
	e2e: async () => await runInN8n(),
	browser: async () => ((await findChromium()) ? await runJest('browser') : noChromium),
	queue: async () => (canProvideRedis() ? await runJest('queue') : noRedis),
	compat: async () =>
		addUp([await runJest('compat-n8n-1.123'), await runJest('compat-older-activation')]),
	latest: async () => {
		// For jest.config.mjs. Jest's setup installs it.
		process.env.COMPAT_N8N = await findLatestVersion();
		return await runJest(`compat-n8n-${process.env.COMPAT_N8N}`);
	},
};
const everyChange = ['build', 'types', 'unit', 'sandbox', 'engine', 'lint', 'scan', 'n8n'];
/** `e2e` has what `n8n` runs, and `latest` may fail without a change. */
const everything = Object.keys(steps).filter((name) => !['n8n', 'latest'].includes(name));

const args = process.argv.slice(2);
const isWhole = args[0] === '--all';
const wanted = isWhole ? args.slice(1) : args;

await runToEnd(async () => {
	if (wanted.some((name) => !(name in steps))) return await runTests(wanted);
	// For test/generated.mts.
	if (!isWhole) process.env.QUICK_TESTS = 'true';
	const names = wanted.length > 0 ? wanted : isWhole ? everything : everyChange;
	// What mostly waits, for a download or for one core, runs beside the steps before its own, which say how it ended.
	if (names.length > 1 && names.includes('lint')) startLint().catch(() => {});
	if (names.length > 1 && /n8n|e2e/.test(names.join())) prepareN8n().catch(() => {});
	const results: Record<string, Counts & { seconds: number }> = {};
	for (const name of names) {
		console.log(`\n── ${name}`);
		const started = Date.now();
		const counts = await runStep(steps[name]);
		results[name] = { ...counts, seconds: Math.round((Date.now() - started) / 1000) };
		// Without a package, the later steps have nothing to run.
		if (name === 'build' && counts.failed > 0) break;
	}
	console.log();
	console.table(results);
	if (wanted.length === 0 && !isWhole)
		console.log("Everything else (n8n's editor, queue mode, older n8n, …): npm run test:all\n");
	const { passed, failed, skipped } = addUp(Object.values(results));
	console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
	return failed > 0 ? 1 : 0;
});

async function runStep(run: (typeof steps)[string]): Promise<Counts> {
	try {
		const result = await run();
		if (typeof result !== 'string') return result;
		console.log(`Skipped: ${result}`);
		return { passed: 0, failed: 0, skipped: 1 };
	} catch (error) {
		console.error(error instanceof CommandError ? error.message : error);
		return count(false);
	}
}

/** Jest as it is, for single files. It starts n8n only for files that need it. */
async function runTests(options: string[]): Promise<number> {
	const projects = ['unit', 'sandbox', 'engine', 'e2e', 'browser', 'queue'];
	return (await runNode(jest, '--selectProjects', ...projects, '--verbose', ...options)) ? 0 : 1;
}

/** Runs a project of jest.config.mjs, or the files of it whose paths contain one of these. */
async function runJest(project: string, ...files: string[]): Promise<Counts> {
	const result = join(root, '.cache/test', `${project}.json`);
	mkdirSync(join(root, '.cache/test'), { recursive: true });
	rmSync(result, { force: true });
	const output = ['--json', `--outputFile=${result}`];
	const succeeded = await runNode(jest, '--selectProjects', project, ...output, '--', ...files);
	// Jest writes none when it cannot run.
	const text = existsSync(result) ? readFileSync(result, 'utf8') : '{}';
	const found = { ...noTests, ...(JSON.parse(text) as Partial<typeof noTests>) };
	const failed = found.numFailedTests + found.numRuntimeErrorTestSuites;
	return {
		passed: found.numPassedTests,
		// It can fail without a failed test, for example when nothing matches.
		failed: succeeded ? failed : Math.max(failed, 1),
		skipped: found.numPendingTests + found.numTodoTests,
	};
}

async function runInN8n(...files: string[]): Promise<Counts> {
	await prepareN8n();
	return await runJest('e2e', ...files);
}

/** By the compiler that takes a third of the time of the one that n8n's lint needs. */
async function checkTypes(): Promise<Counts> {
	const check = async (project: string) =>
		await runPackage('typescript@7.0.2', 'typescript/bin/tsc', '-p', project);
	return count(await check('tsconfig.json'), await check('tsconfig.dev.json'));
}

function count(...results: boolean[]): Counts {
	const passed = results.filter(Boolean).length;
	return { passed, failed: results.length - passed, skipped: 0 };
}

function addUp(all: Counts[]): Counts {
	const sum = (key: keyof Counts) => all.reduce((total, counts) => total + counts[key], 0);
	return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
}

/** The same promise each time. */
function once<T>(start: () => Promise<T>): () => Promise<T> {
	let started: Promise<T> | undefined;
	return async () => await (started ??= start());
}
