import { runScript } from './command.mts';
import { runJest, type TestCounts } from './jest.mts';
import { Failure, runToEnd } from './lifetime.mts';
import { packPackage } from './package.mts';
import { scanPackage } from './scan.mts';
import { formatTable } from './table.mts';

type Step = {
	name: string;
	what: string;
	run: () => Promise<TestCounts>;
	/** Jest shows by itself that it lives. */
	talks?: boolean;
};
type Outcome = TestCounts & { name: string; seconds: number };

const script = (name: string) => async (): Promise<TestCounts> =>
	countOne((await runScript(name, true)).code === 0);

const steps: Step[] = [
	{ name: 'build', what: 'the package is built and packed', run: build },
	{ name: 'lint', what: "n8n's lint", run: script('lint') },
	{ name: 'types', what: 'the compiler', run: script('types') },
	{
		name: 'unit',
		what: 'single functions and the sandbox',
		run: () => runJest('unit'),
		talks: true,
	},
	{ name: 'engine', what: "the nodes in n8n's engine", run: () => runJest('engine'), talks: true },
	{
		name: 'scan',
		what: "n8n's community scan of source and tarball",
		run: async () => countOne(await scanPackage()),
	},
	{
		name: 'e2e',
		what: 'the tarball in a real n8n',
		run: () => runJest('e2e', ['--runInBand']),
		talks: true,
	},
	{
		name: 'browser',
		what: "n8n's editor in a real browser",
		run: () => runJest('browser', ['--runInBand']),
		talks: true,
	},
];
const secondsBetweenSigns = 15;

await runToEnd(async () => {
	const wanted = process.argv.slice(2);
	const unknown = wanted.filter((name) => !steps.some((step) => step.name === name));
	if (unknown.length > 0) {
		const names = steps.map(({ name }) => name).join(' ');
		throw new Failure(`There is no step ${unknown.join(', ')}. Steps: ${names}`);
	}
	const outcomes: Outcome[] = [];
	for (const step of steps) {
		if (wanted.length > 0 && !wanted.includes(step.name)) continue;
		const outcome = await runStep(step);
		outcomes.push(outcome);
		// What cannot be built cannot be scanned or run.
		if (step.name === 'build' && outcome.failed > 0) break;
	}
	return report(outcomes);
});

async function runStep({ name, what, run, talks }: Step): Promise<Outcome> {
	console.log(`\n── ${name}: ${what}`);
	const started = Date.now();
	const seconds = (): number => Math.round((Date.now() - started) / 1000);
	const signs = setInterval(
		() => talks || console.log(`   … ${name} ${seconds()} s`),
		secondsBetweenSigns * 1000,
	);
	try {
		return { name, ...(await run()), seconds: seconds() };
	} catch (error) {
		console.error(error instanceof Failure ? error.message : error);
		return { name, ...countOne(false), seconds: seconds() };
	} finally {
		clearInterval(signs);
	}
}

async function build(): Promise<TestCounts> {
	const { tarball, fresh } = await packPackage();
	console.log(fresh ? tarball : `${tarball} (nothing changed since)`);
	return countOne(true);
}

function countOne(passed: boolean): TestCounts {
	return { passed: passed ? 1 : 0, failed: passed ? 0 : 1, skipped: 0 };
}

function report(outcomes: Outcome[]): number {
	const rows = outcomes.map(({ name, passed, failed, skipped, seconds }) => [
		name,
		failed > 0 ? 'failed' : 'passed',
		String(passed),
		String(failed),
		String(skipped),
		String(seconds),
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
