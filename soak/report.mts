import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '../bench/measure.mts';
import { formatTable } from '../tools/table.mts';
import type { DisturbedN8n } from './disturbedN8n.mts';

/** What n8n's process and its stores hold at one moment. */
type Sample = {
	/** Which start of n8n. */
	epoch: number;
	heapMb: number;
	handles: number;
	staticDataKb: number;
	/** The memory of syncs. */
	processedKb: number;
};
type Size = Exclude<keyof Sample, 'epoch'>;

/** How much higher the last third may be than the middle one: by this part of it, and by so many units. */
const tolerances: Record<Size, { name: string; ratio: number; slack: number }> = {
	heapMb: { name: 'Heap of n8n, MB', ratio: 0.05, slack: 10 },
	// A connection is one too.
	handles: { name: 'Handles of n8n', ratio: 0.2, slack: 40 },
	staticDataKb: { name: 'Static data, KB', ratio: 0.2, slack: 4 },
	// The old versions of records stay for a while.
	processedKb: { name: 'Processed entries, KB', ratio: 0.25, slack: 10 },
};

const stores = `select
	(select coalesce(sum(length(staticData)), 0) from workflow_entity) as staticData,
	(select coalesce(sum(length(value)), 0) from processed_data) as processed`;

/** Collecting garbage holds n8n up, so the pauses are so many times as long. */
const pauseFactor = 5;
/** With fewer samples, a third of them says nothing. */
const fewest = 9;

/** Takes samples until the signal, at most one in `leastPauseMs`. */
export async function watch(
	n8n: DisturbedN8n,
	leastPauseMs: number,
	signal: AbortSignal,
): Promise<Sample[]> {
	const samples: Sample[] = [];
	while (!signal.aborted) {
		const { epoch } = n8n;
		const askedAt = performance.now();
		const reading = await n8n.probe();
		let pauseMs = leastPauseMs;
		if (reading) {
			pauseMs = Math.max(pauseMs, pauseFactor * (performance.now() - askedAt));
			const [{ staticData, processed }] = n8n.query(stores);
			samples.push({
				epoch,
				heapMb: reading.heapBytes / 1e6,
				handles: reading.handles,
				staticDataKb: Number(staticData) / 1e3,
				processedKb: Number(processed) / 1e3,
			});
		}
		await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
	}
	return samples;
}

/** Compares the medians of the last and the middle third: in the first one, n8n gets warm. */
export function judgeSizes(samples: Sample[]): { table: string; violations: string[] } {
	// Only the process that lived longest says what piles up.
	const [longest = []] = [...Map.groupBy(samples, ({ epoch }) => epoch).values()].toSorted(
		(a, b) => b.length - a.length,
	);
	const third = Math.floor(longest.length / 3);
	const violations: string[] = [];
	const rows = (Object.keys(tolerances) as Size[]).map((size) => {
		const { name, ratio, slack } = tolerances[size];
		const values = longest.map((sample) => sample[size]);
		const middle = median(values.slice(-2 * third, -third));
		const last = median(values.slice(-third));
		const rises = values.length >= fewest && last > middle * (1 + ratio) + slack;
		if (rises) violations.push(`${name}: rises from ${middle.toFixed(1)} to ${last.toFixed(1)}`);
		const verdict = values.length < fewest ? 'too few' : rises ? 'RISES' : 'flat';
		return [name, middle.toFixed(1), last.toFixed(1), String(values.length), verdict];
	});
	const head = ['', 'middle third', 'last third', 'samples', ''];
	return { table: formatTable(head, rows), violations };
}
