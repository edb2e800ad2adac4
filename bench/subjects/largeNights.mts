import { makeTemporaryFolder, removeFolder } from '../../tools/temporary.mts';
import { formatTable } from '../../tools/table.mts';
import { installBenchPackage } from '../benchPackage.mts';
import { requireEqual } from '../complete.mts';
import type { Lab } from '../lab.mts';
import type { BenchN8n } from '../n8n.mts';
import { describeRatio } from '../report.mts';
import type { Goal, Report, Result, Sample, Side, Subject } from '../subject.mts';
import { chain, manyContacts, ownNode, shortLogParameters } from '../workflows.mts';

const sizes = [50_000];
/** One contact in so many changes in a usual night. */
const changeEvery = 100;
const mostHoldMs = 100;
/** The service takes the longer to recognize a person, the more there are. */
const people = 500;

const nights = [
	{ name: 'all new', night: 0, changeEvery: 1, countSent: (count: number) => count },
	{ name: 'none changed', night: 0, changeEvery: 1, countSent: () => 0 },
	{
		name: 'one in 100 changed',
		night: 1,
		changeEvery,
		countSent: (count: number) => count / changeEvery,
	},
];

const nameOf = (count: number, night: string): string => `${count} contacts, ${night}`;

/** Nights of a sync with half as many contacts as a node remembers. Each number has a fresh n8n, which stores nothing. */
export async function largeNights(lab: Lab): Promise<Subject> {
	const stages = sizes.map((count) => ({ count, stage: new Stage(lab, count) }));
	const sides = stages.flatMap(({ count, stage }) =>
		nights.map(
			({ name, night, changeEvery, countSent }): Side => ({
				name: nameOf(count, name),
				run: async () => await stage.run(night, changeEvery, countSent(count)),
			}),
		),
	);
	const goals = sizes.map(
		(count): Goal => ({
			side: nameOf(count, 'none changed'),
			against: nameOf(count, 'all new'),
			atMost: 0.1,
		}),
	);
	return await Promise.resolve({
		title: 'Large nights of a sync',
		unit: 'ms',
		sides,
		goals,
		runs: 1,
		report: (results) => report(results, goals),
		close: async () => {
			for (const { stage } of stages) await stage.close();
		},
	});
}

/** An n8n for the nights of one number of contacts. */
class Stage {
	readonly #lab: Lab;
	readonly #count: number;
	readonly #userFolder = makeTemporaryFolder();
	#started: Promise<{ n8n: BenchN8n; workflow: ReturnType<typeof chain> }> | undefined;

	constructor(lab: Lab, count: number) {
		this.#lab = lab;
		this.#count = count;
	}

	async run(night: number, changeEvery: number, expectedRequests: number): Promise<Sample> {
		const { n8n, workflow } = await (this.#started ??= this.#start());
		const { service } = this.#lab;
		await service.ask('reset');
		const input = { count: this.#count, people, night, changeEvery };
		const { reading } = await n8n.runUnstored(workflow, input);
		const { peakInFlight, requests, refused } = await service.ask('traffic');
		requireEqual('Requests', expectedRequests, requests);
		requireEqual('Refused requests', 0, refused);
		if (!reading.execute) throw new Error('The probe saw no run of the node');
		const { ms, holds } = reading.execute;
		return { value: ms, holds, peakInFlight, cpuMs: reading.cpuMs };
	}

	async close(): Promise<void> {
		await (await this.#started)?.n8n.stop();
		removeFolder(this.#userFolder);
	}

	async #start() {
		installBenchPackage(this.#userFolder);
		const n8n = await this.#lab.startN8n(this.#userFolder);
		const parameters = {
			...shortLogParameters({}),
			write: 'changed',
			recordId: '={{ $json.id }}',
			recordVersion: '={{ $json.modified }}',
		};
		const steps = [manyContacts, ownNode(parameters, n8n.credential)];
		const unstored = { saveDataSuccessExecution: 'none' };
		const workflow = chain(`Large nights ${this.#count}`, steps, unstored);
		await n8n.publish(workflow);
		return { n8n, workflow };
	}
}

function report(results: Result[], goals: Goal[]): Report {
	const title = 'Large nights of a sync';
	const rows = results.map(({ side, median: { value, cpuMs = NaN, holds } }) => [
		side,
		(value / 1000).toFixed(1),
		(cpuMs / 1000).toFixed(1),
		holds?.longestMs.toFixed(0) ?? '',
		holds?.longestMarkingMs.toFixed(0) ?? '',
	]);
	const head = [title, 's', 'n8n CPU s', 'hold ms', 'while V8 marks'];
	const valueOf = (name: string): number =>
		results.find(({ side }) => side === name)?.median.value ?? NaN;
	const ratios = goals.map((goal) => ({
		...goal,
		subject: title,
		ratio: valueOf(goal.side) / valueOf(goal.against),
	}));
	const longest = Math.max(...results.map(({ median }) => median.holds?.longestMs ?? NaN));
	const hold = `Longest hold = ${longest.toFixed(0)} ms, goal at most ${mostHoldMs} ms: ${longest <= mostHoldMs ? 'met' : 'MISSED'}`;
	return { text: [formatTable(head, rows), ...ratios.map(describeRatio), hold].join('\n'), ratios };
}
