import { availableParallelism } from 'node:os';
import { findChromium, noChromium } from './browser.mts';
import { Affected } from './changed/affected.mts';
import { runNode, runScript } from './command.mts';
import { runJest, type TestCounts, type TestTime } from './jest.mts';
import { runToEnd } from './lifetime.mts';
import { findLatestVersion, installN8n } from './n8n/install.mts';
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
	/** Of Jest's projects that run at once: where the tests of one wait, the others have the core. */
	jest?: { projects: string[]; options: string[]; tests?: string[] };
	/** What of it the changes concern: its test files, or all of it or nothing. */
	concerns: (affected: Affected) => string[] | boolean;
	/** Jest shows its own progress. */
	showsProgress?: boolean;
	/** Takes long or downloads much: runs only when it is named, or with `all`. */
	onDemand?: boolean;
	/** What this machine lacks for the step. It is skipped then. */
	findObstacle?: () => Promise<string | undefined>;
};
type Outcome = TestCounts & { name: string; seconds: string };

const jest = (name: string, title: string, ...options: string[]): Step => ({
	...ofJest({ projects: [name], options }),
	name,
	title,
	concerns: (affected) => affected.listTests(name),
	showsProgress: true,
});

const ofJest = (run: NonNullable<Step['jest']>): Pick<Step, 'run' | 'jest'> => ({
	run: async () => {
		const { projects, options, tests } = run;
		return await runJest(projects, tests ? [...options, '--runTestsByPath', ...tests] : options);
	},
	jest: run,
});

// Some tests of the nodes wait for the service to recover, and leave their core to others.
const inEngine = `--maxWorkers=${2 * availableParallelism()}`;
// An n8n that shares its core takes long for a burst of events.
const inN8n = ['--testTimeout=180000'];
// The tests of the triggers wait as the triggers do.
const waiting = `--maxWorkers=${availableParallelism() + 3}`;

const soak = 'soak/soak.mts';

const steps: Step[] = [
	{
		name: 'build',
		title: 'build and pack the package',
		run: build,
		concerns: ({ hasPackage }) => hasPackage,
	},
	{
		name: 'lint',
		title: "n8n's lint, the direction of imports, the format, the wording",
		run: lint,
		concerns: () => true,
	},
	{
		name: 'types',
		title: 'the compiler',
		run: checkTypes,
		concerns: ({ hasCode }) => hasCode,
	},
	jest('unit', 'the functions of the nodes and the documents', inEngine),
	jest('sandbox', 'the sandbox over HTTP', inEngine),
	jest('engine', "the nodes in n8n's engine", inEngine),
	{
		name: 'scan',
		title: "n8n's community scan of the source and the tarball",
		run: async () => count(await scanPackage()),
		concerns: ({ hasPackage }) => hasPackage,
	},
	jest('e2e', 'the tarball in a real n8n', ...inN8n, waiting),
	{
		...jest('browser', "n8n's editor in a real browser", ...inN8n, waiting),
		findObstacle: async () => ((await findChromium()) ? undefined : noChromium),
	},
	{
		...jest('queue', "the tarball in n8n's queue mode", '--runInBand'),
		onDemand: true,
		findObstacle: findServiceObstacle,
	},
	{
		name: 'compat',
		title: 'the tarball in other releases of n8n',
		run: compat,
		concerns: (affected) => affected.listTests('compat').length > 0,
		showsProgress: true,
		onDemand: true,
	},
	{
		name: 'soak',
		title: 'two days of work for the tarball, and what it keeps of them',
		run: async () => count(await runNode(soak, '--short')),
		concerns: (affected) => affected.isRead([soak]),
		showsProgress: true,
		onDemand: true,
	},
];

/** What `compat` tests in place of the older releases. */
const versions = process.argv.slice(2).filter((arg) => /^(\d+\.\d+\.\d+|latest)$/.test(arg));

await runToEnd(async () => {
	const outcomes: Outcome[] = [];
	for (const step of await join(chooseSteps(process.argv.slice(2)))) {
		const outcome = await runStep(step);
		outcomes.push(outcome);
		// Without a package, the steps from the scan on have nothing to run.
		if (step.name === 'build' && outcome.failed > 0) break;
	}
	if (outcomes.length > 0) return report(outcomes);
	console.log('Nothing to run: no step concerns these changes');
	return 0;
});

