import { parseArgs } from 'node:util';
import { runToEnd } from '../tools/lifetime.mts';
import { CommandError } from '../tools/setup/commandError.mjs';
import { showStep } from '../tools/setup/progress.mjs';
import { IncompleteError } from './complete.mts';
import { Lab } from './lab.mts';
import { describeRun, describeSetting, reportOn } from './report.mts';
import { storeResults } from './results.mts';
import { measure, type Report, type SubjectMaker } from './subject.mts';
import { activities } from './subjects/activities.mts';
import { createOrGet, createOrGetLargePages } from './subjects/createOrGet.mts';
import { deliveries } from './subjects/deliveries.mts';
import { files } from './subjects/files.mts';
import { interactions } from './subjects/interactions.mts';
import { loading } from './subjects/loading.mts';
import { logs } from './subjects/logs.mts';
import { memory } from './subjects/memory.mts';
import { nights } from './subjects/nights.mts';
import { polling } from './subjects/polling.mts';
import { largePages, pages } from './subjects/pages.mts';
import { quietPolls, quietPollsLargePages } from './subjects/quietPolls.mts';
import { largeNights } from './subjects/largeNights.mts';
import { largeRuns } from './subjects/largeRuns.mts';

const subjects: Record<string, SubjectMaker> = {
	logs,
	nights,
	createOrGet,
	createOrGetLargePages,
	polling,
	quietPolls,
	quietPollsLargePages,
	pages,
	largePages,
	activities,
	interactions,
	deliveries,
	memory,
	files,
	loading,
	largeRuns,
	largeNights,
};

const usage = `npm run bench                           measures everything
npm run bench -- --only logs,pages      some of: ${Object.keys(subjects).join(', ')}
npm run bench -- --runs 5               measures each side five times instead of three
npm run bench -- --keep                 puts the results and the pictures into the documentation`;

await runToEnd(async () => {
	const { chosen, runs, keep } = readOptions();
	const setting = describeSetting();
	const run = describeRun(runs);
	const lab = await showStep(
		'Packing the package and starting the service',
		async () => await Lab.open(),
		({ address }) => `the service runs at ${address.url}`,
	);
	const texts: string[] = [];
	const measured: Record<string, Omit<Report, 'text'> & { setting: string }> = {};
	for (const [name, make] of chosen) {
		try {
			const { subject, results } = await showStep(
				`Measuring: ${name}`,
				async () => {
					const subject = await make(lab);
					try {
						const results = await measure(subject, runs, (line) => console.log(`  ${line}`));
						return { subject, results };
					} finally {
						await subject.close?.();
					}
				},
				({ subject }) => subject.title,
			);
			const { text, ...report } = reportOn(subject, results);
			texts.push(text);
			measured[name] = { setting, ...report };
		} catch (error) {
			throw addSubject(name, error);
		}
	}
	// A missed goal is a result. Only unfinished work is a failure.
	console.log(`\n${[`${setting}\n${run}`, ...texts].join('\n\n')}\n`);
	for (const path of await storeResults(Object.keys(subjects), measured, keep))
		console.log(`Drew ${path}`);
	return 0;
});

function addSubject(name: string, error: unknown): unknown {
	if (error instanceof IncompleteError)
		return new CommandError(`Incomplete: ${name}: ${error.message}`);
	if (!(error instanceof Error) || !(error.cause instanceof IncompleteError)) return error;
	return new CommandError(`Incomplete: ${name}, ${error.message}: ${error.cause.message}`);
}

function readOptions(): { chosen: Array<[string, SubjectMaker]>; runs: number; keep: boolean } {
	try {
		const { values } = parseArgs({
			options: {
				only: { type: 'string' },
				runs: { type: 'string', default: '3' },
				keep: { type: 'boolean', default: false },
			},
		});
		const names = values.only?.split(',') ?? Object.keys(subjects);
		const chosen = names.map((name): [string, SubjectMaker] => {
			const make = new Map(Object.entries(subjects)).get(name);
			if (!make) throw new Error(`Unknown measurement: ${name}`);
			return [name, make];
		});
		const runs = Number(values.runs);
		if (!Number.isInteger(runs) || runs < 1)
			throw new Error('--runs must be a whole number of 1 or more');
		return { chosen, runs, keep: values.keep };
	} catch (error) {
		throw new CommandError(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
	}
}
