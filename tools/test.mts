import { runScript } from './command.mts';
import { runJest, type TestCounts } from './jest.mts';
import { runToEnd } from './lifetime.mts';
import { packPackage } from './package.mts';
import { scanPackage } from './scan.mts';
import { CommandError } from './setup/commandError.mjs';
import { timeWork } from './setup/progress.mjs';
import { formatTable } from './table.mts';

type Step = {
	name: string;
	title: string;
	run: () => Promise<TestCounts>;
	/** Jest shows its own progress. */
	showsProgress?: boolean;
};
type Outcome = TestCounts & { name: string; seconds: string };

const script =
	(...names: string[]) =>
	async (): Promise<TestCounts> => {
		const results = [];
		for (const name of names) results.push(await runScript(name));
		return count(...results);
	};
const jest = (name: string, title: string, ...options: string[]): Step => ({
	name,
	title,
	run: async () => await runJest(name, options),
	showsProgress: true,
});

// All files share one n8n, whose first execution loads the nodes.
const inN8n = ['--runInBand', '--testTimeout=180000'];

const steps: Step[] = [
	{ name: 'build', title: 'build and pack the package', run: build },
	{
		name: 'lint',
		title: "n8n's lint, the direction of imports, the format, the wording",
		run: script('lint', 'imports', 'format:check', 'prose'),
	},
	{ name: 'types', title: 'the compiler', run: script('types') },
	jest('unit', 'the functions of the nodes and the documents'),
	jest('sandbox', 'the sandbox over HTTP'),
	jest('engine', "the nodes in n8n's engine"),
	{
		name: 'scan',
		title: "n8n's community scan of the source and the tarball",
		run: async () => count(await scanPackage()),
	},
	jest('e2e', 'the tarball in a real n8n', ...inN8n),
	jest('browser', "n8n's editor in a real browser", ...inN8n),
];

await runToEnd(async () => {
	const wanted = process.argv.slice(2);
	const unknown = wanted.filter((name) => !steps.some((step) => step.name === name));
	if (unknown.length > 0) {
		const names = steps.map(({ name }) => name).join(' ');
		throw new CommandError(`Unknown step: ${unknown.join(' ')}. Steps: ${names}`);
	}
	const outcomes: Outcome[] = [];
	for (const step of steps) {
		if (wanted.length > 0 && !wanted.includes(step.name)) continue;
		const outcome = await runStep(step);
		outcomes.push(outcome);
		// Without a package, scan, e2e and browser have nothing to run.
		if (step.name === 'build' && outcome.failed > 0) break;
	}
	return report(outcomes);
});

async function runStep({ name, title, run, showsProgress }: Step): Promise<Outcome> {
	console.log(`\n── ${name}: ${title}`);
	const { result, seconds } = await timeWork(
		async () => await runOrFail(run),
		(soFar) => showsProgress || console.log(`   … ${name} ${soFar} s`),
	);
	return { name, ...result, seconds };
}

async function runOrFail(run: Step['run']): Promise<TestCounts> {
	try {
		return await run();
	} catch (error) {
		console.error(error instanceof CommandError ? error.message : error);
		return count(false);
	}
}

async function build(): Promise<TestCounts> {
	const { tarball, fresh } = await packPackage();
	console.log(fresh ? tarball : `${tarball} (unchanged)`);
	return count(true);
}

function count(...results: boolean[]): TestCounts {
	const passed = results.filter(Boolean).length;
	return { passed, failed: results.length - passed, skipped: 0 };
}

function report(outcomes: Outcome[]): number {
	const rows = outcomes.map(({ name, passed, failed, skipped, seconds }) => [
		name,
		failed > 0 ? 'failed' : 'passed',
		String(passed),
		String(failed),
		String(skipped),
		seconds,
	]);
	console.log(
		`\n${formatTable(['step', 'result', 'passed', 'failed', 'skipped', 'seconds'], rows)}\n`,
	);
	const sum = (key: keyof TestCounts): number =>
		outcomes.reduce((total, outcome) => total + outcome[key], 0);
	const skipped = sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : '';
	console.log(`${sum('passed')} passed, ${sum('failed')} failed${skipped}`);
	return sum('failed') > 0 ? 1 : 0;
}
