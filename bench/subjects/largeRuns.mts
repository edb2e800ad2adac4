import type { JsonObject } from '../../tools/n8n/execution.mts';
import type { WorkflowNode } from '../../tools/n8n/workflow.mts';
import { formatTable } from '../../tools/table.mts';
import { makeTemporaryFolder, removeFolder } from '../../tools/temporary.mts';
import { installBenchPackage } from '../benchPackage.mts';
import { makeContacts } from '../contacts.mts';
import { requireEach, requireEqual, textsOf } from '../complete.mts';
import type { Holds } from '../loopWatch.mts';
import type { Lab } from '../lab.mts';
import type { BenchN8n } from '../n8n.mts';
import { describeRatio } from '../report.mts';
import type { Ratio, Report, Result, Sample, Side, SizePoint, Subject } from '../subject.mts';
import {
	chain,
	countLogs,
	countPersons,
	shortLogParameters,
	manyContacts,
	ownNode,
} from '../workflows.mts';

const sizes = [10_000, 50_000, 200_000];
const pageSize = 1_000;
/** The service takes the longer to recognize a person, the more there are. */
const people = 500;
const bytesPerMb = 1024 * 1024;
const title = 'Time and memory over the number of items';
const mostHoldMs = 100;
const noHolds: Holds = { longestMs: NaN, longestMarkingMs: NaN };

/** What the node does with so many items, and how one sees that nothing is missing. */
type Work = {
	name: string;
	steps(n8n: BenchN8n): WorkflowNode[];
	prepare(lab: Lab, items: number): Promise<void>;
	/** @param counted what the last node of the workflow counted */
	requireComplete(lab: Lab, items: number, counted: JsonObject): Promise<void>;
};

const works: Work[] = [
	{
		name: 'Person logs, concurrency 50',
		steps: ({ credential }) => [
			manyContacts,
			ownNode(shortLogParameters({ concurrency: 50 }), credential),
			countLogs,
		],
		prepare: async ({ service }) => await service.ask('addPersons', makeContacts(people)),
		requireComplete: async (lab, items, counted) => {
			requireEqual('Output', items, counted.count_personLogId);
			requireEqual('Different person logs', items, counted.unique_count_personLogId);
			const stored = textsOf(await lab.service.ask('logs'), 'crmId');
			requireEach('Logs in the service', textsOf(makeContacts(items), 'id'), stored);
		},
	},
	{
		name: 'Persons, 1,000 per page',
		steps: ({ credential }) => [
			ownNode(
				{ resource: 'person', operation: 'getAll', returnAll: true, options: {} },
				credential,
			),
			countPersons,
		],
		prepare: async ({ service }, items) => {
			await service.ask('allowLimit', pageSize);
			await service.ask('fillPersons', items);
		},
		requireComplete: async (_lab, items, counted) => {
			requireEqual('Persons', items, counted.count_personId);
			requireEqual('Different persons', items, counted.unique_count_personId);
			await Promise.resolve();
		},
	},
];

/**
 * Both must grow in a straight line, up to 200,000 items in one execution. Each number has a fresh n8n, which stores
 * nothing. Memory and time end with the node: what n8n does with its output comes later.
 */
export async function largeRuns(lab: Lab): Promise<Subject> {
	const sides = works.flatMap((work) => sizes.map((items) => sideOf(lab, work, items)));
	return await Promise.resolve({ title, unit: 'ms', sides, goals: [], runs: 1, report });
}

const nameOf = (work: string, items: number): string => `${work}: ${items}`;

function sideOf(lab: Lab, work: Work, items: number): Side {
	return { name: nameOf(work.name, items), run: async () => await runFresh(lab, work, items) };
}

async function runFresh(lab: Lab, work: Work, items: number): Promise<Sample> {
	await lab.service.ask('reset');
	await work.prepare(lab, items);
	const userFolder = makeTemporaryFolder();
	installBenchPackage(userFolder);
	const n8n = await lab.startN8n(userFolder);
	try {
		const unstored = { saveDataSuccessExecution: 'none' };
		const workflow = chain(nameOf(work.name, items), work.steps(n8n), unstored);
		await n8n.publish(workflow);
		const { answer, reading } = await n8n.runUnstored(workflow, { count: items, people });
		await work.requireComplete(lab, items, answer);
		const { before, execute } = reading;
		if (!execute) throw new Error('The probe saw no run of the node');
		const { peakInFlight } = await lab.service.ask('traffic');
		return {
			value: execute.ms,
			holds: execute.holds,
			addedBytes: execute.peakRssBytes - before.rssBytes,
			peakInFlight,
		};
	} finally {
		await n8n.stop();
		removeFolder(userFolder);
	}
}

function report(results: Result[]): Report {
	const points: SizePoint[] = works.flatMap(({ name }) =>
		sizes.map((items) => {
			const { value, addedBytes = NaN, holds = noHolds } = sampleOf(results, name, items);
			const megabytes = addedBytes / bytesPerMb;
			return { work: name, items, seconds: value / 1000, megabytes, holds };
		}),
	);
	const rows = points.map(({ work, items, seconds, megabytes, holds }) => [
		nameOf(work, items),
		seconds.toFixed(1),
		((1000 * seconds) / items).toFixed(2),
		megabytes.toFixed(0),
		((1024 * megabytes) / items).toFixed(1),
		holds.longestMs.toFixed(0),
		holds.longestMarkingMs.toFixed(0),
	]);
	const head = [title, 's', 'ms per item', 'MB added', 'KB per item', 'hold ms', 'while V8 marks'];
	const ratios = works.flatMap(({ name }) => compare(points.filter(({ work }) => work === name)));
	const longest = Math.max(...points.map(({ holds }) => holds.longestMs));
	const hold = `Longest hold = ${longest.toFixed(0)} ms, goal at most ${mostHoldMs} ms: ${longest <= mostHoldMs ? 'met' : 'MISSED'}`;
	const text = [formatTable(head, rows), ...ratios.map(describeRatio), hold].join('\n');
	return { text, ratios, sizes: points };
}

function sampleOf(results: Result[], work: string, items: number): Sample {
	const found = results.find(({ side }) => side === nameOf(work, items));
	if (!found) throw new Error(`Nothing was measured for ${nameOf(work, items)}`);
	return found.median;
}

/** A straight line rises by the same for each further item, however many there are. */
function compare([few, some, many]: SizePoint[]): Ratio[] {
	if (!few || !some || !many) throw new Error('A line needs three points');
	const rise = (from: SizePoint, to: SizePoint, of: 'seconds' | 'megabytes'): number =>
		(to[of] - from[of]) / (to.items - from.items);
	const goal = (side: string, against: string, ratio: number, atMost: number): Ratio => ({
		subject: title,
		side: `${few.work}: ${side}`,
		against,
		ratio,
		atMost,
	});
	const below = `each up to ${some.items}`;
	return [
		goal(
			'time of each further item',
			below,
			rise(some, many, 'seconds') / rise(few, some, 'seconds'),
			1.25,
		),
		goal(
			'memory of each further item',
			below,
			rise(some, many, 'megabytes') / rise(few, some, 'megabytes'),
			1.25,
		),
	];
}
