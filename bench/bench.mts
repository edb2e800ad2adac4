import { parseArgs } from 'node:util';
import { Failure, runToEnd } from '../tools/lifetime.mts';
import { showStep } from '../tools/progress.mts';
import { Incomplete } from './complete.mts';
import { Lab } from './lab.mts';
import { describeResults, describeSetting } from './report.mts';
import { measure, type SubjectMaker } from './subject.mts';
import { activities } from './subjects/activities.mts';
import { deliveries } from './subjects/deliveries.mts';
import { loading } from './subjects/loading.mts';
import { logs, sweep } from './subjects/logs.mts';
import { memory } from './subjects/memory.mts';
import { pages } from './subjects/pages.mts';

const usual = { logs, pages, activities, deliveries, memory, loading };
const subjects: Record<string, SubjectMaker> = { ...usual, sweep };

const usage = `npm run bench                           everything but the sweep
npm run bench -- --only logs,pages      some of: ${Object.keys(subjects).join(', ')}
npm run bench -- --runs 5               how often each side is measured (3)
npm run bench -- --sweep                1,000 person logs at several settings of Concurrency`;

await runToEnd(async () => {
	const { chosen, runs } = readOptions();
	const setting = describeSetting(runs);
	const lab = await showStep(
		'Packing the package, starting the service',
		async () => await Lab.open(),
		({ address }) => `the service answers at ${address.url}`,
	);
	const reports: string[] = [];
	for (const [name, make] of chosen) {
		try {
			const { subject, results } = await showStep(
				`Measuring: ${name}`,
				async () => {
					const subject = await make(lab);
					try {
						const results = await measure(subject, runs, (text) => console.log(`  ${text}`));
						return { subject, results };
					} finally {
						await subject.close?.();
					}
				},
				({ subject }) => subject.title,
			);
			reports.push(describeResults(subject, results));
		} catch (error) {
			throw explain(name, error);
		}
	}
	// A missed goal is a finding and no failure: only work that was not done is one.
	console.log(`\n${[setting, ...reports].join('\n\n')}`);
	return 0;
});

function explain(name: string, error: unknown): unknown {
	if (error instanceof Incomplete) return new Failure(`Incomplete: ${name}: ${error.message}`);
	if (!(error instanceof Error) || !(error.cause instanceof Incomplete)) return error;
	return new Failure(`Incomplete: ${name}, ${error.message}: ${error.cause.message}`);
}

function readOptions(): { chosen: Array<[string, SubjectMaker]>; runs: number } {
	try {
		const { values } = parseArgs({
			options: {
				only: { type: 'string' },
				runs: { type: 'string', default: '3' },
				sweep: { type: 'boolean', default: false },
			},
		});
		const names = values.sweep ? ['sweep'] : (values.only?.split(',') ?? Object.keys(usual));
		const chosen = names.map((name): [string, SubjectMaker] => {
			const make = new Map(Object.entries(subjects)).get(name);
			if (!make) throw new Error(`There is no measurement called ${name}`);
			return [name, make];
		});
		const runs = Number(values.runs);
		if (!Number.isInteger(runs) || runs < 1) throw new Error('--runs needs a whole number from 1');
		return { chosen, runs };
	} catch (error) {
		throw new Failure(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
	}
}
