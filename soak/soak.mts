import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { describeSetting } from '../bench/report.mts';
import { runToEnd } from '../tools/lifetime.mts';
import { packPackage } from '../tools/package.mts';
import { CommandError } from '../tools/setup/commandError.mjs';
import { documentRun } from './document.mts';
import { Pace } from './pace.mts';
import { makeReport, writeReport } from './report.mts';
import { deliveries } from './strands/deliveries.mts';
import { nights } from './strands/nights.mts';
import { polls } from './strands/polls.mts';
import { publishing } from './strands/publishing.mts';
import type { Outcome, Strand } from './strands/strand.mts';
import { type Sample, watch } from './watch.mts';
import { type Disturbance, World } from './world.mts';

/** What n8n and the service go through, and when: the part of the work that is done. */
type Plan = Array<[at: number, what: Disturbance]>;
type Form = {
	deliveries: number;
	polls: number;
	sessions: number;
	nights: number;
	contacts: number;
	publishings: number;
	outageMs: number;
	sampleMs: number;
	plan: Plan;
};

// n8n's starts come first and last: between them, one process lives long enough to see what it piles up.
const full: Form = {
	deliveries: 20_000,
	polls: 5_000,
	sessions: 50_000,
	nights: 60,
	contacts: 5_000,
	publishings: 1_000,
	outageMs: 60_000,
	sampleMs: 10_000,
	plan: [
		[0.02, 'rotation'],
		[0.04, 'restart'],
		[0.06, 'outage'],
		[0.08, 'kill'],
		[0.1, 'kill'],
		[0.3, 'rotation'],
		[0.4, 'outage'],
		[0.6, 'rotation'],
		[0.7, 'outage'],
		[0.95, 'kill'],
		[0.97, 'restart'],
	],
};
const short: Form = {
	deliveries: 1_000,
	polls: 340,
	sessions: 3_400,
	nights: 8,
	contacts: 500,
	publishings: 50,
	outageMs: 10_000,
	sampleMs: 3_000,
	plan: [
		[0.05, 'restart'],
		[0.15, 'kill'],
		[0.4, 'rotation'],
		[0.6, 'outage'],
	],
};

const names = ['deliveries', 'polls', 'nights', 'publishing'] as const;
type Name = (typeof names)[number];

const usage = `npm run soak                              a month of work in half an hour
npm run soak -- --short                   about a twentieth of it, in about two minutes
npm run soak -- --only polls,nights       some of: ${names.join(', ')}
npm run soak -- --seed 7                  another course of events`;

await runToEnd(async () => {
	const { form, chosen, seed } = readOptions();
	const inN8n = chosen.filter((name) => name !== 'polls');
	const samples: Sample[] = [];
	const pace = new Pace();
	const polling = polls(pace, form.polls, form.sessions, seed);
	const strands = new Map<Name, Strand>();
	if (chosen.includes('polls')) strands.set('polls', polling);
	const world = inN8n.length > 0 ? await openWorld(form, seed) : undefined;
	if (world) for (const name of inN8n) strands.set(name, await openStrand(world, pace, name, form));
	for (const strand of strands.values()) pace.add(strand);
	const failures: string[] = [];
	const end = new AbortController();
	const beside = [
		...(world ? [watch(world, form.sampleMs, end.signal, samples)] : []),
		showProgress(strands, end.signal, () => samples.at(-1)),
	];
	const running = [...strands].map(async ([name, strand]) => {
		await strand.run().catch((error: unknown) => {
			console.error(error);
			failures.push(`${name} ended early: ${String(error)}`);
			pace.remove(strand);
		});
	});
	const disturbing = world && disturb(world, form.plan, pace, end.signal);
	await Promise.all(running);
	end.abort();
	await Promise.all([...beside, disturbing]);
	const outcomes: Record<string, Outcome> = {};
	for (const [name, strand] of strands) outcomes[name] = await strand.judge();
	await world?.close();
	const report = makeReport({ samples, outcomes, polls: polling.samples });
	report.violations.push(...failures);
	console.log(`\n${writeReport(report)}\n`);
	if (world) console.log(`Happened: ${world.happened.join(', ')}`);
	const isFull = form === full && chosen.length === names.length;
	if (isFull && report.violations.length === 0) await documentRun(report, describeSetting());
	return report.violations.length > 0 ? 1 : 0;
});

async function openWorld({ outageMs }: Form, seed: number): Promise<World> {
	const { tarball } = await packPackage();
	return await World.open(tarball, seed, outageMs);
}

async function openStrand(
	world: World,
	pace: Pace,
	name: Exclude<Name, 'polls'>,
	form: Form,
): Promise<Strand> {
	if (name === 'deliveries') return await deliveries(world, pace, form.deliveries);
	if (name === 'nights') return await nights(world, pace, form.nights, form.contacts);
	return publishing(world, pace, form.publishings);
}

/** What is planned happens when so much of the work is done. */
async function disturb(world: World, plan: Plan, pace: Pace, signal: AbortSignal): Promise<void> {
	for (const [at, what] of plan) {
		while (pace.progress() < at && !signal.aborted) await sleep(100);
		if (signal.aborted) return;
		console.log(`  … ${what}`);
		await world.disturb(what);
	}
}

async function showProgress(
	strands: Map<Name, Strand>,
	signal: AbortSignal,
	last: () => Sample | undefined,
): Promise<void> {
	const startedAt = Date.now();
	while (!signal.aborted) {
		await sleep(15_000, undefined, { signal }).catch(() => undefined);
		const parts = [...strands].map(
			([name, strand]) => `${name} ${Math.floor(100 * strand.progress())} %`,
		);
		const sample = last();
		const state = sample ? `, heap ${sample.heapMb.toFixed(0)} MB, ${sample.handles} handles` : '';
		const seconds = Math.round((Date.now() - startedAt) / 1000);
		console.log(`  ${seconds} s: ${parts.join(', ')}${state}`);
	}
}

function readOptions(): { form: Form; chosen: Name[]; seed: number } {
	try {
		const { values } = parseArgs({
			options: {
				short: { type: 'boolean', default: false },
				only: { type: 'string' },
				seed: { type: 'string', default: '1' },
			},
		});
		const wanted = values.only?.split(',') ?? [...names];
		const unknown = wanted.filter((name) => !names.some((known) => known === name));
		if (unknown.length > 0) throw new Error(`Unknown work: ${unknown.join(', ')}`);
		const seed = Number(values.seed);
		if (!Number.isInteger(seed)) throw new Error('--seed must be a whole number');
		const chosen = names.filter((name) => wanted.includes(name));
		return { form: values.short ? short : full, chosen, seed };
	} catch (error) {
		throw new CommandError(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
	}
}
