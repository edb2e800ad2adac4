import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { runToEnd } from '../tools/lifetime.mts';
import { CommandError } from '../tools/setup/commandError.mjs';
import { formatTable } from '../tools/table.mts';
import { startDeliveries } from './deliveries.mts';
import { NightlySync } from './nights.mts';
import { judgeSizes, watch } from './report.mts';
import { type Disturbance, DisturbedN8n } from './disturbedN8n.mts';

type Extent = {
	deliveries: number;
	nights: number;
	contacts: number;
	outageMs: number;
	sampleMs: number;
	/** What happens in a night after such a part of the deliveries. */
	plan: Array<[at: number, what: Disturbance]>;
};

// n8n's starts come first and last: between them, one process lives long enough to see what piles up.
const full: Extent = {
	deliveries: 20_000,
	nights: 60,
	contacts: 5_000,
	outageMs: 60_000,
	sampleMs: 10_000,
	plan: [
		[0.02, 'restart'],
		[0.05, 'kill'],
		[0.08, 'kill'],
		[0.3, 'outage'],
		[0.6, 'outage'],
		[0.95, 'kill'],
		[0.97, 'restart'],
	],
};
const short: Extent = {
	deliveries: 1_000,
	nights: 8,
	contacts: 500,
	outageMs: 10_000,
	sampleMs: 1_000,
	plan: [
		[0.05, 'restart'],
		[0.15, 'kill'],
		[0.6, 'outage'],
	],
};
const mostShown = 20;

await runToEnd(async () => {
	const extent = readExtent();
	const n8n = await DisturbedN8n.open(extent.outageMs);
	const deliveries = await startDeliveries(n8n, extent.deliveries);
	const nights = await NightlySync.publish(n8n, extent.contacts);
	const end = new AbortController();
	const watching = watch(n8n, extent.sampleMs, end.signal);
	// In the middle of a night.
	const isTime = (at: number) => deliveries.progress() >= at && nights.isUnderWay;
	const disturbing = disturb(n8n, extent.plan, isTime, end.signal);
	try {
		await Promise.all([
			deliveries.run(),
			nights.run(extent.nights, (night) => night / extent.nights <= deliveries.progress()),
		]);
	} finally {
		end.abort();
		await disturbing;
	}
	const { table, violations } = judgeSizes(await watching);
	const rows: string[][] = [];
	for (const [name, work] of Object.entries({ deliveries, nights })) {
		const outcome = work.judge();
		violations.push(...outcome.violations.map((violation) => `${name}: ${violation}`));
		for (const [what, count] of Object.entries(outcome.counts))
			rows.push([name, what, String(count)]);
	}
	await n8n.measured.close();
	console.log(`\n${formatTable(['work', 'what', 'count'], rows)}\n\n${table}\n`);
	for (const violation of violations.slice(0, mostShown)) console.log(violation);
	console.log(violations.length > 0 ? `${violations.length} violations` : 'Everything held.');
	return violations.length > 0 ? 1 : 0;
});

async function disturb(
	n8n: DisturbedN8n,
	plan: Extent['plan'],
	isTime: (at: number) => boolean,
	signal: AbortSignal,
): Promise<void> {
	for (const [at, what] of plan) {
		while (!isTime(at) && !signal.aborted) await sleep(50);
		if (signal.aborted) return;
		console.log(`  after ${100 * at} % of the deliveries: ${what}`);
		await n8n.disturb(what);
	}
}

function readExtent(): Extent {
	try {
		const { values } = parseArgs({ options: { short: { type: 'boolean', default: false } } });
		return values.short ? short : full;
	} catch (error) {
		const usage = `npm run soak                 a month of work
npm run soak -- --short      about a twentieth of it`;
		throw new CommandError(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
	}
}
