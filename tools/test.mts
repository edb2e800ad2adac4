import { availableParallelism } from 'node:os';
import { findChromium, noChromium } from './browser.mts';
import { runNode, runScript } from './command.mts';
import { runJest, type TestCounts } from './jest.mts';
import { runToEnd } from './lifetime.mts';
import { packPackage } from './package.mts';
import { scanPackage } from './scan.mts';
import { findServiceObstacle } from './services/provide.mts';
import { CommandError } from './setup/commandError.mjs';
import { timeWork } from './setup/progress.mjs';
import { formatTable } from './table.mts';

type Step = {
	name: string;
	title: string;
	run: () => Promise<TestCounts>;
	/** Jest shows its own progress. */
	showsProgress?: boolean;
	/** Takes long or downloads much: runs only when it is named, or with `all`. */
	onDemand?: boolean;
	/** What this machine lacks for the step. It is skipped then. */
	findObstacle?: () => Promise<string | undefined>;
};
type Outcome = TestCounts & { name: string; seconds: string };

const jest = (name: string, title: string, ...options: string[]): Step => ({
	name,
	title,
	run: async () => await runJest(name, options),
	showsProgress: true,
});

// A burst of events takes an n8n minutes that shares its core.
const inN8n = ['--testTimeout=180000'];

const steps: Step[] = [
	{ name: 'build', title: 'build and pack the package', run: build },
	{
		name: 'lint',
		title: "n8n's lint, the direction of imports, the format, the wording",
		run: lint,
	},
	{ name: 'types', title: 'the compiler', run: checkTypes },
	jest('unit', 'the functions of the nodes and the documents'),
	jest('sandbox', 'the sandbox over HTTP'),
	// Half of their time, these tests wait for the service to recover.
	jest('engine', "the nodes in n8n's engine", `--maxWorkers=${2 * availableParallelism()}`),
	{
		name: 'scan',
		title: "n8n's community scan of the source and the tarball",
		run: async () => count(await scanPackage()),
	},
	jest('e2e', 'the tarball in a real n8n', ...inN8n),
	{
		...jest('browser', "n8n's editor in a real browser", ...inN8n),
		findObstacle: async () => ((await findChromium()) ? undefined : noChromium),
	},
	{
		...jest('queue', "the tarball in n8n's queue mode", '--runInBand'),
		onDemand: true,
		findObstacle: findServiceObstacle,
	},
	{
		name: 'compat',
		title: 'the tarball in older releases of n8n',
		run: compat,
		showsProgress: true,
		onDemand: true,
	},
];

await runToEnd(async () => {
	const outcomes: Outcome[] = [];
	for (const step of chooseSteps(process.argv.slice(2))) {
		const outcome = await runStep(step);
		outcomes.push(outcome);
		// Without a package, the steps from the scan on have nothing to run.
		if (step.name === 'build' && outcome.failed > 0) break;
	}
	return report(outcomes);
});

function chooseSteps(wanted: string[]): Step[] {
	const names = [...steps.map(({ name }) => name), 'all'];
	const unknown = wanted.filter((name) => !names.includes(name));
	if (unknown.length > 0) {
		throw new CommandError(`Unknown step: ${unknown.join(' ')}. Steps: ${names.join(' ')}`);
	}
	if (wanted.includes('all')) return steps;
	return steps.filter(({ name, onDemand }) =>
		wanted.length > 0 ? wanted.includes(name) : !onDemand,
	);
}

async function runStep(step: Step): Promise<Outcome> {
	const { name, title, showsProgress } = step;
	console.log(`\n── ${name}: ${title}`);
	const { result, seconds } = await timeWork(
		async () => await runOrFail(step),
		(soFar) => showsProgress || console.log(`   … ${name} ${soFar} s`),
	);
	return { name, ...result, seconds };
}

async function runOrFail({ run, findObstacle }: Step): Promise<TestCounts> {
	try {
		const obstacle = await findObstacle?.();
		if (obstacle === undefined) return await run();
		console.log(`Skipped: ${obstacle}`);
		return { passed: 0, failed: 0, skipped: 1, failures: [] };
	} catch (error) {
		console.error(error instanceof CommandError ? error.message : error);
		return count(false);
	}
}

async function lint(): Promise<TestCounts> {
	const prettier = 'node_modules/prettier/bin/prettier.cjs';
	const cache = ['--cache', '--cache-location', '.cache/prettier'];
	return count(
		await runScript('lint'),
		await runScript('patterns'),
		await runScript('imports'),
		await runNode(prettier, '.', ...cache, '--check', '--log-level', 'warn'),
		await runScript('prose'),
	);
}

async function checkTypes(): Promise<TestCounts> {
	const tsc = 'node_modules/typescript/bin/tsc';
	return count(
		await runNode(tsc, '-p', 'tsconfig.json'),
		await runNode(tsc, '-p', 'tsconfig.dev.json'),
	);
}

/** One after the other, because each has an n8n of its own. */
async function compat(): Promise<TestCounts> {
	const all = count();
	for (const project of ['compat-n8n-2.8', 'compat-n8n-1.123']) {
		const counts = await runJest(project, inN8n);
		for (const key of ['passed', 'failed', 'skipped'] as const) all[key] += counts[key];
		all.failures.push(...counts.failures);
	}
	return all;
}

async function build(): Promise<TestCounts> {
	const { tarball, fresh } = await packPackage();
	console.log(fresh ? tarball : `${tarball} (unchanged)`);
	return count(true);
}

function count(...results: boolean[]): TestCounts {
	const passed = results.filter(Boolean).length;
	return { passed, failed: results.length - passed, skipped: 0, failures: [] };
}

function report(outcomes: Outcome[]): number {
	const rows = outcomes.map(({ name, passed, failed, skipped, seconds }) => [
		name,
		failed > 0 ? 'failed' : passed === 0 && skipped > 0 ? 'skipped' : 'passed',
		String(passed),
		String(failed),
		String(skipped),
		seconds,
	]);
	console.log(
		`\n${formatTable(['step', 'result', 'passed', 'failed', 'skipped', 'seconds'], rows)}\n`,
	);
	for (const { failures } of outcomes)
		for (const failure of failures) console.log(`● ${failure}\n`);
	const sum = (key: 'passed' | 'failed' | 'skipped'): number =>
		outcomes.reduce((total, outcome) => total + outcome[key], 0);
	const skipped = sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : '';
	console.log(`${sum('passed')} passed, ${sum('failed')} failed${skipped}`);
	return sum('failed') > 0 ? 1 : 0;
}