function chooseSteps(args: string[]): Step[] {
	const wanted = args.filter((arg) => !versions.includes(arg));
	if (versions.length > 0 && !wanted.includes('compat')) {
		throw new CommandError(`A version of n8n belongs to compat: npm test -- compat ${versions[0]}`);
	}
	const names = [...steps.map(({ name }) => name), 'all', 'changed'];
	const unknown = wanted.filter((name) => !names.includes(name));
	if (unknown.length > 0) {
		throw new CommandError(`Unknown step: ${unknown.join(' ')}. Steps: ${names.join(' ')}`);
	}
	const named = wanted.filter((name) => name !== 'changed');
	const chosen = steps.filter(({ name, onDemand }) =>
		named.length > 0 ? named.includes(name) || named.includes('all') : !onDemand,
	);
	return named.length < wanted.length ? narrowToChanges(chosen) : chosen;
}

function narrowToChanges(chosen: Step[]): Step[] {
	const affected = new Affected();
	console.log(`Changed since main: ${affected.changes.join(', ') || 'nothing'}`);
	if (affected.changes.length === 0) return [];
	return chosen.flatMap((step) => {
		const concerned = step.concerns(affected);
		if (typeof concerned === 'boolean') return concerned ? [step] : [];
		if (concerned.length === 0) return [];
		const title = `${step.title}, ${concerned.length} files`;
		return [{ ...step, title, ...(step.jest && ofJest({ ...step.jest, tests: concerned })) }];
	});
}

/** Neighbours that Jest runs in the same way become one step. */
async function join(chosen: Step[]): Promise<Step[]> {
	const joined: Step[] = [];
	for (const step of chosen) {
		const last = joined.at(-1);
		const isAlike = last?.jest && String(last.jest.options) === String(step.jest?.options);
		if (last?.jest && step.jest && isAlike && (await step.findObstacle?.()) === undefined) {
			const { projects, tests } = step.jest;
			joined.splice(-1, 1, {
				...last,
				...ofJest({
					...last.jest,
					projects: [...last.jest.projects, ...projects],
					tests: tests && [...(last.jest.tests ?? []), ...tests],
				}),
				name: `${last.name}, ${step.name}`,
				title: `${last.title}; ${step.title}`,
			});
		} else joined.push(step);
	}
	return joined;
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
		return { passed: 0, failed: 0, skipped: 1, failures: [], times: [] };
	} catch (error) {
		console.error(error instanceof CommandError ? error.message : error);
		return count(false);
	}
}

async function lint(): Promise<TestCounts> {
	const prettier = 'node_modules/prettier/bin/prettier.cjs';
	const cache = ['--cache', '--cache-location', '.cache/prettier'];
	return count(
		...(await Promise.all([
			runScript('lint'),
			runScript('patterns'),
			runNode(prettier, '.', ...cache, '--check', '--log-level', 'warn'),
			runScript('prose'),
		])),
	);
}

async function checkTypes(): Promise<TestCounts> {
	const tsc = 'node_modules/typescript/bin/tsc';
	return count(
		...(await Promise.all([
			runNode(tsc, '-p', 'tsconfig.json'),
			runNode(tsc, '-p', 'tsconfig.dev.json'),
		])),
	);
}

/** One after the other, because each has an n8n of its own. */
async function compat(): Promise<TestCounts> {
	const all = count();
	const releases = versions.length > 0 ? versions : ['2.8', '1.123'];
	for (const wanted of releases) {
		const release = wanted === 'latest' ? await findLatestVersion() : wanted;
		if (versions.length > 0) {
			await installN8n(release);
			process.env.COMPAT_N8N = release;
		}
		const counts = await runJest([`compat-n8n-${release}`], inN8n);
		for (const key of ['passed', 'failed', 'skipped'] as const) all[key] += counts[key];
		all.failures.push(...counts.failures);
		all.times.push(...counts.times);
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
	return { passed, failed: results.length - passed, skipped: 0, failures: [], times: [] };
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
	const times = outcomes.flatMap((outcome) => outcome.times);
	reportSlowest(times);
	for (const { file, name, attempts } of times)
		if (attempts > 1) console.log(`Took ${attempts} attempts: ${file}: ${name}\n`);
	for (const { failures } of outcomes)
		for (const failure of failures) console.log(`● ${failure}\n`);
	const sum = (key: 'passed' | 'failed' | 'skipped'): number =>
		outcomes.reduce((total, outcome) => total + outcome[key], 0);
	const skipped = sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : '';
	console.log(`${sum('passed')} passed, ${sum('failed')} failed${skipped}`);
	return sum('failed') > 0 ? 1 : 0;
}

function reportSlowest(times: TestTime[]): void {
	if (times.length === 0) return;
	const slowest = times.sort((a, b) => b.seconds - a.seconds).slice(0, 20);
	const rows = slowest.map(({ seconds, file, name }) => [seconds.toFixed(1), file, name]);
	console.log(`The slowest tests:\n${formatTable(['seconds', 'file', 'test'], rows)}\n`);
}
