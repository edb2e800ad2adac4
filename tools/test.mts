import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findChromium, noChromium } from './browser.mts';
import { runNode } from './command.mts';
import { runToEnd } from './lifetime.mts';
import { describeN8n, findLatestVersion, installN8n } from './n8n/install.mts';
import { packPackage } from './package.mts';
import { root } from './root.mts';
import { scanPackage } from './scan.mts';
import { findServiceObstacle } from './services/provide.mts';
import { CommandError } from './setup/commandError.mjs';
import { formatTable } from './table.mts';

// npm test: what every change needs, in minutes. npm run test:all (--all): everything.
// Either can be followed by the names of steps, or by what Jest shall run: npm test -- engine/order -t 'input order'

type Counts = { passed: number; failed: number; skipped: number };
type Step = {
	run: () => Promise<Counts>;
	/** What this machine lacks for the step, which is then skipped. */
	findObstacle?: () => Promise<string | undefined>;
};

const steps: Record<string, Step> = {
	build: { run: async () => count(Boolean((await packPackage()).tarball)) },
	lint: { run: lint },
	types: { run: checkTypes },
	unit: { run: async () => await runJest('unit') },
	sandbox: { run: async () => await runJest('sandbox') },
	engine: { run: async () => await runJest('engine') },
	scan: { run: async () => count(await scanPackage()) },
	n8n: { run: async () => await runJest('e2e', 'e2e/endpoints', 'e2e/triggers') },
	e2e: { run: async () => await runJest('e2e') },
	browser: {
		run: async () => await runJest('browser'),
		findObstacle: async () => ((await findChromium()) ? undefined : noChromium),
	},
	queue: { run: async () => await runJest('queue'), findObstacle: findServiceObstacle },
	compat: { run: testReleases },
};
const everyChange = ['build', 'lint', 'types', 'unit', 'sandbox', 'engine', 'scan', 'n8n'];
/** `e2e` has what `n8n` runs. */
const everything = Object.keys(steps).filter((name) => name !== 'n8n');

const args = process.argv.slice(2);
const isWhole = args[0] === '--all';
const wanted = isWhole ? args.slice(1) : args;
/** The releases of n8n that compat tests in place of the older ones. */
const releases = wanted.filter((arg) => /^(\d+\.\d+\.\d+|latest|image)$/.test(arg));

await runToEnd(async () => {
	const names = wanted.filter((arg) => !releases.includes(arg));
	if (names.some((name) => !(name in steps))) return await runTests(wanted);
	// For test/generated.mts.
	if (!isWhole) process.env.QUICK_TESTS = 'true';
	const rows: string[][] = [];
	const sum: Counts = { passed: 0, failed: 0, skipped: 0 };
	for (const name of names.length > 0 ? names : isWhole ? everything : everyChange) {
		console.log(`\n── ${name}`);
		const started = Date.now();
		const counts = await runStep(steps[name]);
		for (const key of ['passed', 'failed', 'skipped'] as const) sum[key] += counts[key];
		const seconds = ((Date.now() - started) / 1000).toFixed(0);
		rows.push([name, ...Object.values(counts).map(String), seconds]);
		// Without a package, the later steps have nothing to run.
		if (name === 'build' && counts.failed > 0) break;
	}
	console.log(`\n${formatTable(['step', 'passed', 'failed', 'skipped', 'seconds'], rows)}\n`);
	if (wanted.length === 0 && !isWhole) {
		console.log("Everything else (n8n's editor, queue mode, older n8n, …): npm run test:all\n");
	}
	const skipped = sum.skipped > 0 ? `, ${sum.skipped} skipped` : '';
	console.log(`${sum.passed} passed, ${sum.failed} failed${skipped}`);
	return sum.failed > 0 ? 1 : 0;
});

async function runStep({ run, findObstacle }: Step): Promise<Counts> {
	try {
		const obstacle = await findObstacle?.();
		if (obstacle === undefined) return await run();
		console.log(`Skipped: ${obstacle}`);
		return { passed: 0, failed: 0, skipped: 1 };
	} catch (error) {
		console.error(error instanceof CommandError ? error.message : error);
		return count(false);
	}
}

/** Jest as it is, for single files. It starts n8n only for files that need it. */
async function runTests(options: string[]): Promise<number> {
	const projects = ['unit', 'sandbox', 'engine', 'e2e', 'browser', 'queue'];
	const jest = 'node_modules/jest/bin/jest.js';
	return (await runNode(jest, '--selectProjects', ...projects, '--verbose', ...options)) ? 0 : 1;
}

/** Runs a project of jest.config.mjs, or the files of it whose paths contain one of these. */
async function runJest(project: string, ...files: string[]): Promise<Counts> {
	const result = join(root, '.cache/test', `${project}.json`);
	mkdirSync(join(root, '.cache/test'), { recursive: true });
	rmSync(result, { force: true });
	const output = ['--json', `--outputFile=${result}`];
	const jest = 'node_modules/jest/bin/jest.js';
	const succeeded = await runNode(jest, '--selectProjects', project, ...output, '--', ...files);
	const counts = readCounts(result);
	// Jest can fail without a failed test, for example when nothing matches.
	return succeeded || counts.failed > 0 ? counts : { ...counts, failed: 1 };
}

function readCounts(path: string): Counts {
	try {
		const result = JSON.parse(readFileSync(path, 'utf8')) as Record<string, number>;
		return {
			passed: result.numPassedTests,
			failed: result.numFailedTests + result.numRuntimeErrorTestSuites,
			skipped: result.numPendingTests + result.numTodoTests,
		};
	} catch {
		return count(false);
	}
}

async function lint(): Promise<Counts> {
	const lines = [
		'node_modules/@n8n/node-cli/bin/n8n-node.mjs lint',
		'tools/lint.mts',
		'node_modules/prettier/bin/prettier.cjs . --cache --cache-location .cache/prettier --check --log-level warn',
		'node_modules/cspell/bin.mjs lint --no-progress --quiet',
	];
	return count(
		...(await Promise.all(lines.map(async (line) => await runNode(...line.split(' '))))),
	);
}

async function checkTypes(): Promise<Counts> {
	const tsc = 'node_modules/typescript/bin/tsc';
	return count(
		...(await Promise.all([
			runNode(tsc, '-p', 'tsconfig.json'),
			runNode(tsc, '-p', 'tsconfig.dev.json'),
		])),
	);
}

/** One release of n8n after the other, because each has an n8n of its own. */
async function testReleases(): Promise<Counts> {
	const sum: Counts = { passed: 0, failed: 0, skipped: 0 };
	const usual = ['n8n-1.123', 'older-activation'];
	for (const wantedRelease of releases.length > 0 ? releases : usual) {
		const project = usual.includes(wantedRelease) ? wantedRelease : await addRelease(wantedRelease);
		const counts = await runJest(`compat-${project}`);
		for (const key of ['passed', 'failed', 'skipped'] as const) sum[key] += counts[key];
	}
	return sum;
}

/** @returns the name of its project */
async function addRelease(wantedRelease: string): Promise<string> {
	const release = wantedRelease === 'latest' ? await findLatestVersion() : wantedRelease;
	// Jest's setup takes the newest image of n8n.
	if (release !== 'image') await installN8n(describeN8n(release));
	process.env.COMPAT_N8N = release;
	return `n8n-${release}`;
}

function count(...results: boolean[]): Counts {
	const passed = results.filter(Boolean).length;
	return { passed, failed: results.length - passed, skipped: 0 };
}
