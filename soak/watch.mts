import { setTimeout as sleep } from 'node:timers/promises';
import type { World } from './world.mts';

/** What n8n's process and its stores hold at one moment. */
export type Sample = {
	/** Which start of n8n. */
	epoch: number;
	heapMb: number;
	handles: number;
	staticDataKb: number;
	/** For each API key: with a new one, a sync sends everything again, and remembers that it did. */
	processedKb: number;
};

const stores = `select
	(select coalesce(sum(length(staticData)), 0) from workflow_entity) as staticData,
	(select coalesce(sum(length(value)), 0) from processed_data) as processed`;

/** Collecting garbage holds n8n up. So the pauses are so many times as long, however busy the machine is. */
const pauseFactor = 15;

/** Takes samples until the signal, at most one in `leastPauseMs`. Skips those while n8n is away. */
export async function watch(
	world: World,
	leastPauseMs: number,
	signal: AbortSignal,
	samples: Sample[],
): Promise<void> {
	while (!signal.aborted) {
		const { epoch } = world;
		const askedAt = performance.now();
		const reading = await world.probe();
		const probeMs = performance.now() - askedAt;
		if (reading) {
			const [{ staticData, processed }] = world.query(stores);
			samples.push({
				epoch,
				heapMb: reading.heapBytes / 1e6,
				handles: reading.handles,
				staticDataKb: Number(staticData) / 1e3,
				processedKb: Number(processed) / 1e3 / world.apiKeys,
			});
		}
		const pauseMs = Math.max(leastPauseMs, pauseFactor * probeMs);
		await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
	}
}
